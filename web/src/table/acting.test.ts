import { describe, expect, it } from 'vitest';

import type { Asked, HandView, TableView } from '../lib/protocol';
import { Acting, type Played } from './acting.svelte';

function hand(more: Partial<HandView> = {}): HandView {
  return {
    number: 1,
    dealer: 1,
    trip: 700,
    caller: null,
    completed_by: null,
    began_empty: false,
    pile: 50,
    discard: [],
    sides: [0, 1, 2].map(() => ({
      battle: [],
      speed: [],
      distance: [],
      safeties: [],
      crosswise: [],
      autoroute: null,
      miles: 0,
      rolling: false,
      limited: false,
      hazard: null,
      points: 0,
      earned: {},
    })),
    cards: ['100', 'STOP', '100', 'ACE'],
    legal_moves: ['100', 'STOP>1', 'STOP>2', 'ACE', 'x100', 'xSTOP', 'xACE'],
    refused: [],
    stakes: [],
    doubts: { xACE: 'safety' },
    sheets: null,
    ...more,
  };
}

function asked(more: Partial<Asked> = {}): Asked {
  return {
    what: 'turn',
    seats: [0],
    decision: 7,
    deadline: null,
    attacker: null,
    side: null,
    hazard: null,
    winner: null,
    stall: null,
    ...more,
  };
}

function sitting(more: Partial<TableView> = {}) {
  const table = { you: 0, seats: [{}], asked: asked(), hand: hand(), ...more } as TableView;
  const moves: string[] = [];
  const session = {
    table,
    settled: true as boolean,
    sent: null as string | null,
    move(token: string) {
      moves.push(token);
      session.sent = token;
    },
  } satisfies Played;
  return { acting: new Acting(session), session, moves };
}

describe('acting', () => {
  it('chooses a card by a tap and plays it by a second tap', () => {
    const { acting, moves } = sitting();
    acting.tap('100#0');
    expect(acting.selected).toBe('100#0');
    expect(moves).toEqual([]);
    acting.tap('100#0');
    expect(moves).toEqual(['100']);
  });

  it('waits for a target if there are several', () => {
    const { acting, moves } = sitting();
    acting.tap('STOP#0');
    acting.tap('STOP#0');
    expect(moves).toEqual([]);
    expect(acting.drops('STOP')).toEqual({
      'side-1': 'STOP>1',
      'side-2': 'STOP>2',
      discard: 'xSTOP',
    });
    acting.act('STOP>2');
    expect(moves).toEqual(['STOP>2']);
  });

  it('asks before a move that is probably a mistake', () => {
    const { acting, moves } = sitting();
    acting.act('xACE');
    expect(moves).toEqual([]);
    expect(acting.question).toEqual({ token: 'xACE', doubt: 'safety' });
    acting.answer(false);
    expect(moves).toEqual([]);
    acting.act('xACE');
    acting.answer(true);
    expect(moves).toEqual(['xACE']);
  });

  it('answers a decision once, and again only after a refusal', () => {
    const { acting, session, moves } = sitting();
    acting.act('100');
    acting.act('100');
    expect(moves).toEqual(['100']);
    expect(acting.isTurn).toBe(false);
    session.sent = null;
    acting.act('100');
    expect(moves).toEqual(['100', '100']);
  });

  it('does nothing out of turn, unsettled, or as a spectator', () => {
    const others = sitting({ asked: asked({ seats: [1] }) });
    others.acting.tap('100#0');
    expect(others.acting.selected).toBeNull();
    const behind = sitting();
    behind.session.settled = false;
    behind.acting.act('100');
    expect(behind.moves).toEqual([]);
    expect(sitting({ you: null }).acting.isAsked).toBe(false);
  });

  it('never makes a move that is not offered', () => {
    const { acting, moves } = sitting();
    acting.act('200');
    expect(moves).toEqual([]);
  });

  it('answers a window without a turn', () => {
    const window = asked({ what: 'window', attacker: 1, side: 0, hazard: 'ACC' });
    const { acting, moves } = sitting({
      asked: window,
      hand: hand({ legal_moves: ['ACE!', '-'] }),
    });
    expect(acting.isAsked).toBe(true);
    expect(acting.isTurn).toBe(false);
    expect(acting.drops('100')).toEqual({});
    acting.act('ACE!');
    expect(moves).toEqual(['ACE!']);
  });
});
