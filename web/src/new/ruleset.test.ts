import { beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';

import { ApiError } from '../lib/api';
import type { EditionInfo, RuleInfo } from '../lib/protocol';
import { learn } from '../lib/words.svelte';
import { named, unnamed } from './known';
import { PAUSE, Ruleset, type Values } from './ruleset.svelte';
import { summary } from './summary';

const USUAL: Values = {
  max_200s: 2,
  start_rolling: false,
  extension_at: [2, 3],
  trip: { '2': 700, '4': 1000 },
  target: 5000,
  hands: 0,
};

function edition(id: string, values: Values = {}): EditionInfo {
  const all = Object.entries({ ...USUAL, ...values });
  const rules = all.map(([name, value]) => ({ name, value, means: '', source: '' }));
  const facts = { character: '', player_counts: [2, 4], teams_at: [], short_trip_at: [] };
  return { id, name: id, parent: null, ...facts, rules };
}

function rule(name: string, kind: RuleInfo['kind'], label: string): RuleInfo {
  return { name, kind, label, means: '', choices: [], least: 0, most: 4, step: 1 };
}

const KNOWN = {
  editions: [edition('winning-moves'), edition('article', { max_200s: 4 })],
  presets: [{ preset: 'family', edition: edition('house-1', { start_rolling: true }) }],
  groups: [
    {
      group: 'common',
      title: '',
      rules: [
        rule('max_200s', 'number', '200s for each side'),
        rule('start_rolling', 'switch', 'Cars start rolling'),
        rule('extension_at', 'counts', 'Extension'),
        rule('trip', 'trips', 'Length of the trip'),
        rule('target', 'points', 'Points'),
        rule('hands', 'number', 'Hands'),
      ],
    },
  ],
};

const check = vi.fn<(toml: string) => Promise<EditionInfo>>();
let rules: Ruleset;

beforeAll(() => learn('en'));
beforeEach(() => {
  vi.useFakeTimers();
  check.mockReset();
  rules = new Ruleset(KNOWN, check);
  return () => vi.useRealTimers();
});

/** The server reads what has been written so far. */
async function reads(values: Values): Promise<void> {
  check.mockResolvedValueOnce(edition('house-2', values));
  await vi.advanceTimersByTimeAsync(PAUSE);
}

describe('rules of a form', () => {
  it('are those of the edition, and nobody asks about them', async () => {
    expect(rules.value('max_200s')).toBe(2);
    expect(rules.isHouse).toBe(false);
    rules.choose('article');
    rules.rename('At the lake');
    await vi.advanceTimersByTimeAsync(PAUSE);
    expect([rules.parent, rules.value('max_200s'), rules.isHouse]).toEqual(['article', 4, false]);
    expect(check).not.toHaveBeenCalled();
  });

  it('become lines of the text by controls, and go back', async () => {
    rules.set({ max_200s: 1 });
    rules.set({ hands: 1, target: 5000 });
    expect(rules.toml).toBe('parent = "winning-moves"\nmax_200s = 1\nhands = 1\n');
    expect([rules.value('max_200s'), rules.isChecking]).toEqual([1, true]);
    await reads({ max_200s: 1, hands: 1 });
    expect(check.mock.calls).toEqual([[rules.toml]]);
    expect([rules.value('max_200s'), rules.isChecking, rules.edition?.id]).toEqual([
      1,
      false,
      'house-2',
    ]);
    expect(rules.changed.map(({ name }) => name)).toEqual(['max_200s', 'hands']);
    rules.restore('max_200s');
    expect(rules.toml).toBe('parent = "winning-moves"\nhands = 1\n');
    expect(rules.differs('max_200s')).toBe(false);
    rules.restoreAll();
    expect([rules.toml, rules.isHouse]).toEqual(['parent = "winning-moves"\n', false]);
  });

  it('write of a trip only what differs', () => {
    rules.set({ trip: { '2': 700, '4': 700 } });
    expect(rules.toml).toContain('trip = { 4 = 700 }\n');
    expect(rules.value('trip')).toEqual({ '2': 700, '4': 700 });
  });

  it('are what the server reads in a text written by hand', async () => {
    rules.edit('parent = "article"\nname = "Chez nous"\n[trip]\n2 = 1000\n');
    expect([rules.parent, rules.name]).toEqual(['article', 'Chez nous']);
    expect(rules.value('trip')).toEqual(USUAL.trip);
    await reads({ max_200s: 4, trip: { '2': 1000, '4': 1000 } });
    expect(rules.value('trip')).toEqual({ '2': 1000, '4': 1000 });
    expect(rules.changed.map(({ name }) => name)).toEqual(['trip']);
  });

  it('keep what was set if the server refuses it, and say where', async () => {
    rules.set({ max_200s: 9 });
    check.mockRejectedValueOnce(new ApiError(400, 'bad_rules', 'at most 4', 'max_200s'));
    await vi.advanceTimersByTimeAsync(PAUSE);
    expect(rules.trouble).toEqual({ sentence: 'at most 4', rule: 'max_200s', isWrong: true });
    expect([rules.value('max_200s'), rules.troubleAt('max_200s'), rules.troubleAt('trip')]).toEqual(
      [9, 'at most 4', ''],
    );
    rules.set({ max_200s: 3 });
    await reads({ max_200s: 3 });
    expect(rules.trouble).toBeNull();
  });

  it('are not wrong only because nobody could check them', async () => {
    rules.set({ max_200s: 1 });
    check.mockRejectedValueOnce(new ApiError(429, 'too_fast', 'wait a moment'));
    await vi.advanceTimersByTimeAsync(PAUSE);
    expect(rules.trouble).toEqual({ sentence: 'wait a moment', rule: null, isWrong: false });
    expect(rules.value('max_200s')).toBe(1);
  });

  it('ignore the answer to an older text', async () => {
    let answer: (found: EditionInfo) => void = () => undefined;
    rules.set({ max_200s: 1 });
    check.mockReturnValueOnce(new Promise((resolve) => (answer = resolve)));
    await vi.advanceTimersByTimeAsync(PAUSE);
    rules.set({ max_200s: 0 });
    answer(edition('late', { max_200s: 1 }));
    await vi.advanceTimersByTimeAsync(0);
    expect([rules.value('max_200s'), rules.isChecking]).toEqual([0, true]);
  });

  it('stay as the house plays them when another edition is chosen', async () => {
    rules.set({ extension_at: [] });
    await reads({ extension_at: [] });
    rules.choose('family');
    expect(rules.toml).toBe('parent = "family"\nextension_at = []\n');
    expect([rules.value('start_rolling'), rules.value('extension_at')]).toEqual([true, []]);
  });
});

describe('rules in a few words', () => {
  it('tell what differs from the edition', () => {
    rules.set({ start_rolling: true, max_200s: 1, target: 2500, extension_at: [] });
    expect(summary(rules)).toBe(
      '200s for each side: 1 · Cars start rolling · Extension: never · 2,500 points',
    );
    rules.choose('family');
    rules.set({ start_rolling: false, trip: { '2': 1000, '4': 1000 } });
    expect(summary(rules)).toContain('Length of the trip: 2: 1,000 · ');
    expect(summary(rules)).toContain('Cars start rolling: no');
  });

  it('are named after the edition if only the length differs', () => {
    rules.set({ hands: 1 });
    expect(unnamed(rules)).toBe('Winning Moves Classic · One hand');
    expect(named(rules)).toBe(
      'parent = "winning-moves"\nname = "Winning Moves Classic · One hand"\nhands = 1\n',
    );
    rules.set({ max_200s: 1 });
    expect([unnamed(rules), named(rules)]).toEqual(['House rules', rules.toml]);
    rules.rename('Lake');
    expect(named(rules)).toContain('name = "Lake"');
  });
});
