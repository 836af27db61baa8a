import { beforeAll, describe, expect, it } from 'vitest';

import { rulesOf } from '../lib/figures';
import { prefs } from '../lib/prefs.svelte';
import type { EditionInfo, HandView, Sheet } from '../lib/protocol';
import { learn } from '../lib/words.svelte';
import { LINES, countedLines, lineHelp, madeOf } from './scoring';

function rules(values: Record<string, unknown>) {
  const fields = Object.entries(values).map(([name, value]) => ({
    name,
    value,
    means: '',
    source: '',
  }));
  return rulesOf({ rules: fields } as unknown as EditionInfo);
}

const CLASSIC = {
  safety_points: 100,
  all_four_points: 300,
  coup_fourre_points: 300,
  trip_points: 400,
  delayed_action_points: 300,
  safe_trip_points: 300,
  shut_out: 'all',
  shut_out_points: 500,
  extension_points: 200,
  extension_at: [2, 3, 6],
  extension_if_caller_completes: 'caller',
  extension_if_other_completes: 'each_opponent',
  extension_if_nobody_completes: 'each_opponent',
  target: 5000,
  hands: 0,
};

beforeAll(async () => {
  prefs.language = 'en';
  await learn('en');
});

describe('the score sheet', () => {
  it('leaves out lines that an edition does not count', () => {
    expect(countedLines(rules(CLASSIC), 2)).toContain('extension');
    expect(countedLines(rules(CLASSIC), 4)).not.toContain('extension');
    const without = countedLines(rules({ ...CLASSIC, all_four_points: 0 }), 2);
    expect(without).not.toContain('all_four');
    expect(without).toContain('miles');
    expect(countedLines(null, 4)).toEqual(LINES);
  });

  it('explains a line with the figures of the edition', () => {
    expect(lineHelp('safeties', rules({ ...CLASSIC, safety_points: 150 }))).toContain('150');
    expect(lineHelp('combined', rules(CLASSIC))).toContain('5000');
    const each = lineHelp('shut_out', rules({ ...CLASSIC, shut_out: 'each' }));
    expect(each).not.toBe(lineHelp('shut_out', rules(CLASSIC)));
    expect(lineHelp('extension', rules(CLASSIC))).toMatch(/200.*opponents/);
    const nobody = { ...CLASSIC, extension_if_other_completes: 'nobody' };
    expect(lineHelp('extension', rules(nobody))).toContain('If nobody completes it');
  });

  it('has words for every line', () => {
    const side = { safeties: ['ACE'], crosswise: ['ACE'], distance: ['100'], miles: 100 };
    const hand = { sides: [side, side], completed_by: 0 } as unknown as HandView;
    const sheet = Object.fromEntries(LINES.map((line) => [line, 1])) as unknown as Sheet;
    for (const line of LINES) {
      expect(lineHelp(line, rules(CLASSIC)), line).toMatch(/ /);
      expect(madeOf(line, 0, hand, sheet), line).toMatch(/ /);
    }
  });

  it('explains where the points came from', () => {
    const side = { safeties: ['ACE', 'ROW'], crosswise: ['ACE'], distance: ['100'], miles: 100 };
    const blank = { safeties: [], crosswise: [], distance: [], miles: 0 };
    const hand = { sides: [side, blank], completed_by: 0 } as unknown as HandView;
    const sheet = { miles: 100, safeties: 200, coups_fourres: 300, trip: 0 } as Sheet;
    expect(madeOf('safeties', 0, hand, sheet)).toBe('2 safeties');
    expect(madeOf('coups_fourres', 0, hand, sheet)).toBe('1 coup fourré');
    expect(madeOf('trip', 0, hand, sheet)).toBeNull();
  });
});
