import { describe, expect, it, vi } from 'vitest';

import type { Event } from '../lib/protocol';
import { frame, handView, settle } from './testing';
import { DRIVE, live, reload, ROLL, session, turn, world } from './testing-session';

describe('frames', () => {
  it('catches up on missed frames at once, without a story', async () => {
    await live(frame(10));
    session.tellStory = vi.fn(async () => {});
    session.onEvents = vi.fn();
    world.socket.drop();
    await world.pass(250);
    world.socket.accept();
    for (let seq = 11; seq <= 60; seq++) world.socket.say(frame(seq, turn(seq), [DRIVE]));
    expect(session.table?.asked).toBeNull();
    await world.pass(100);
    expect(session.table?.asked?.decision).toBe(60);
    expect(session.tellStory).not.toHaveBeenCalled();
    expect(session.onEvents).not.toHaveBeenCalled();
    expect(session.log).toHaveLength(50);
    world.socket.say(frame(61, turn(61), [ROLL]));
    expect(session.tellStory).toHaveBeenCalledOnce();
  });

  it('ignores frames it has already seen', async () => {
    await live(frame(10, {}, [DRIVE]));
    world.socket.say(frame(10, turn(1), [DRIVE])).say(frame(9, turn(2), [DRIVE]));
    await settle();
    expect(session.log).toHaveLength(1);
    expect(session.table?.asked).toBeNull();
  });

  it('follows a server restored from a backup', async () => {
    await live(frame(50));
    world.socket.drop();
    await world.pass(250);
    world.socket.accept().say(frame(20, turn(7)));
    await world.pass(200);
    expect(session.table?.asked?.decision).toBe(7);
    world.socket.say(frame(21, turn(8)));
    expect(session.newest?.asked?.decision).toBe(8);
  });

  it('replays the current hand after a reload', async () => {
    const dealt: Event = { type: 'dealt', number: 1, dealer: 1, hands: [[], []], pile: 94 };
    await live(frame(10));
    world.socket.say(frame(11, turn(1), [dealt])).say(frame(12, turn(2), [DRIVE]));
    reload();
    await session.begin();
    expect(world.socket.after).toBe('10');
    world.socket
      .accept()
      .say(frame(11, turn(1), [dealt]))
      .say(frame(12, turn(2), [DRIVE]));
    await world.pass(100);
    expect(session.log.map(({ text }) => text)).toEqual([
      'Hand 1: Léa deals.',
      'Léa plays 100 miles.',
    ]);
  });
});

describe('the clock', () => {
  it('is the server’s, and late frames do not set it back', async () => {
    await live(frame(10, {}, [], 5_000_000));
    const shown = session.serverNow();
    expect(shown).toBe(5_000_000 + 200);
    world.socket.say(frame(11, {}, [], 5_000_100));
    expect(session.serverNow()).toBe(shown);
    await world.pass(1000);
    expect(session.serverNow()).toBe(shown + 1000);
    world.socket.say(frame(12, {}, [], 5_002_000));
    expect(session.serverNow()).toBe(5_002_000);
  });
});

describe('the shuffle', () => {
  const ctx = 'MB-FAIR-1|g|1|winning-moves|00';
  const fair = { hand: 1, ctx, commit: 'ab', deadline: null, commits: {} };

  it('runs automatically, and its refusals are not shown', async () => {
    await live();
    world.socket.say(frame(11, { fair: { ...fair, stage: 'commit' } }));
    expect(world.socket.sent).toMatchObject([{ type: 'commit', hand: 1 }]);
    const commits = { 0: String(world.socket.sent[0]?.commit) };
    const rejected = { type: 'rejected', sentence: '', params: {}, id: null, table: null };
    world.socket.say({ ...rejected, code: 'shuffle_moved_on' });
    expect(session.refusal).toBeNull();
    world.socket.say(frame(12, { fair: { ...fair, stage: 'reveal', commits } }));
    expect(world.socket.sent[1]).toEqual({ type: 'reveal', hand: 1, entropy: '01'.repeat(32) });
  });

  it('is reported if it does not check out', async () => {
    await live();
    const revealed: Event = { type: 'fair_revealed', hand: 1, transcript: {} };
    world.socket.say(frame(11, { hand: handView({ number: 3 }) }, [revealed]));
    expect(session.verified).toEqual({ 3: false });
    expect(session.log.at(-1)).toMatchObject({ kind: 'told' });
    expect(session.log.at(-1)?.text).toMatch(/does not check out/);
  });
});
