import { describe, expect, it } from 'vitest';

import {
  draftOf,
  emptyDraft,
  handOf,
  hundredsBelow,
  missing,
  nextMissing,
  sideOf200s,
  tapped,
  tripOf,
  type Draft,
} from './match';

const TRIP = { trip: 700, extended_trip: 1000, leader_wins: false };
const draft = (part: Partial<Draft> = {}): Draft => ({ ...emptyDraft(3), ...part });

describe('a safety', () => {
  it('goes to a side, lies crosswise, and is taken away', () => {
    const first = tapped([], 'ACE', 1);
    expect(first).toEqual([{ card: 'ACE', side: 1 }]);
    const second = tapped(first, 'ACE', 1);
    expect(second).toEqual([{ card: 'ACE', side: 1, crosswise: true }]);
    expect(tapped(second, 'ACE', 1)).toEqual([]);
  });

  it('moves to the side that is tapped', () => {
    const others = [{ card: 'ROW', side: 0 } as const];
    const moved = tapped([...others, { card: 'ACE', side: 1, crosswise: true }], 'ACE', 0);
    expect(moved).toEqual([...others, { card: 'ACE', side: 0 }]);
  });
});

describe('a hand', () => {
  it('is there once it is known who finished, and the miles of the others', () => {
    expect(handOf(draft({ miles: [0, 0, 0] }), TRIP)).toBeNull();
    expect(handOf(draft({ finished: 1, miles: [25, null, null] }), TRIP)).toBeNull();
    expect(handOf(draft({ finished: 1, miles: [25, null, 0] }), TRIP)).toEqual({
      miles: [25, 700, 0],
      completed_by: 1,
    });
    expect(handOf(draft({ finished: 'nobody', miles: [25, 0, 0] }), TRIP)).toEqual({
      miles: [25, 0, 0],
    });
  });

  it('has the extended trip if somebody called it', () => {
    const called = draft({ finished: 1, miles: [900, null, 0], caller: 0 });
    expect(tripOf(called, TRIP)).toBe(1000);
    expect(handOf(called, TRIP)?.miles).toEqual([900, 1000, 0]);
    expect(tripOf(called, { ...TRIP, trip: 1000, extended_trip: null })).toBe(1000);
  });

  it('is entered again as it was', () => {
    const hand = {
      miles: [700, 475],
      completed_by: 0,
      with_200s: [0],
      pile_empty: true,
      safeties: [{ card: 'ACE' as const, side: 0, crosswise: true }],
    };
    expect(handOf(draftOf(hand), TRIP)).toEqual(hand);
    // The trip follows from who finished: a change of mind changes the miles.
    expect(handOf({ ...draftOf(hand), finished: 1, miles: [300, null] }, TRIP)?.miles) //
      .toEqual([300, 700]);
  });

  it('has the 200s of whoever has the most miles, where that wins', () => {
    const wins = { ...TRIP, leader_wins: true };
    const hand = { miles: [600, 475], with_200s: [0] };
    expect(handOf(draftOf(hand), wins)).toEqual(hand);
    expect(handOf({ ...draftOf(hand), miles: [300, 475] }, wins)?.with_200s).toEqual([1]);
    expect(handOf({ ...draftOf(hand), miles: [475, 475] }, wins)).not.toHaveProperty('with_200s');
    expect(handOf(draftOf(hand), TRIP)).not.toHaveProperty('with_200s');
  });

  it('has an empty pile only if somebody finished', () => {
    const out = draft({ finished: 'nobody', miles: [0, 0, 0], isPileEmpty: true });
    expect(handOf(out, TRIP)).not.toHaveProperty('pile_empty');
  });
});

describe('what is asked', () => {
  it('goes round the sides without miles', () => {
    const some = draft({ finished: 0, miles: [null, null, 50] });
    expect(missing(some)).toEqual([1]);
    expect(nextMissing(draft(), -1)).toBe(0);
    expect(nextMissing(draft(), 0)).toBe(1);
    expect(nextMissing(some, 2)).toBe(1);
    expect(nextMissing(draft({ miles: [0, 0, 0] }), 0)).toBeNull();
  });

  it('is the 200s of the side that finished, or of the one that leads where that wins', () => {
    expect(sideOf200s(draft({ finished: 2 }), false)).toBe(2);
    const out = draft({ finished: 'nobody', miles: [25, 600, 0] });
    expect(sideOf200s(out, false)).toBeNull();
    expect(sideOf200s(out, true)).toBe(1);
    expect(sideOf200s({ ...out, miles: [600, 600, 0] }, true)).toBeNull();
    expect(sideOf200s({ ...out, miles: [600, null, 0] }, true)).toBeNull();
  });

  it('offers hundreds below the trip', () => {
    expect(hundredsBelow(700)).toEqual([0, 100, 200, 300, 400, 500, 600]);
    expect(hundredsBelow(1000)).toHaveLength(10);
  });
});
