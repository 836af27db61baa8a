import { load } from 'millebornes:words';
import { describe, expect, test } from 'vitest';

import { drawingsOf } from '../cards/art';
import { kindOf, sortHand } from './cards';
import { FAMILIES, MEMO } from './protocol';

const LANGUAGES = [await load('en'), await load('fr')];
const CODES = Object.keys(LANGUAGES[0]?.cards ?? {});

describe('every card of the words', () => {
  test.each(CODES.filter((code) => code !== '?'))(
    '%s has a kind, a sign and a short label',
    (code) => {
      expect(kindOf(code)).not.toBe('unknown');
      expect(drawingsOf(code).length).toBeGreaterThan(1);
      for (const words of LANGUAGES) expect(words.web.short?.[code]?.length).toBeLessThanOrEqual(8);
    },
  );

  test('has its own sign', () => {
    const drawn = CODES.map((code) => JSON.stringify(drawingsOf(code)));
    expect(new Set(drawn).size).toBe(CODES.length);
  });
});

test('an unknown card has no kind', () => {
  expect(kindOf('?')).toBe('unknown');
  expect(kindOf('of a newer server')).toBe('unknown');
});

test('the memo names a hazard, its remedy and its safety', () => {
  for (const { hazard, remedy, safety } of MEMO) {
    expect([hazard, remedy, safety].map(kindOf)).toEqual(['hazard', 'remedy', 'safety']);
  }
});

describe('a hand is shown', () => {
  test('with the longest distance first and hazards last', () => {
    const cards = ['STOP', '25', 'ACE', 'ROLL', '200'];
    expect(sortHand(cards).map((index) => cards[index])).toEqual([
      '200',
      '25',
      'ROLL',
      'ACE',
      'STOP',
    ]);
  });

  test('with equal cards in the order in which they were drawn', () => {
    expect(sortHand(['50', 'ROLL', '50', 'ROLL'])).toEqual([0, 2, 1, 3]);
  });

  test('with every known card before unknown ones', () => {
    const cards = ['?', ...Object.values(FAMILIES).flat()];
    expect(sortHand(cards).at(-1)).toBe(0);
  });

  test('with unknown cards at the end', () => {
    expect(sortHand(['?', 'LIM', '?'])).toEqual([1, 0, 2]);
  });
});
