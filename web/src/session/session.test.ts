import { beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';

import { prefs } from '../lib/prefs.svelte';
import type { Event, Frame } from '../lib/protocol';
import { learn } from '../lib/words.svelte';
import { Session } from './session.svelte';
import { asked, FakeWorld, frame, handView, settle, tableView } from './testing';

const DRIVE: Event = { type: 'played', seat: 1, card: '100', side: 1, cleared: [] };
const ROLL: Event = { type: 'played', seat: 1, card: 'ROLL', side: 1, cleared: [] };
const turn = (decision: number, moves = ['x25', 'ROLL']) => ({
  asked: asked(decision),
  hand: handView({ legal_moves: moves }),
});

let world: FakeWorld;
let session: Session;

beforeAll(async () => {
  prefs.language = 'en';
  await Promise.all([learn('en'), learn('fr')]);
});
beforeEach(() => {
  prefs.motion = 'full';
  prefs.language = 'en';
  world = new FakeWorld();
  session = new Session('t', world);
});

/** A session that is live, with this picture shown. */
async function live(first: Frame = frame(10)): Promise<void> {
  await session.begin();
  world.socket.accept().say(first);
  await world.pass(200);
}

describe('coming to a table', () => {
  it('connects a member, and shows the first picture', async () => {
    await session.begin();
    expect(session.status).toBe('connecting');
    expect(world.socket.url).toBe('ws://test/api/tables/t/socket?lang=en');
    expect(session.table).toBeNull();
    world.socket.accept();
    expect(session.status).toBe('live');
    world.socket.say(frame(10));
    await world.pass(100);
    expect(session.table).toEqual(tableView());
    expect(session.settled).toBe(true);
  });

  it('lets others look, and goes on looking', async () => {
    world.view = tableView({ member: null, you: null });
    await session.begin();
    expect(session.status).toBe('outside');
    expect(session.table?.seats[0]?.name).toBe('Ann');
    expect(world.sockets).toEqual([]);
    world.view = tableView({ member: null, you: null, watching: ['Zoe'] });
    await world.pass(5000);
    expect(session.table?.watching).toEqual(['Zoe']);
    world.hidden = true;
    await world.pass(60_000);
    expect(world.looks).toBe(2);
  });

  it('connects when the person joins', async () => {
    world.view = tableView({ member: null, you: null });
    await session.begin();
    await session.join({ name: 'Ann' });
    expect(session.status).toBe('connecting');
    world.socket.accept();
    await world.pass(10_000);
    expect(world.looks).toBe(1);
  });

  it('says at once that it was sent away', async () => {
    world.view = tableView({ member: null, you: null, sent_away: true });
    await session.begin();
    expect(session.status).toBe('sent_away');
    await world.pass(600_000);
    expect([world.looks, world.sockets.length]).toEqual([1, 0]);
  });

  it('says that it was sent away when it would join', async () => {
    world.view = tableView({ member: null, you: null });
    await session.begin();
    world.joinCode = 'sent_away';
    await session.join({ name: 'Ann' });
    expect(session.status).toBe('sent_away');
    await world.pass(600_000);
    expect([world.looks, world.sockets.length]).toEqual([1, 0]);
  });

  it('passes on any other refusal to join', async () => {
    world.view = tableView({ member: null, you: null });
    await session.begin();
    world.joinCode = 'table_full';
    await expect(session.join({ name: 'Ann' })).rejects.toThrow('table_full');
    expect(session.status).toBe('outside');
  });

  it('says that there is no such table', async () => {
    world.lookStatus = 404;
    await session.begin();
    expect(session.status).toBe('missing');
    await world.pass(60_000);
    expect(world.looks).toBe(1);
  });

  it('looks again when nobody answers, at once if the network is back', async () => {
    world.lookStatus = 0;
    await session.begin();
    expect(session.status).toBe('lost');
    await world.pass(4000);
    expect(world.looks).toBe(2);
    world.lookStatus = 200;
    world.back(true);
    await settle();
    expect(session.status).toBe('connecting');
  });

  it('does nothing more once it is ended', async () => {
    const looked = session.begin();
    session.end();
    await looked;
    expect(world.sockets).toEqual([]);
  });
});

describe('coming back', () => {
  it('resumes after the last frame, and waits longer after each failure', async () => {
    await live();
    world.socket.drop();
    expect(session.status).toBe('lost');
    const waits: number[] = [];
    for (let failure = 0; failure < 8; failure++) {
      const [count, since] = [world.sockets.length, world.time];
      while (world.sockets.length === count) await world.pass(50);
      waits.push(world.time - since);
      world.socket.drop();
    }
    expect(waits).toEqual([250, 500, 1000, 2000, 4000, 8000, 8000, 8000]);
    expect(world.socket.after).toBe('10');
    expect(world.looks).toBe(1 + 8);
  });

  it('tries at once when the network or the person is back', async () => {
    await live();
    for (let failure = 0; failure < 6; failure++) {
      world.socket.drop();
      await world.pass(8000);
    }
    world.socket.drop();
    const count = world.sockets.length;
    world.back(false);
    expect(world.sockets.length).toBe(count + 1);
    world.socket.accept();
    expect(session.status).toBe('live');
  });

  it('takes in what it has missed at one go, without a story', async () => {
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

  it('ignores frames that it has seen', async () => {
    await live(frame(10, {}, [DRIVE]));
    world.socket.say(frame(10, turn(1), [DRIVE])).say(frame(9, turn(2), [DRIVE]));
    await settle();
    expect(session.log).toHaveLength(1);
    expect(session.table?.asked).toBeNull();
  });

  it('follows a server that was put back to an earlier day', async () => {
    await live(frame(50));
    world.socket.drop();
    await world.pass(250);
    world.socket.accept().say(frame(20, turn(7)));
    await world.pass(200);
    expect(session.table?.asked?.decision).toBe(7);
    world.socket.say(frame(21, turn(8)));
    expect(session.newest?.asked?.decision).toBe(8);
  });

  it('waits for a server that restarts', async () => {
    await live();
    world.socket.say({ type: 'stopping' });
    expect(session.status).toBe('stopping');
    world.socket.drop(1012);
    await world.pass(250);
    world.lookStatus = 503;
    world.socket.drop();
    await world.pass(500);
    expect(session.status).toBe('stopping');
    world.socket.accept();
    expect(session.status).toBe('live');
  });

  it('comes back by itself when it read too slowly', async () => {
    await live();
    world.socket.drop(4008);
    await world.pass(250);
    world.socket.accept();
    expect(session.status).toBe('live');
  });

  it('gives the server a rest when it said too much', async () => {
    await live();
    world.socket.drop(4429);
    await world.pass(3900);
    expect(world.sockets).toHaveLength(1);
    await world.pass(200);
    expect(world.sockets).toHaveLength(2);
  });

  it.each([4001, 'superseded'])('steps back for another window: %s', async (how) => {
    await live();
    if (how === 4001) world.socket.drop(4001);
    else world.socket.say({ type: 'superseded' });
    expect(session.status).toBe('superseded');
    await world.pass(60_000);
    expect(world.sockets).toHaveLength(1);
    session.reclaim();
    expect(session.status).toBe('connecting');
    expect(world.socket.after).toBe('10');
    world.socket.accept();
    expect(session.status).toBe('live');
  });

  it.each([4003, 'frame'])('does not come back when it was sent away: %s', async (how) => {
    await live();
    if (how === 4003) world.socket.drop(4003);
    else world.socket.say(frame(11, { member: null, you: null, sent_away: true }));
    expect(session.status).toBe('sent_away');
    world.back(true);
    await world.pass(600_000);
    expect(world.sockets).toHaveLength(1);
    expect(world.looks).toBe(1);
  });

  it('asks to be let in again when it had to make room', async () => {
    await live();
    world.view = tableView({ member: null, you: null });
    world.socket.say(frame(11, { member: null, you: null }));
    expect(session.status).toBe('outside');
    await session.join({ name: 'Ann' });
    expect(session.status).toBe('connecting');
    expect(world.sockets).toHaveLength(2);
  });

  it('ends with the table', async () => {
    await live();
    world.socket.drop(4009);
    expect(session.status).toBe('closed');
    await world.pass(60_000);
    expect(world.sockets).toHaveLength(1);
  });

  it('does not come back when this device was signed out', async () => {
    await live();
    world.socket.drop(4401);
    expect(session.status).toBe('signed_out');
    await world.pass(60_000);
    expect(world.sockets).toHaveLength(1);
    expect(world.looks).toBe(1);
  });

  it('learns when it is back that this device was signed out', async () => {
    await live();
    world.socket.drop();
    world.isSignedOut = true;
    world.view = tableView({ member: null, you: null });
    await world.pass(250);
    world.socket.drop();
    await settle();
    expect(session.status).toBe('signed_out');
    await world.pass(60_000);
    expect(world.sockets).toHaveLength(2);
    expect(world.looks).toBe(2);
  });

  it('learns by looking why it cannot connect', async () => {
    await live();
    world.socket.drop();
    world.lookStatus = 404;
    await world.pass(250);
    world.socket.drop();
    await settle();
    expect(session.status).toBe('closed');
  });

  it('asks in again whoever the server does not know any more', async () => {
    await live();
    world.socket.drop();
    world.view = tableView({ member: null, you: null });
    await world.pass(250);
    world.socket.drop();
    await settle();
    expect(session.status).toBe('outside');
  });

  it('does not trust a connection that has fallen silent', async () => {
    await live();
    const old = world.socket;
    await world.pass(60_000);
    expect(world.sockets).toHaveLength(2);
    expect(session.status).toBe('live');
    expect(old.closedWith).toBeNull();
    world.socket.accept();
    expect(old.closedWith).toBe(1000);
    old.drop(4001);
    expect(session.status).toBe('live');
  });

  it('does not trust one on which an answer stays out', async () => {
    await live(frame(10, turn(3)));
    session.move('ROLL');
    await world.pass(6000);
    expect(world.sockets).toHaveLength(2);
    world.socket.accept();
    expect(world.socket.sent).toEqual(world.sockets[0]?.sent);
  });

  it('does not wait for ever for one to open', async () => {
    await session.begin();
    await world.pass(5000);
    expect(session.status).toBe('lost');
    expect(world.socket.closedWith).not.toBeNull();
    await world.pass(250);
    expect(world.sockets).toHaveLength(2);
    await world.pass(9000);
    world.socket.accept();
    expect(session.status).toBe('live');
  });

  it('doubts a connection after another network, or a long absence', async () => {
    await live();
    world.back(false);
    expect(world.sockets).toHaveLength(1);
    world.back(true);
    expect(world.sockets).toHaveLength(2);
    world.socket.accept();
    await world.pass(30_000);
    world.back(false);
    expect(world.sockets).toHaveLength(3);
  });

  it('finds the hand in play again after a reload', async () => {
    const dealt: Event = { type: 'dealt', number: 1, dealer: 1, hands: [[], []], pile: 94 };
    await live(frame(10));
    world.socket.say(frame(11, turn(1), [dealt])).say(frame(12, turn(2), [DRIVE]));
    session.end();
    world = new FakeWorld(world.box);
    session = new Session('t', world);
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

describe('acting', () => {
  it('answers the decision with a move that there is, once', async () => {
    await live(frame(10, turn(3)));
    session.move('200');
    session.move('ROLL');
    session.move('x25');
    expect(world.socket.sent).toEqual([
      { type: 'move', decision: 3, id: expect.stringMatching(/^[\w-]{16}$/), move: 'ROLL' },
    ]);
    world.socket.say(frame(11, turn(4)));
    await settle();
    session.move('x25');
    expect(world.socket.sent).toHaveLength(2);
    expect(world.socket.sent[0]?.id).not.toBe(world.socket.sent[1]?.id);
  });

  it('does nothing while the story is being told', async () => {
    await live();
    session.tellStory = () => new Promise(() => {});
    world.socket.say(frame(11, turn(3), [DRIVE]));
    expect(session.settled).toBe(false);
    session.move('ROLL');
    expect(world.socket.sent).toEqual([]);
    session.skip();
    await settle();
    session.move('ROLL');
    expect(world.socket.sent).toHaveLength(1);
  });

  it('says a move again after a break, and is not upset if it had arrived', async () => {
    await live(frame(10, turn(3)));
    session.move('ROLL');
    const [said] = world.socket.sent;
    world.socket.drop();
    await world.pass(250);
    world.socket.accept();
    expect(world.socket.sent).toEqual([said]);
    const rejected = { type: 'rejected', sentence: '', params: {}, id: said?.id };
    const table = tableView(turn(4));
    world.socket.say(frame(11, turn(4)));
    await world.pass(200);
    world.socket.say({ ...rejected, code: 'already_done', table });
    expect(session.refusal).toBeNull();
  });

  it('is not upset either if the game has moved on', async () => {
    await live(frame(10, turn(3)));
    session.move('ROLL');
    const id = world.socket.sent[0]?.id;
    world.socket.drop();
    await world.pass(250);
    world.socket.accept();
    const rejected = { type: 'rejected', sentence: '', params: {}, id, table: null };
    world.socket.say({ ...rejected, code: 'stale_decision' });
    expect(session.refusal).toBeNull();
  });

  it('is not upset if the next hand has been dealt meanwhile', async () => {
    await live(frame(10, { asked: { ...asked(3), what: 'next' } }));
    session.send({ type: 'next', decision: 3 });
    const rejected = { type: 'rejected', sentence: '', params: {}, id: null, table: null };
    world.socket.drop();
    await world.pass(250);
    world.socket.accept();
    expect(world.socket.sent).toEqual([{ type: 'next', decision: 3 }]);
    world.socket.say({ ...rejected, code: 'stale_decision' });
    expect(session.refusal).toBeNull();
    // Without a break in between it is news.
    session.send({ type: 'next', decision: 3 });
    world.socket.say({ ...rejected, code: 'stale_decision' });
    expect(session.refusal).toMatchObject({ code: 'stale_decision' });
  });

  it('leaves when the connection is back, even if the page has gone on', async () => {
    await live();
    world.socket.drop();
    session.send({ type: 'leave' });
    session.end();
    await world.pass(250);
    world.socket.accept();
    expect(world.socket.sent).toEqual([{ type: 'leave' }]);
    const { length } = world.sockets;
    await world.pass(60_000);
    expect(world.sockets).toHaveLength(length);
  });

  it('keeps what is said while there is no connection', async () => {
    await live();
    world.socket.drop();
    session.send({ type: 'chat', text: 'hello?' });
    await world.pass(250);
    world.socket.accept();
    expect(world.socket.sent).toEqual([{ type: 'chat', text: 'hello?' }]);
    world.socket.drop();
    await world.pass(500);
    world.socket.accept();
    expect(world.socket.sent).toEqual([]);
  });

  it('says why it was refused, and shows the table as it is', async () => {
    await live(frame(10, turn(3)));
    session.move('ROLL');
    const id = world.socket.sent[0]?.id;
    const table = tableView(turn(3, ['x25']));
    const params = { card: 'ROLL' };
    world.socket.say({ type: 'rejected', code: 'not_in_hand', sentence: '?', params, id, table });
    await settle();
    expect(session.refusal).toMatchObject({
      code: 'not_in_hand',
      sentence: 'You do not hold Roll.',
    });
    expect(session.log.at(-1)).toMatchObject({ kind: 'refusal', text: 'You do not hold Roll.' });
    expect(session.table?.hand?.legal_moves).toEqual(['x25']);
    expect(session.settled).toBe(true);
    session.move('x25');
    expect(session.refusal).toBeNull();
    expect(world.socket.sent.at(-1)).toMatchObject({ decision: 3, move: 'x25' });
  });

  it('shows a hint for as long as it is for this decision', async () => {
    await live(frame(10, turn(3)));
    session.askHint();
    expect(world.socket.sent).toEqual([{ type: 'hint', decision: 3 }]);
    const hint = { type: 'hinted', move: 'ROLL', code: 'roll', params: {} };
    world.socket.say({ ...hint, decision: 2 });
    expect(session.hint).toBeNull();
    world.socket.say({ ...hint, decision: 3 });
    expect(session.hint).toMatchObject({ move: 'ROLL' });
    world.socket.say(frame(11, turn(4)));
    expect(session.hint).toBeNull();
  });

  it('sends nothing from outside', async () => {
    world.view = tableView({ member: null, you: null });
    await session.begin();
    session.send({ type: 'start' });
    await session.join({ name: 'Ann' });
    world.socket.accept();
    expect(world.socket.sent).toEqual([]);
  });
});

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

  it('shows each picture when its story has been told', async () => {
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

  it('gives the story the pictures before and after', async () => {
    await live(frame(10, turn(1)));
    const seen: unknown[] = [];
    session.tellStory = async (_frame, before, after) => {
      seen.push(before?.asked?.decision, after.asked?.decision);
    };
    world.socket.say(frame(11, turn(2), [DRIVE]));
    await settle();
    expect(seen).toEqual([1, 2]);
  });

  it('skips to the newest', async () => {
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

  it('jumps when too much is waiting', async () => {
    await live();
    const { told, next } = story();
    for (let seq = 11; seq <= 17; seq++) world.socket.say(frame(seq, turn(seq), [DRIVE]));
    await next();
    expect(told).toEqual([11, 13]);
    expect(session.table?.asked?.decision).toBe(12);
  });

  it('is not told to a page that nobody sees, or that is to be still', async () => {
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

  it('is cut short when the page is left', async () => {
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

  it('has nothing to tell of a frame without events', async () => {
    await live();
    const { told } = story();
    world.socket.say(frame(11, turn(1)));
    expect(session.settled).toBe(true);
    expect(told).toEqual([]);
  });
});

describe('the log', () => {
  it('has a line for each sentence, in the language that is chosen', async () => {
    await live();
    const safety: Event = { type: 'played', seat: 1, card: 'ROW', side: 1, cleared: ['STOP'] };
    world.socket.say(frame(11, {}, [safety]));
    expect(session.log.map(({ id, text }) => [id, text])).toEqual([
      [0, 'Léa plays Right of Way.'],
      [1, 'To the discard pile: Stop.'],
    ]);
    prefs.language = 'fr';
    expect(session.log[1]?.text).toMatch(/^À la défausse/);
  });

  it('leaves out what is no news', async () => {
    const window = asked(3, { what: 'window', attacker: 1, side: 0, hazard: 'STOP' });
    await live(frame(10, { asked: window }));
    const told = (code: string, seat: number | null = 1) =>
      ({ type: 'told', code, name: 'Bob', seat }) as Event;
    world.socket.say(
      frame(11, { asked: { ...window, attacker: 0 } }, [
        { type: 'drawn', seat: 1, card: '?' },
        { type: 'passed', side: 0, hazard: 'STOP' },
        told('fair_commit'),
        told('fair_ready', null),
        told('connected', 0),
      ]),
    );
    expect(session.log).toEqual([]);
    world.socket.say(
      frame(12, {}, [
        { type: 'drawn', seat: 0, card: '25' },
        { type: 'passed', side: 1, hazard: 'STOP' },
        told('connected'),
      ]),
    );
    expect(session.log.map(({ text, kind, mine }) => [text, kind, mine])).toEqual([
      ['You draw 25 miles.', 'event', true],
      ['No coup fourré.', 'event', false],
      ['Bob is here.', 'told', false],
    ]);
  });

  it('keeps chat and emotes with who said them', async () => {
    await live();
    world.socket.say(
      frame(11, {}, [
        { type: 'chat', member: 1, name: 'Bob', text: '<b>hi</b>' },
        { type: 'emote', member: 0, name: 'Ann', emote: 'bravo' },
      ]),
    );
    expect(session.log[0]).toMatchObject({
      kind: 'chat',
      name: 'Bob',
      text: '<b>hi</b>',
      mine: false,
    });
    expect(session.log[1]).toMatchObject({ kind: 'emote', emote: 'bravo', mine: true });
    expect(session.log[1]?.text).toBe('Bravo!');
  });

  it('keeps the newest 500 lines', async () => {
    await live();
    for (let seq = 11; seq < 611; seq++) world.socket.say(frame(seq, {}, [DRIVE]));
    expect(session.log).toHaveLength(500);
    expect(session.log.at(-1)?.id).toBe(599);
  });
});

describe('the clock', () => {
  it('is the server’s, and what comes late does not set it back', async () => {
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

  it('is taken part in by itself, and refusals of that are quiet', async () => {
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

  it('that is wrong is said to be so', async () => {
    await live();
    const revealed: Event = { type: 'fair_revealed', hand: 1, transcript: {} };
    world.socket.say(frame(11, { hand: handView({ number: 3 }) }, [revealed]));
    expect(session.verified).toEqual({ 3: false });
    expect(session.log.at(-1)).toMatchObject({ kind: 'told' });
    expect(session.log.at(-1)?.text).toMatch(/does not check out/);
  });
});
