import { beforeAll, beforeEach, describe, expect, it } from 'vitest';

import { prefs } from '../lib/prefs.svelte';
import type { SideView, TableView } from '../lib/protocol';
import { learn } from '../lib/words.svelte';
import { whatIsAsked } from './describe';

const NAMES = { seats: ['Ann', 'Bob'], sides: ['Ann', 'Bob'], you: 0 };

function turnOf(side: Partial<SideView>, moves: string[]): TableView {
  return {
    you: 0,
    asked: { what: 'turn', seats: [0] },
    hand: { sides: [{ hazard: null, rolling: true, limited: false, ...side }], legal_moves: moves },
  } as unknown as TableView;
}

beforeAll(async () => {
  await learn('en');
});
beforeEach(() => {
  prefs.language = 'en';
});

describe('what a turn asks', () => {
  it('names what the car needs', () => {
    const discard = 'Nothing can be played now: discard a card.';
    expect(whatIsAsked(turnOf({ rolling: false }, ['ROLL', 'x25']), NAMES)).toBe(
      'Your car needs a Roll to drive.',
    );
    expect(whatIsAsked(turnOf({ rolling: false }, ['x25']), NAMES)).toBe(
      `Your car needs a Roll to drive. ${discard}`,
    );
    expect(whatIsAsked(turnOf({ hazard: 'FLAT', rolling: false }, ['x25']), NAMES)).toBe(
      `You are stopped by Flat Tire: the remedy is Spare Tire. ${discard}`,
    );
  });

  it('names a limit on a car that can drive', () => {
    expect(whatIsAsked(turnOf({ limited: true }, ['50', 'x50']), NAMES)).toBe(
      'Speed limit: drive 25 or 50, or play another card.',
    );
    expect(whatIsAsked(turnOf({}, ['50', 'x50']), NAMES)).toBe('Play a card, or discard one.');
  });
});
