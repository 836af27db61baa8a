/** Emotes that show beside a name for a while. */

import { untrack } from 'svelte';

import type { Session } from '../session/session.svelte';

const SHOWN = 4000;

/** Who shows an emote: a member, or the bot at a seat. */
export function shownBy(member: number | null | undefined, seat: number | undefined): string {
  return member === null || member === undefined ? `bot ${seat}` : `member ${member}`;
}

/** The emote that each of them shows. Follows a session for as long as the calling component lives. */
export function emotesAt(session: Session): Record<string, string> {
  const shown = $state<Record<string, string>>({});
  const timers: Record<string, ReturnType<typeof setTimeout>> = {};
  // Earlier lines are old, except what came with the picture that is shown first.
  const newest = session.log.at(-1)?.seq;
  let last = session.log.filter(({ seq }) => seq !== newest).at(-1)?.id ?? -1;
  $effect(() => {
    const fresh = session.log.filter(({ id }) => id > last);
    last = session.log.at(-1)?.id ?? last;
    untrack(() => {
      for (const { member, seat, emote } of fresh) {
        if (emote === undefined) continue;
        const who = shownBy(member, seat);
        shown[who] = emote;
        clearTimeout(timers[who]);
        timers[who] = setTimeout(() => delete shown[who], SHOWN);
      }
    });
  });
  return shown;
}
