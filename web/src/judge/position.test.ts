import { describe, expect, test } from 'vitest';

import {
  emptyPosition,
  fromText,
  hasTarget,
  isWhole,
  toText,
  toToken,
  type Doing,
  type Move,
  type Position,
} from './position';

function move(seat: number, doing: Doing, card: string | null, onto = 0): Move {
  return { seat, doing, card, onto };
}

/** A position of two sides, changed in place. */
function position(change: (it: Position) => void): Position {
  const it = emptyPosition('winning-moves');
  change(it);
  return it;
}

describe('a move', () => {
  test('is written with its seat', () => {
    expect(toToken(move(0, 'play', 'ROLL'))).toBe('0:ROLL');
    expect(toToken(move(1, 'play', 'STOP', 0))).toBe('1:STOP>0');
    expect(toToken(move(0, 'discard', '25'))).toBe('0:x25');
    expect(toToken(move(3, 'coup', 'ACE'))).toBe('3:ACE!');
    expect(toToken(move(1, 'decline', null))).toBe('1:-');
  });

  test('is whole with a card, and declining needs none', () => {
    expect(isWhole(move(0, 'play', null))).toBe(false);
    expect(isWhole(move(0, 'decline', null))).toBe(true);
  });

  test('has a target only if it plays a hazard', () => {
    expect(hasTarget(move(0, 'play', 'LIM'))).toBe(true);
    expect(hasTarget(move(0, 'discard', 'LIM'))).toBe(false);
    expect(hasTarget(move(0, 'play', 'EOL'))).toBe(false);
  });
});

describe('a text', () => {
  test('holds what lies on the table, and the card in question in hand', () => {
    const text = toText(
      position((it) => {
        const [own, other] = it.sides;
        own?.safeties.push({ card: 'ACE', crosswise: true }, { card: 'ROW', crosswise: false });
        own?.speed.push('LIM');
        other?.battle.push('ROLL', 'ACC');
        it.moves.push(move(0, 'play', 'FLAT', 1));
      }),
      2,
    );
    expect(text).toBe(
      [
        'edition: winning-moves',
        'players: 2',
        'speed 0: LIM',
        'safeties 0: ACE! ROW',
        'battle 1: ROLL ACC',
        'hand 0: FLAT',
        'moves: 0:FLAT>1',
        '',
      ].join('\n'),
    );
  });

  test('names distance cards only where 200s count', () => {
    const miles = (miles: number, twos: number) =>
      toText(
        position((it) => Object.assign(it.sides[0] ?? {}, { miles, twos })),
        2,
      );
    expect(miles(675, 0)).toContain('miles 0: 675\n');
    expect(miles(675, 2)).toContain('distance 0: 200 200 100 100 75\n');
    expect(miles(0, 0)).not.toContain('miles');
  });

  test('says whose turn it is if somebody else plays first', () => {
    const first = (made: Move) =>
      toText(
        position((it) => it.moves.push(made)),
        2,
      );
    expect(first(move(1, 'play', 'ROLL'))).toContain('turn: 1\n');
    expect(first(move(0, 'play', 'ROLL'))).not.toContain('turn');
    expect(first(move(1, 'coup', 'ACE'))).not.toContain('turn');
  });

  test('leaves out moves without a card, and sides that the edition does not have', () => {
    const it = position(({ sides, moves }) => {
      sides[3]?.battle.push('ROLL');
      moves.push(move(0, 'play', null));
    });
    expect(toText(it, 2)).toBe('edition: winning-moves\nplayers: 2\n');
  });

  test('calls the players as it is told to', () => {
    const it = position(({ names }) => names.splice(1, 1, 'Léa'));
    expect(toText(it, 2)).toContain('players: 2\nseat 1: Léa\n');
    expect(toText(it, 2, ['A', 'B'])).toContain('seat 0: A\nseat 1: B\n');
  });
});

describe('reading', () => {
  test('gives back every text that the page writes', () => {
    const it = position((whole) => {
      whole.players = 4;
      whole.names[2] = 'Jean Paul';
      const [own, other] = whole.sides;
      Object.assign(own ?? {}, { miles: 500, twos: 1, autoroute: true });
      other?.battle.push('ROLL', 'STOP');
      other?.safeties.push({ card: 'TANK', crosswise: true });
      whole.hands[1] = ['25'];
      whole.moves.push(move(2, 'play', 'OUT', 1), move(1, 'decline', null), move(1, 'coup', 'ROW'));
      whole.more.push('pile: 3');
    });
    const text = toText(it, 4);
    const read = fromText(text);
    expect(read).toEqual(it);
    expect(read && toText(read, 4)).toBe(text);
  });

  test('takes the edition and the first seat as not said', () => {
    const read = fromText('battle 1: ROLL # rolling\nhand 0: STOP\n\nmoves: STOP>1');
    expect(read?.edition).toBeNull();
    expect(read?.moves).toEqual([move(0, 'play', 'STOP', 1)]);
    expect(read?.hands[0]).toEqual([]);
  });

  test('keeps lines that it cannot show', () => {
    expect(fromText('rule: max_200s = 4\nscores: 100 200\n')?.more).toEqual([
      'rule: max_200s = 4',
      'scores: 100 200',
    ]);
  });

  test.each([
    ['a card by its name', 'hand 0: Flat Tire'],
    ['a card in the wrong pile', 'battle 0: LIM'],
    ['an unknown card', 'moves: 0:BANANA'],
    ['a card that is not known', 'hand 0: ?'],
    ['a line that is none', 'what?'],
    ['several positions', 'players: 2\n---\nplayers: 2'],
    ['a move whose seat only the rules know', 'moves: 0:TANK 100'],
    ['a choice about the extension', 'moves: 0:ext'],
    ['a move with a card that is not in hand', 'hand 0: 25\nmoves: 0:50'],
    ['the turn of somebody who does not move first', 'turn: 1\nhand 0: 25\nmoves: 0:25'],
    ['a hazard without a target', 'moves: 0:STOP'],
    ['a target of something else', 'moves: 0:ROLL>1'],
    ['a seat that is not there', 'moves: 5:ROLL'],
    ['too many players', 'players: 9'],
    ['a side that is not there', 'battle 9: ROLL'],
    ['an Autoroute that is about to end', 'autoroute 0: 1'],
  ])('leaves %s to the judge', (_, text) => {
    expect(fromText(text)).toBeNull();
  });
});
