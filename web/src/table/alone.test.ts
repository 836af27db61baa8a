import { expect, it } from 'vitest';

import { asked, botSeat, handView, seatView, tableView } from '../session/testing';
import { freeToContinue, isFree } from './alone.svelte';

const WINDOW = asked(7, { what: 'window', seats: [0], attacker: 1, side: 0, hazard: 'STOP' });
const attacked = (moves: string[], more = {}) =>
  tableView({
    asked: { ...WINDOW, ...more },
    hand: handView({ legal_moves: moves }),
    seats: [seatView(), botSeat()],
  });

it('continues for a person who waits for nobody and can do nothing else', () => {
  expect(freeToContinue(attacked(['-']))).toBe(7);
});

it('leaves a coup fourré to the person', () => {
  expect(freeToContinue(attacked(['ROW!', '-']))).toBeNull();
  expect(freeToContinue(attacked([]))).toBeNull();
});

it('never continues where others wait: the time would tell what is held', () => {
  expect(freeToContinue(attacked(['-'], { deadline: 1000 }))).toBeNull();
});

it('does nothing for others, or for a seat that a bot plays', () => {
  expect(freeToContinue(attacked(['-'], { seats: [1] }))).toBeNull();
  expect(freeToContinue({ ...attacked(['-']), you: null })).toBeNull();
  const away = [seatView({ away: true }), botSeat()];
  expect(freeToContinue({ ...attacked(['-']), seats: away })).toBeNull();
});

it('counts nothing down for a person among bots who can only continue', () => {
  expect(isFree(attacked(['-'], { deadline: 1000 }))).toBe(true);
  expect(isFree(attacked(['ROW!', '-'], { deadline: 1000 }))).toBe(false);
});

it('counts down where somebody else plays, watches, or is attacked', () => {
  const view = attacked(['-'], { deadline: 1000 });
  expect(isFree({ ...view, watching: ['Ida'] })).toBe(false);
  expect(isFree({ ...view, seats: [seatView(), seatView()] })).toBe(false);
  expect(isFree({ ...view, you: null })).toBe(false);
  expect(isFree({ ...view, asked: asked(8, { deadline: 1000 }) })).toBe(false);
});
