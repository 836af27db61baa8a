import { describe, expect, it } from 'vitest';

import { frame } from './testing';
import { live, session, turn, world } from './testing-session';

describe('a connection', () => {
  it('resumes after the last frame, and backs off after each failure', async () => {
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

  it('retries at once when the network or the person is back', async () => {
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

  it('reconnects after it read too slowly', async () => {
    await live();
    world.socket.drop(4008);
    await world.pass(250);
    world.socket.accept();
    expect(session.status).toBe('live');
  });

  it('waits longer after exceeding the rate limit', async () => {
    await live();
    world.socket.drop(4429);
    await world.pass(3900);
    expect(world.sockets).toHaveLength(1);
    await world.pass(200);
    expect(world.sockets).toHaveLength(2);
  });

  it('asks whether a silent line is alive, and keeps it if it is', async () => {
    await live();
    for (let time = 0; time < 5; time++) {
      await world.pass(5000);
      expect(world.socket.sent.at(-1)).toEqual({ type: 'ping' });
      world.socket.say({ type: 'pong' });
    }
    expect(world.sockets).toHaveLength(1);
    expect(session.status).toBe('live');
  });

  it('is lost within ten seconds if the line is cut', async () => {
    await live();
    await world.pass(8700);
    expect(session.status).toBe('live');
    await world.pass(400);
    expect(session.status).toBe('lost');
    expect(world.sockets[0]?.closedWith).not.toBeNull();
    await world.pass(250);
    expect(world.sockets).toHaveLength(2);
  });

  it('is lost at once if the network says so', async () => {
    await live();
    world.offline();
    expect(session.status).toBe('lost');
    world.offline();
    await world.pass(250);
    world.socket.accept();
    expect(session.status).toBe('live');
  });

  it('replaces a connection of a hidden page that has gone silent', async () => {
    world.hidden = true;
    await live();
    const old = world.socket;
    await world.pass(60_000);
    expect(old.sent).toEqual([]);
    expect(world.sockets).toHaveLength(2);
    expect(session.status).toBe('live');
    expect(old.closedWith).toBeNull();
    world.socket.accept();
    expect(old.closedWith).toBe(1000);
    old.drop(4001);
    expect(session.status).toBe('live');
  });

  it('replaces a connection on which an answer is missing', async () => {
    await live(frame(10, turn(3)));
    session.move('ROLL');
    await world.pass(6000);
    expect(world.sockets).toHaveLength(2);
    world.socket.accept();
    expect(world.socket.sent).toEqual(world.sockets[0]?.sent);
  });

  it('gives up a connection that does not open', async () => {
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

  it('replaces a connection after a network change or a long absence', async () => {
    await live();
    world.back(false);
    expect(world.sockets).toHaveLength(1);
    world.back(true);
    expect(world.sockets).toHaveLength(2);
    world.socket.accept();
    world.hidden = true;
    await world.pass(30_000);
    world.hidden = false;
    world.back(false);
    expect(world.sockets).toHaveLength(3);
  });
});
