import { expect, it } from 'vitest';

import { resultOf } from './result';

const game = { game: 'g', ended: 0, edition: 'article', edition_name: null };

it('names the winner first', () => {
  const result = resultOf({ ...game, names: ['Ann', 'Léa'], totals: [3200, 5100] });
  expect(result.map(({ name, won }) => [name, won])).toEqual([
    ['Léa', true],
    ['Ann', false],
  ]);
});

it('names partners together', () => {
  const names = ['A', 'B', 'C', 'D'];
  const result = resultOf({ ...game, names, totals: [5000, 4000] });
  expect(result.map(({ name }) => name)).toEqual(['A & C', 'B & D']);
});

it('handles a draw, and a game without a result', () => {
  const result = resultOf({ ...game, names: ['A', 'B'], totals: [5000, 5000] });
  expect(result.some(({ won }) => won)).toBe(false);
  expect(resultOf({ ...game, names: ['A', 'B'], totals: [] })).toEqual([]);
});
