import { describe, expect, it } from 'vitest';

import {
  cardOf,
  coupFourreIn,
  discardOf,
  dropName,
  keysOf,
  pilesOf,
  playsOf,
  targetOf,
} from './moves';

const MOVES = ['ROLL', '100', 'STOP>1', 'STOP>2', 'xROLL', 'x100', 'xSTOP', 'ACE'];

describe('moves', () => {
  it('names the card of a move', () => {
    expect(['ROLL', 'STOP>12', 'x25', 'ACE!', 'x?', '-', 'ext', 'end'].map(cardOf)).toEqual([
      'ROLL',
      'STOP',
      '25',
      'ACE',
      '?',
      null,
      null,
      null,
    ]);
  });

  it('finds the target of a move', () => {
    expect(targetOf('ROLL')).toEqual({ kind: 'own' });
    expect(targetOf('STOP>2')).toEqual({ kind: 'side', side: 2 });
    expect(targetOf('x25')).toEqual({ kind: 'discard' });
    expect(['ACE!', '-', 'ext', 'end'].map(targetOf)).toEqual([null, null, null, null]);
  });

  it('finds the plays of a card, not those of a card with a similar code', () => {
    expect(playsOf('STOP', MOVES).map((option) => option.token)).toEqual(['STOP>1', 'STOP>2']);
    expect(playsOf('100', MOVES).map((option) => option.token)).toEqual(['100']);
    expect(playsOf('10', MOVES)).toEqual([]);
    expect(discardOf('100', MOVES)).toBe('x100');
    expect(discardOf('ACE', MOVES)).toBeNull();
  });

  it('finds the coup fourré', () => {
    expect(coupFourreIn(['-', 'ACE!'])).toBe('ACE!');
    expect(coupFourreIn(['-'])).toBeNull();
  });

  it('names drop zones', () => {
    expect(dropName({ kind: 'own' }, 3)).toBe('side-3');
    expect(dropName({ kind: 'side', side: 1 }, 3)).toBe('side-1');
    expect(dropName({ kind: 'discard' }, 3)).toBe('discard');
  });
});

describe('piles and hands', () => {
  it('counts distance piles by value', () => {
    expect(pilesOf(['25', '200', '25'])).toEqual([
      { card: '25', count: 2 },
      { card: '50', count: 0 },
      { card: '75', count: 0 },
      { card: '100', count: 0 },
      { card: '200', count: 1 },
    ]);
  });

  it('gives equal cards different keys', () => {
    expect(keysOf(['100', 'ROLL', '100'])).toEqual(['100#0', 'ROLL#0', '100#1']);
  });
});
