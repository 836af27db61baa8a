/** Emotes that show beside a name for a while. */

import { untrack } from 'svelte';

import type { Session } from '../session/session.svelte';

const SHOWN = 4000;

export class Emotes {
  /** The emote of each member. */
  shown = $state<Record<number, string>>({});
  #timers: Record<number, ReturnType<typeof setTimeout>> = {};

  constructor(session: Session) {
    // Lines that were there before are old.
    let last = session.log.at(-1)?.id ?? -1;
    $effect(() => {
      const fresh = session.log.filter(({ id }) => id > last);
      last = session.log.at(-1)?.id ?? last;
      untrack(() => {
        for (const { member, emote } of fresh) {
          if (member !== undefined && emote !== undefined) this.#show(member, emote);
        }
      });
    });
  }

  #show(member: number, emote: string): void {
    this.shown[member] = emote;
    clearTimeout(this.#timers[member]);
    this.#timers[member] = setTimeout(() => delete this.shown[member], SHOWN);
  }
}
