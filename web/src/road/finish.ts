/** How a hand has ended, as the road shows it. */

import type { TableView } from '../lib/protocol';

export interface Finish {
  /** The side that has completed the trip; null if the cards ran out. */
  side: number | null;
  /** `hand`: a trip is completed; `match`: the viewer has won, or watches who has. */
  joy: 'none' | 'hand' | 'match';
}

/** Null while the hand is played. */
export function finishOf({ asked, hand, you }: TableView): Finish | null {
  if (hand === null || (asked?.what !== 'next' && asked?.what !== 'over')) return null;
  const side = hand.completed_by;
  const own = you === null ? asked.winner : you % hand.sides.length;
  if (asked.winner !== null && asked.winner === own) return { side, joy: 'match' };
  return { side, joy: side === null ? 'none' : 'hand' };
}
