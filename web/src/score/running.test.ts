import { describe, expect, it } from 'vitest';

import type { HandView, Sheet, SideView } from '../lib/protocol';
import { places, runningTotals, sheetsUpTo, soFar } from './running';

function side(miles: number, earned: SideView['earned'] = {}): SideView {
  return { miles, earned } as SideView;
}

function hand(number: number, sheets: Sheet[] | null = null): HandView {
  return {
    number,
    sides: [side(325, { safeties: 200, coups_fourres: 300 }), side(0)],
    sheets,
  } as unknown as HandView;
}

const sheet = (total: number) => ({ miles: total, total }) as Sheet;

describe('the hand so far', () => {
  it('has what lies on the table, and no bonus that is not earned yet', () => {
    const [ours, theirs] = soFar(hand(1));
    expect(ours).toMatchObject({ miles: 325, safeties: 200, coups_fourres: 300, total: 825 });
    expect(theirs?.total).toBe(0);
    const whole = {
      sides: [side(1000, { safeties: 400, coups_fourres: 1200, all_four: 300 })],
    } as HandView;
    expect(soFar(whole)[0]).toMatchObject({ all_four: 300, trip: 0, safe_trip: 0, total: 2900 });
  });

  it('follows the finished hands', () => {
    const first = [sheet(700), sheet(100)];
    expect(sheetsUpTo(hand(2), [first])).toEqual([first, soFar(hand(2))]);
  });

  it('is the one on screen, though its sheet is known already', () => {
    const first = [sheet(700), sheet(100)];
    const second = [sheet(1100), sheet(0)];
    expect(sheetsUpTo(hand(2), [first, second])).toEqual([first, soFar(hand(2))]);
    expect(sheetsUpTo(hand(2, second), [first, second])).toEqual([first, second]);
  });
});

describe('running totals', () => {
  it('add up hand by hand', () => {
    const sheets = [
      [sheet(700), sheet(100)],
      [sheet(0), sheet(1100)],
    ];
    expect(runningTotals(sheets, 2)).toEqual([
      [700, 100],
      [700, 1200],
    ]);
    expect(runningTotals([], 2)).toEqual([]);
  });
});

describe('places', () => {
  it('are in the order of the points, and shared if they are equal', () => {
    expect(places([500, 900, 500, 100]).map(({ side, place }) => [side, place])).toEqual([
      [1, 1],
      [0, 2],
      [2, 2],
      [3, 4],
    ]);
  });
});
