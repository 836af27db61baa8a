import { beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';

import type { Rules } from '../lib/figures';
import { prefs } from '../lib/prefs.svelte';
import type { Event, Sheet } from '../lib/protocol';
import { learn } from '../lib/words.svelte';
import { Moment, plateOf } from './moment.svelte';

const NAMES = { seats: ['Ann', 'Bob'], sides: ['Ann', 'Bob'], you: 0 };
const TEAMS = { seats: ['Ann', 'Bob', 'Cléo', 'Dan'], sides: ['Ann & Cléo', 'Bob & Dan'], you: 0 };
const RULES: Rules = new Map([
  ['safety_points', 100],
  ['coup_fourre_points', 300],
]);
const coup = (seat: number): Event => ({
  type: 'countered',
  seat,
  card: 'ROW',
  hazard: 'STOP',
  side: seat % 2,
  cleared: [],
});
const ended = (completed_by: number | null, shut_out = 0): Event => ({
  type: 'hand_ended',
  completed_by,
  sheets: [{ shut_out }, { shut_out }] as Sheet[],
  totals: [1000, 500],
});
const won = (winner: number | null): Event => ({
  type: 'match_ended',
  totals: [5000, 3000],
  winner,
});

beforeAll(async () => {
  prefs.language = 'en';
  await learn('en');
});
beforeEach(() => {
  vi.useFakeTimers();
});

describe('the plate of a coup fourré', () => {
  it('shows what the edition gives for it, and keeps the cards of that side in sight', () => {
    expect(plateOf(coup(0), NAMES, RULES)).toEqual({
      kind: 'coup',
      title: 'Coup fourré!',
      figure: '+400',
      who: null,
      side: 0,
    });
    const rich: Rules = new Map([
      ['safety_points', 200],
      ['coup_fourre_points', 1000],
    ]);
    expect(plateOf(coup(0), NAMES, rich)?.figure).toBe('+1,200');
  });

  it('shows no figure where there is none, or before the edition is known', () => {
    expect(plateOf(coup(0), NAMES, new Map())?.figure).toBeNull();
    expect(plateOf(coup(0), NAMES, null)?.figure).toBeNull();
  });

  it('names whoever calls it, unless it is you', () => {
    expect(plateOf(coup(1), NAMES, RULES)).toMatchObject({ who: 'Bob', side: 1 });
    expect(plateOf(coup(2), TEAMS, RULES)).toMatchObject({ who: 'Cléo', side: 0 });
    expect(plateOf(coup(0), { ...NAMES, you: null }, RULES)?.who).toBe('Ann');
  });
});

describe('the plate of an end', () => {
  const told = (event: Event, names = NAMES) => {
    const plate = plateOf(event, names, RULES);
    return plate && [plate.kind, plate.title, plate.figure, plate.who];
  };

  it('tells a completed trip from a shut-out and from cards that have run out', () => {
    expect(told(ended(0))).toEqual(['finish', 'Trip completed!', null, null]);
    expect(told(ended(1))).toEqual(['finish', 'Trip completed!', null, 'Bob']);
    expect(told(ended(1), TEAMS)).toEqual(['finish', 'Trip completed!', null, 'Bob & Dan']);
    expect(told(ended(0, 500))).toEqual(['finish', 'Shut-out!', '+500', null]);
    expect(told(ended(null))).toEqual([
      'news',
      'All the cards are gone. The hand is over.',
      null,
      null,
    ]);
  });

  it('tells your match from that of another', () => {
    expect(told(won(0))).toEqual(['win', 'You win the match with 5000 points!', null, null]);
    expect(told(won(1))).toEqual(['news', 'Bob wins the match with 3000 points.', null, null]);
    expect(told(won(null))).toEqual(['news', 'The match is drawn.', null, null]);
    // Those who watch are glad with the winner.
    expect(told(won(1), { ...TEAMS, you: null as never })?.[0]).toBe('win');
  });
});

describe('a moment of the game', () => {
  it('is shown in large letters for a while, even without animations', () => {
    const moment = new Moment();
    for (const pace of [1, 0]) {
      moment.now(coup(1), NAMES, RULES, pace);
      expect(moment.plate?.title).toBe('Coup fourré!');
      vi.advanceTimersByTime(1500);
      expect(moment.plate).not.toBeNull();
      vi.advanceTimersByTime(200);
      expect(moment.plate).toBeNull();
    }
  });

  it('is replaced by the next one, which gets its full time', () => {
    const moment = new Moment();
    moment.now(coup(1), NAMES, RULES, 1);
    vi.advanceTimersByTime(1500);
    moment.now({ type: 'extended', seat: 0 }, NAMES, RULES, 1);
    vi.advanceTimersByTime(1500);
    expect(moment.plate?.title).toBe('You call the extension: the trip is now 1000.');
    moment.clear();
    expect(moment.plate).toBeNull();
  });

  it('gives way to the end of the match only after it could be read', () => {
    const moment = new Moment();
    moment.now(ended(0), NAMES, RULES, 1);
    moment.now(won(0), NAMES, RULES, 1);
    expect(moment.plate?.kind).toBe('finish');
    vi.advanceTimersByTime(799);
    expect(moment.plate?.kind).toBe('finish');
    vi.advanceTimersByTime(1);
    expect(moment.plate?.kind).toBe('win');
    vi.advanceTimersByTime(1599);
    expect(moment.plate?.kind).toBe('win');
    vi.advanceTimersByTime(1);
    expect(moment.plate).toBeNull();
  });

  it('is cut short, with what was to come after it', () => {
    const moment = new Moment();
    moment.now(ended(0), NAMES, RULES, 1);
    moment.now(won(0), NAMES, RULES, 1);
    moment.clear();
    vi.advanceTimersByTime(2000);
    expect(moment.plate).toBeNull();
    moment.now(coup(0), NAMES, RULES, 1);
    expect(moment.plate?.kind).toBe('coup');
  });

  it('is not shown for an ordinary card', () => {
    const moment = new Moment();
    moment.now({ type: 'discarded', seat: 1, card: '25' }, NAMES, RULES, 1);
    expect(moment.plate).toBeNull();
  });
});
