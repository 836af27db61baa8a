/** Reactions that show beside a name for a while. */

import type { LogLine } from '../session/session.svelte';

const SHOWN = 4000;

export class Emoting {
  /** What each member shows now. */
  emotes = $state<Record<number, string>>({});
  #timers: Record<number, ReturnType<typeof setTimeout>> = {};
  /** The last line that has been looked at. Whatever was there before is old. */
  #last: number;

  constructor(log: LogLine[]) {
    this.#last = log.at(-1)?.id ?? -1;
  }

  follow(log: LogLine[]): void {
    const fresh = log.filter(({ id }) => id > this.#last);
    this.#last = log.at(-1)?.id ?? this.#last;
    for (const { member, emote } of fresh) {
      if (member === undefined || emote === undefined) continue;
      this.emotes[member] = emote;
      clearTimeout(this.#timers[member]);
      this.#timers[member] = setTimeout(() => delete this.emotes[member], SHOWN);
    }
  }
}
