/** At a table without a clock: has one player taken so long that others may let a bot play? */

import type { Stall } from '../lib/protocol';
import type { Session } from '../session/session.svelte';

export class Waiting {
  /** May the others let a bot play now? */
  isLong = $state(false);

  /** Follows what is asked. Returns a function that stops it. */
  follow(stall: Stall | null, serverNow: () => number): () => void {
    const wait = stall === null ? Infinity : stall.at - serverNow();
    this.isLong = wait <= 0;
    if (this.isLong || wait === Infinity) return () => {};
    const timer = setTimeout(() => (this.isLong = true), wait);
    return () => clearTimeout(timer);
  }
}

/** Follows a table for as long as the calling component lives. */
export function waitingAt(session: Session): Waiting {
  const waiting = new Waiting();
  const stall = $derived(session.table?.asked?.stall ?? null);
  $effect(() => waiting.follow(stall, () => session.serverNow()));
  return waiting;
}
