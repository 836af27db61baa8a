import { beforeEach, describe, expect, it } from 'vitest';

import { prefs } from '../lib/prefs.svelte';
import type { SeatView, SideView, TableView } from '../lib/protocol';
import { asked, botSeat as bot, handView, seatView, tableView } from '../session/testing';
import { beatenAt, nextLevel, noteWin, usualLevel } from './ladder';

const LEVELS = ['learner', 'sunday-driver', 'commuter'];
const person = seatView({ member: 0 });

/** A match that the first of these seats has won. */
function won(seats: SeatView[], decision = 9, sides = seats.length): TableView {
  return tableView({
    phase: 'over',
    seats,
    players: seats.length,
    levels: LEVELS,
    asked: asked(decision, { what: 'over', winner: 0 }),
    hand: handView({ sides: Array.from({ length: sides }, () => ({}) as SideView) }),
  });
}
const against = (...levels: string[]) => [person, ...levels.map(bot)];

/** Wins so many matches against a level, and returns what was offered after each. */
function win(level: string, matches: number, id = level): (string | null)[] {
  return Array.from({ length: matches }, (_, at) => noteWin(id, won(against(level), at)));
}

beforeEach(() => Object.assign(prefs, { lastBots: [], wins: {}, lastWin: '', offered: [] }));

describe('the level to begin with', () => {
  it('is the gentlest for whoever is new', () => {
    expect(usualLevel(LEVELS)).toBe('learner');
  });

  it('is the last choice later, if this server has it', () => {
    prefs.lastBots = ['commuter'];
    expect(usualLevel(LEVELS)).toBe('commuter');
    expect(usualLevel(['learner', 'sunday-driver'])).toBe('learner');
    expect(usualLevel([])).toBe('');
  });
});

describe('a win', () => {
  it('is over the strongest of the rivals', () => {
    expect(beatenAt(won(against('learner')))).toBe('learner');
    expect(beatenAt(won(against('learner', 'commuter', 'learner')))).toBe('commuter');
  });

  it('does not depend on the partner', () => {
    const seats = against('learner', 'commuter', 'learner');
    expect(beatenAt(won(seats, 9, 2))).toBe('learner');
  });

  it('counts only alone with bots of the ladder, at the wheel, and as a winner', () => {
    expect(beatenAt(won([person, { ...person, member: 1 }]))).toBeNull();
    expect(beatenAt(won([person, person, bot('learner')], 9))).toBeNull();
    expect(beatenAt(won(against('my-bot')))).toBeNull();
    expect(beatenAt(won([{ ...person, away: true }, bot('learner')]))).toBeNull();
    const table = won(against('learner'));
    expect(beatenAt({ ...table, phase: 'playing' })).toBeNull();
    expect(beatenAt({ ...table, you: 1 })).toBeNull();
    expect(beatenAt({ ...table, you: null })).toBeNull();
    expect(beatenAt({ ...table, asked: asked(9, { what: 'over', winner: null }) })).toBeNull();
  });

  it('counts once, also after a reload', () => {
    const table = won(against('learner'));
    noteWin('t', table);
    noteWin('t', table);
    expect(prefs.wins).toEqual({ learner: 1 });
    noteWin('another', table);
    expect(prefs.wins).toEqual({ learner: 2 });
  });
});

describe('the next level', () => {
  it('is offered after three wins, once', () => {
    expect(win('learner', 5)).toEqual([null, null, 'sunday-driver', null, null]);
    expect(win('sunday-driver', 4)).toEqual([null, null, 'commuter', null]);
  });

  it('is marked until it is beaten', () => {
    win('learner', 2);
    expect(nextLevel(LEVELS)).toBeNull();
    win('learner', 1, 'later');
    expect(nextLevel(LEVELS)).toBe('sunday-driver');
    win('sunday-driver', 1);
    expect(nextLevel(LEVELS)).toBeNull();
    win('sunday-driver', 2, 'later');
    expect(nextLevel(LEVELS)).toBe('commuter');
  });

  it('is not offered to whoever is beyond it', () => {
    win('commuter', 1);
    expect(win('learner', 3)).toEqual([null, null, null]);
  });

  it('does not exist above the last, nor on a server without it', () => {
    expect(win('commuter', 3)).toEqual([null, null, null]);
    prefs.wins = { 'sunday-driver': 3 };
    expect(nextLevel(['learner', 'sunday-driver'])).toBeNull();
  });
});
