/** The points of a match: hand by hand, the hand that is being played, and the places. */

import type { HandView, Sheet } from '../lib/protocol';

const NOTHING = { trip: 0, delayed_action: 0, safe_trip: 0, shut_out: 0, extension: 0 };

/** What lies on the table, as a score sheet: bonuses that are not earned yet are left out. */
export function soFar(hand: HandView): Sheet[] {
  return hand.sides.map(({ miles, earned }) => {
    const { safeties = 0, all_four = 0, coups_fourres = 0 } = earned;
    const total = miles + safeties + all_four + coups_fourres;
    return { ...NOTHING, miles, safeties, all_four, coups_fourres, total };
  });
}

/**
 * The sheets up to the hand on screen. Those of finished hands may be ahead of it, while the end
 * of the hand is still being told.
 */
export function sheetsUpTo(hand: HandView, finished: readonly Sheet[][]): Sheet[][] {
  return [...finished.slice(0, hand.number - 1), hand.sheets ?? soFar(hand)];
}

/** Points of every side after each hand. */
export function runningTotals(sheets: readonly Sheet[][], sides: number): number[][] {
  let sums = Array<number>(sides).fill(0);
  return sheets.map((hand) => (sums = sums.map((sum, side) => sum + (hand[side]?.total ?? 0))));
}

export interface Placed {
  side: number;
  points: number;
  /** From 1; the same for equal points. */
  place: number;
}

/** The sides in order of their points. */
export function places(points: readonly number[]): Placed[] {
  return points
    .map((own, side) => ({
      side,
      points: own,
      place: 1 + points.filter((others) => others > own).length,
    }))
    .sort((one, other) => one.place - other.place || one.side - other.side);
}
