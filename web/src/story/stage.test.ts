import { expect, it } from 'vitest';

import { cardBox, moved } from './stage';

it('puts a card in the middle of a place of any shape', () => {
  expect(cardBox({ left: 0, top: 0, width: 50, height: 70 })).toEqual({
    left: 0,
    top: 0,
    width: 50,
    height: 70,
  });
  expect(cardBox({ left: 10, top: 10, width: 200, height: 70 })).toEqual({
    left: 85,
    top: 10,
    width: 50,
    height: 70,
  });
});

it('moves a card to where it comes from', () => {
  const to = { left: 100, top: 100, width: 50, height: 70 };
  const from = { left: 0, top: 0, width: 100, height: 140 };
  expect(moved(from, to)).toBe('translate(-75px, -65px) scale(2)');
  expect(moved(to, to)).toBe('translate(0px, 0px) scale(1)');
});
