import { describe, expect, it, vi } from 'vitest';

import { prefs } from '../lib/prefs.svelte';
import { frame, settle } from './testing';
import { DRIVE, live, ROLL, session, turn, world } from './testing-session';

describe('the story', () => {
  /** A story whose frames end one by one, when they are told to. */
  function story() {
    const told: number[] = [];
    const ends: (() => void)[] = [];
    session.tellStory = (shown) => {
      told.push(shown.seq);
      return new Promise((resolve) => ends.push(resolve));
    };
    return { told, next: async () => (ends.shift()?.(), settle()) };
  }

  it('shows each picture after its story', async () => {
    await live();
    const { told, next } = story();
    const events: string[] = [];
    session.onEvents = (all) => events.push(...all.map(({ type }) => type));
    world.socket.say(frame(11, turn(1), [DRIVE])).say(frame(12, turn(2), [ROLL]));
    expect(session.newest?.asked?.decision).toBe(2);
    expect(session.table?.asked).toBeNull();
    expect(told).toEqual([11]);
    expect(events).toEqual(['played']);
    expect(session.log).toHaveLength(1);
    await next();
    expect(session.table?.asked?.decision).toBe(1);
    expect(told).toEqual([11, 12]);
    expect(session.log).toHaveLength(2);
    await next();
    expect(session.settled).toBe(true);
    expect(events).toEqual(['played', 'played']);
  });

  it('passes the pictures before and after to the story', async () => {
    await live(frame(10, turn(1)));
    const seen: unknown[] = [];
    session.tellStory = async (_frame, before, after) => {
      seen.push(before?.asked?.decision, after.asked?.decision);
    };
    world.socket.say(frame(11, turn(2), [DRIVE]));
    await settle();
    expect(seen).toEqual([1, 2]);
  });

  it('skips to the newest picture', async () => {
    await live();
    const { told } = story();
    for (const seq of [11, 12, 13]) world.socket.say(frame(seq, turn(seq), [DRIVE]));
    session.skip();
    await settle();
    expect(session.table?.asked?.decision).toBe(13);
    expect(told).toEqual([11]);
    expect(session.log).toHaveLength(3);
    world.socket.say(frame(14, turn(14), [DRIVE]));
    expect(told).toEqual([11, 14]);
  });

  it('skips stories when too many pictures are waiting', async () => {
    await live();
    const { told, next } = story();
    for (let seq = 11; seq <= 17; seq++) world.socket.say(frame(seq, turn(seq), [DRIVE]));
    await next();
    expect(told).toEqual([11, 13]);
    expect(session.table?.asked?.decision).toBe(12);
  });

  it('is skipped on a hidden page, or with animations off', async () => {
    await live();
    const { told } = story();
    world.hidden = true;
    world.socket.say(frame(11, turn(1), [DRIVE]));
    expect(session.settled).toBe(true);
    world.hidden = false;
    prefs.motion = 'off';
    world.socket.say(frame(12, turn(2), [DRIVE]));
    expect(session.settled).toBe(true);
    expect(told).toEqual([]);
  });

  it('is cut short when the page is hidden', async () => {
    await live();
    story();
    world.socket.say(frame(11, turn(1), [DRIVE]));
    world.hidden = true;
    world.left();
    await settle();
    expect(session.settled).toBe(true);
  });

  it('cannot hold up the game', async () => {
    await live();
    session.tellStory = () => new Promise(() => {});
    world.socket.say(frame(11, turn(1), [DRIVE]));
    await world.pass(6000);
    expect(session.settled).toBe(true);
    const shown = vi.spyOn(console, 'error').mockImplementation(() => {});
    session.tellStory = () => Promise.reject(new Error('stumbled'));
    world.socket.say(frame(12, turn(2), [DRIVE]));
    await settle();
    expect(session.settled).toBe(true);
    expect(shown).toHaveBeenCalledOnce();
    shown.mockRestore();
  });

  it('is skipped for a frame without events', async () => {
    await live();
    const { told } = story();
    world.socket.say(frame(11, turn(1)));
    expect(session.settled).toBe(true);
    expect(told).toEqual([]);
  });
});
