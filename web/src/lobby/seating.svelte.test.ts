import { flushSync } from 'svelte';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';

import { AGAIN } from '../bots/catalogue.svelte';
import { planFor } from '../lib/plan';
import type { Rejected, SeatView } from '../lib/protocol';
import { botSeat as bot, frame, seatView } from '../session/testing';
import { live, session, world } from '../session/testing-session';
import { seatingAt } from './seating.svelte';

const person = seatView({ member: 0 });
const free = seatView({ kind: 'empty', name: '' });
const lobby = (seq: number, ...seats: SeatView[]) =>
  frame(seq, { phase: 'lobby', seats: [person, ...seats] });

let seating: ReturnType<typeof seatingAt>;
let leave: () => void;

beforeEach(() => void vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] }));
afterEach(() => {
  leave();
  vi.useRealTimers();
});

/** The lobby of a table with two free seats. */
async function open(): Promise<void> {
  leave = $effect.root(() => {
    seating = seatingAt(session);
  });
  await live(lobby(10, free, free));
  flushSync();
}
function refuse(code: string): void {
  const rejected: Rejected = {
    type: 'rejected',
    id: null,
    code,
    params: {},
    sentence: 'Not yet.',
    table: null,
  };
  world.socket.say(rejected);
  flushSync();
}
function show(...seats: SeatView[]): void {
  world.socket.say(lobby(11, ...seats));
  flushSync();
}
/** What was sent since the last look. */
const sent = () => world.socket.sent.splice(0);
const add = (at: number, level: string) => ({ type: 'add_bot', seat: at, level });

describe('seating the bots of a new table', () => {
  it('starts once all have sat down', async () => {
    planFor('t', { bots: ['learner', 'commuter'], start: true });
    await open();
    expect(sent()).toEqual([add(1, 'learner'), add(2, 'commuter')]);
    show(bot('learner'), free);
    expect(sent()).toEqual([]);
    world.socket.say(lobby(12, bot('learner'), bot('commuter')));
    flushSync();
    expect(sent()).toEqual([{ type: 'start' }]);
    // Until the cards are dealt there is nothing to see.
    expect(seating.isStarting).toBe(true);
  });

  it('leaves the start to the host if people are expected', async () => {
    planFor('t', { bots: ['learner'], start: false });
    await open();
    show(bot('learner'), free);
    expect(sent()).toEqual([add(1, 'learner')]);
    expect([seating.isStarting, seating.isBusy]).toEqual([false, false]);
  });

  it('asks again for a level that is warming up, and says whom it waits for', async () => {
    planFor('t', { bots: ['learner', 'commuter'], start: true });
    await open();
    sent();
    refuse('level_warming_up');
    show(bot('learner'), free);
    refuse('level_warming_up');
    expect([seating.cold, seating.isStarting]).toEqual(['commuter', true]);
    vi.advanceTimersByTime(AGAIN);
    flushSync();
    expect(sent()).toEqual([add(2, 'commuter')]);
    expect(seating.cold).toBe('commuter');
    // The wait is no story for the log.
    expect(session.log).toEqual([]);
    world.socket.say(lobby(12, bot('learner'), bot('commuter')));
    flushSync();
    expect(sent()).toEqual([{ type: 'start' }]);
    expect(seating.cold).toBeNull();
  });

  it('gives up when it is refused for another reason: then the lobby is shown', async () => {
    planFor('t', { bots: ['learner', 'nobody'], start: true });
    await open();
    sent();
    refuse('no_such_level');
    vi.advanceTimersByTime(10 * AGAIN);
    flushSync();
    expect(sent()).toEqual([]);
    expect([seating.isStarting, seating.isBusy]).toEqual([false, false]);
  });

  it('fills a table when the host asks for it', async () => {
    await open();
    expect(sent()).toEqual([]);
    seating.fill(['commuter', 'commuter']);
    flushSync();
    expect(sent()).toEqual([add(1, 'commuter'), add(2, 'commuter')]);
    expect([seating.isBusy, seating.isStarting]).toEqual([true, false]);
    // Nobody has to wait for a level that is warming up: the host may choose another.
    refuse('level_warming_up');
    expect(seating.cold).toBe('commuter');
    seating.fill(['learner', 'learner']);
    flushSync();
    expect(sent()).toEqual([add(1, 'learner'), add(2, 'learner')]);
    show(bot('learner'), bot('learner'));
    expect(sent()).toEqual([{ type: 'start' }]);
    vi.advanceTimersByTime(10 * AGAIN);
    flushSync();
    expect(sent()).toEqual([]);
  });
});
