/** Without a clock: has the table waited for one person so long that the others need not? */

import type { Stall } from '../lib/protocol';
import type { Session } from '../session/session.svelte';

export class Waiting {
  /** From now on the others may let a bot play on. */
  isLong = $state(false);

  /** Follows what is asked. Returns what ends that. */
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
