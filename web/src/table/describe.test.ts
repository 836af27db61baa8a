import { beforeAll, beforeEach, describe, expect, it } from 'vitest';

import { prefs } from '../lib/prefs.svelte';
import type { HandView, SideView, TableView } from '../lib/protocol';
import { learn } from '../lib/words.svelte';
import { choiceText, whatIsAsked } from './describe';

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

describe('what a safety is good for', () => {
  const about = (card: string, side: Partial<SideView>) => {
    const hand = turnOf(side, [card, `x${card}`]).hand as HandView;
    return choiceText(card, hand, NAMES, new Map([['row_replaces_roll', true]]));
  };

  it('is what it ends now, before what it guards against', () => {
    expect(about('TANK', { hazard: 'OUT', rolling: false })).toBe(
      'Ends Out of Gas now and for good, and you play again.',
    );
    expect(about('ROW', { hazard: 'STOP', limited: true, rolling: false })).toBe(
      'Ends Stop and Speed Limit now and for good, and you play again.',
    );
  });

  it('is a guard where it ends nothing', () => {
    expect(about('TANK', { hazard: 'FLAT', rolling: false })).toMatch(/^Guards you against/);
    expect(about('ROW', { rolling: false })).toMatch(/^Replaces the Roll/);
  });
});
