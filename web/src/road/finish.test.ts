import { expect, it } from 'vitest';

import type { SideView } from '../lib/protocol';
import { asked, handView, tableView } from '../session/testing';
import { finishOf } from './finish';

const sides = [{}, {}] as SideView[];
const ended = (what: 'next' | 'over', completed_by: number | null, winner: number | null = null) =>
  tableView({ asked: asked(9, { what, winner }), hand: handView({ sides, completed_by }) });

it('ends nothing while the hand is played', () => {
  expect(finishOf(tableView())).toBeNull();
  expect(finishOf(tableView({ asked: asked(9), hand: handView({ sides }) }))).toBeNull();
});

it('lets the car cross the line that has completed the trip', () => {
  expect(finishOf(ended('next', 1))).toEqual({ side: 1, joy: 'hand' });
});

it('celebrates nothing if the cards have run out', () => {
  expect(finishOf(ended('next', null))).toEqual({ side: null, joy: 'none' });
  expect(finishOf(ended('over', null, 1))).toEqual({ side: null, joy: 'none' });
});

it('celebrates your match more than a hand or the match of another', () => {
  expect(finishOf(ended('over', 1, 0))).toEqual({ side: 1, joy: 'match' });
  expect(finishOf(ended('over', null, 0))).toEqual({ side: null, joy: 'match' });
  expect(finishOf(ended('over', 0, 1))).toEqual({ side: 0, joy: 'hand' });
  expect(finishOf({ ...ended('over', 0, 1), you: null })).toEqual({ side: 0, joy: 'match' });
});
