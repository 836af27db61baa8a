import { describe, expect, it } from 'vitest';

import { asked, frame, settle, tableView } from './testing';
import { DRIVE, live, session, turn, world } from './testing-session';

describe('acting', () => {
  it('answers a decision once, with a legal move', async () => {
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

  it('does nothing during a story', async () => {
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

  it('resends a move after a break, and shows no error if it had arrived', async () => {
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

  it('shows no error either if the game has moved on', async () => {
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

  it('shows no error if the next hand has been dealt meanwhile', async () => {
    await live(frame(10, { asked: { ...asked(3), what: 'next' } }));
    session.send({ type: 'next', decision: 3 });
    const rejected = { type: 'rejected', sentence: '', params: {}, id: null, table: null };
    world.socket.drop();
    await world.pass(250);
    world.socket.accept();
    expect(world.socket.sent).toEqual([{ type: 'next', decision: 3 }]);
    world.socket.say({ ...rejected, code: 'stale_decision' });
    expect(session.refusal).toBeNull();
    // Without a break in between it is shown.
    session.send({ type: 'next', decision: 3 });
    world.socket.say({ ...rejected, code: 'stale_decision' });
    expect(session.refusal).toMatchObject({ code: 'stale_decision' });
  });

  it('leaves the table when the connection is back, even if the page has moved on', async () => {
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

  it('queues messages while there is no connection', async () => {
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

  it('shows why a move was refused, and the current table', async () => {
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

  it('counts a move as sent until the table on screen has moved on', async () => {
    await live(frame(10, turn(3)));
    session.tellStory = () => new Promise(() => {});
    session.move('ROLL');
    expect(session.sent).toBe('ROLL');
    world.socket.say({
      type: 'rejected',
      code: 'chat_too_long',
      sentence: '',
      params: {},
      id: null,
      table: null,
    });
    expect(session.sent).toBe('ROLL');
    world.socket.say(frame(11, turn(4), [DRIVE]));
    expect(session.sent).toBe('ROLL');
    // The table has it: nothing is resent after a break.
    world.socket.drop();
    await world.pass(250);
    world.socket.accept();
    expect(world.socket.sent).toEqual([]);
    session.skip();
    await settle();
    expect(session.sent).toBeNull();
  });

  it('shows a hint only during its decision', async () => {
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
