/** Emotes that show beside a name for a while. */

import { untrack } from 'svelte';

import type { Session } from '../session/session.svelte';

const SHOWN = 4000;

/** The emote of each member. Follows a session for as long as the calling component lives. */
export function emotesAt(session: Session): Record<number, string> {
  const shown = $state<Record<number, string>>({});
  const timers: Record<number, ReturnType<typeof setTimeout>> = {};
  // Earlier lines are old.
  let last = session.log.at(-1)?.id ?? -1;
  $effect(() => {
    const fresh = session.log.filter(({ id }) => id > last);
    last = session.log.at(-1)?.id ?? last;
    untrack(() => {
      for (const { member, emote } of fresh) {
        if (member === undefined || emote === undefined) continue;
        shown[member] = emote;
        clearTimeout(timers[member]);
        timers[member] = setTimeout(() => delete shown[member], SHOWN);
      }
    });
  });
  return shown;
}
