import { expect, it } from 'vitest';

import type { Event } from '../lib/protocol';
import { drawnIn } from './past';

const drawn: Event = { type: 'drawn', seat: 0, card: '25' };

it('knows the card drawn last, until one is used or a decision is taken back', () => {
  expect(drawnIn([drawn], 0)).toBe('25');
  expect(drawnIn([drawn], 1)).toBeUndefined();
  expect(drawnIn([drawn, { type: 'discarded', seat: 0, card: '50' }], 0)).toBeNull();
  const back: Event = { type: 'told', code: 'went_back', seat: 0, name: 'Ann' };
  expect(drawnIn([drawn, back], 0)).toBeNull();
});
