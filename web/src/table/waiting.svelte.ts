/** Without a clock: has the table waited for one person so long that the others need not? */

import type { Stall } from '../lib/protocol';

export class Waiting {
  /** From now on the others may let a bot play on. */
  isLong = $state(false);

  /** Follows what is asked; gives what ends that. */
  follow(stall: Stall | null, serverNow: () => number): () => void {
    const wait = stall === null ? Infinity : stall.at - serverNow();
    this.isLong = wait <= 0;
    if (this.isLong || wait === Infinity) return () => {};
    const timer = setTimeout(() => (this.isLong = true), wait);
    return () => clearTimeout(timer);
  }
}
