import { beforeAll, describe, expect, it } from 'vitest';

import { prefs } from '../lib/prefs.svelte';
import type { EditionInfo } from '../lib/protocol';
import { learn } from '../lib/words.svelte';
import { differences, ruleBook } from './rules';

const USUAL: Record<string, unknown> = {
  player_counts: [2, 3, 4, 6],
  teams_at: [4, 6],
  hazards_removed_at: [2, 3],
  autoroute_cards: 0,
  trip: { '2': 700, '3': 700, '4': 1000, '6': 700 },
  short_trip_at: [],
  extension_at: [2, 3, 6],
  extension_if_caller_completes: 'caller',
  extension_if_other_completes: 'each_opponent',
  extension_if_nobody_completes: 'each_opponent',
  battle_hazard_on: 'rolling',
  limit_on_limit: true,
  right_of_way_discards: false,
  max_200s: 2,
  exhaustion_winner: 'nobody',
  trip_points: 400,
  safety_points: 100,
  coup_fourre_points: 300,
  all_four_points: 300,
  delayed_action_points: 300,
  safe_trip_points: 300,
  shut_out: 'all',
  shut_out_points: 500,
  extension_points: 200,
  tie: 'another_hand',
  target: 5000,
  hands: 0,
  dealer: 'rotates',
  row_replaces_roll: true,
  replay_on_empty_pile: true,
  row_empty_attackable: true,
  safety_restores_roll: false,
  must_play_out: false,
  delayed_action_needs_empty_start: false,
  autoroute_is_safety: false,
  coup_fourre_for_third_party: false,
  start_rolling: false,
  remedy_restores_roll: false,
};

function edition(changes: Record<string, unknown> = {}): EditionInfo {
  const values = { ...USUAL, ...changes };
  return {
    id: 'some',
    name: 'Some',
    character: '',
    parent: null,
    player_counts: values.player_counts as number[],
    teams_at: values.teams_at as number[],
    short_trip_at: values.short_trip_at as number[],
    rules: Object.entries(values).map(([name, value]) => ({ name, value, means: '', source: '' })),
  };
}

function lines(book: ReturnType<typeof ruleBook>, isMarked: boolean): string[] {
  return book.parts.flatMap((part) =>
    part.lines.filter((line) => line.differs === isMarked).map((line) => line.text),
  );
}

beforeAll(async () => {
  prefs.language = 'en';
  await learn('en');
});

describe('differences', () => {
  it('are empty for the same edition', () => {
    expect(differences(edition(), edition())).toEqual([]);
  });

  it('are full sentences', () => {
    const other = edition({
      battle_hazard_on: 'started',
      safe_trip_points: 200,
      all_four_points: 0,
    });
    expect(differences(other, edition())).toEqual([
      'Any car that has started can be hit, even one that is stopped: hazards pile up.',
      'All four safeties: does not count.',
      'Safe trip: 200 points instead of 300.',
    ]);
  });

  it('leave out what cannot happen', () => {
    const without = edition({
      extension_at: [],
      extension_points: 0,
      extension_if_caller_completes: 'nobody',
      extension_if_other_completes: 'nobody',
      extension_if_nobody_completes: 'nobody',
    });
    expect(differences(without, edition())).toEqual(['The trip cannot be extended.']);
  });

  it('show a rule unknown to this page', () => {
    const newer = edition({ tow_truck: 3 });
    expect(differences(newer, edition())).toEqual(['tow_truck 3']);
  });
});

describe('ruleBook', () => {
  it('has a sentence for every rule', () => {
    for (const players of [null, 2, 4]) {
      const book = ruleBook(edition({ autoroute_cards: 4 }), edition(), players);
      for (const part of book.parts) expect(part.lines.length).toBeGreaterThan(1);
      expect(book.score.map((row) => row.points)).toContain(500);
    }
  });

  it('marks what differs', () => {
    const book = ruleBook(edition({ tie: 'drawn', shut_out: 'each' }), edition());
    expect(lines(book, true)).toEqual(['A tie at the top is a drawn match.']);
    expect(book.score.filter((row) => row.differs).map((row) => row.line)).toEqual(['Shut-out']);
  });

  it('marks at a table only what counts there', () => {
    const other = edition({ teams_at: [6] });
    expect(lines(ruleBook(other, edition(), 2), true)).toEqual([]);
    expect(lines(ruleBook(other, edition(), 4), true)).toEqual(['Everybody drives alone.']);
  });

  it('says how a car starts and drives on in a family game', () => {
    const book = ruleBook(edition({ start_rolling: true, remedy_restores_roll: true }), edition());
    expect(lines(book, true)).toEqual([
      'A car needs no Roll to start: it rolls from the first turn, and it can be hit. One distance card a turn takes it on.',
      'Accident, Out of Gas, Flat Tire and Stop bring a car to a halt. The matching remedy sets it rolling again at once; for a Stop it is a Roll.',
    ]);
    const all = [...lines(book, true), ...lines(book, false)].join(' ');
    expect(all).not.toContain('no battle card');
  });

  it('explains the usual start for a server without the family fields', () => {
    const older = edition({ start_rolling: undefined, remedy_restores_roll: undefined });
    expect(lines(ruleBook(older, older), false).join(' ')).toContain('A Roll starts your car.');
  });

  it('uses the chosen short trip', () => {
    const text = lines(ruleBook(edition(), edition(), 4, 700), false).join(' ');
    expect(text).toContain('exactly 700 miles');
  });
});
