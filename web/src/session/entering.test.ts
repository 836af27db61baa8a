import { describe, expect, it } from 'vitest';

import { FINAL } from '../lib/protocol';
import { ENDS } from './entering.svelte';
import { frame, settle, tableView } from './testing';
import { live, session, world } from './testing-session';

describe('coming to a table', () => {
  it('connects a member, and shows the first picture', async () => {
    await session.begin();
    expect(session.status).toBe('connecting');
    expect(world.socket.url).toBe('ws://test/api/tables/t/socket?lang=en&past=1');
    expect(session.table).toBeNull();
    world.socket.accept();
    expect(session.status).toBe('live');
    world.socket.say(frame(10));
    await world.pass(100);
    expect(session.table).toEqual(tableView());
    expect(session.settled).toBe(true);
  });

  it('shows the table to non-members, and keeps refreshing', async () => {
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

  it('reports at once that it was sent away', async () => {
    world.view = tableView({ member: null, you: null, sent_away: true });
    await session.begin();
    expect(session.status).toBe('sent_away');
    await world.pass(600_000);
    expect([world.looks, world.sockets.length]).toEqual([1, 0]);
  });

  it('reports that it was sent away when joining', async () => {
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

  it('reports a missing table', async () => {
    world.lookStatus = 404;
    await session.begin();
    expect(session.status).toBe('missing');
    await world.pass(60_000);
    expect(world.looks).toBe(1);
  });

  it('retries if there is no answer, at once when the network is back', async () => {
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

  it('does nothing after it ended', async () => {
    const looked = session.begin();
    session.end();
    await looked;
    expect(world.sockets).toEqual([]);
  });
});

describe('losing a table', () => {
  it('knows every code after which reconnecting is pointless', () => {
    expect(Object.keys(ENDS).map(Number)).toEqual([...FINAL].sort((a, b) => a - b));
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

  it.each([4001, 'superseded'])('yields to another window: %s', async (how) => {
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

  it('can join again after losing its place', async () => {
    await live();
    world.view = tableView({ member: null, you: null });
    world.socket.say(frame(11, { member: null, you: null }));
    expect(session.status).toBe('outside');
    await session.join({ name: 'Ann' });
    expect(session.status).toBe('connecting');
    expect(world.sockets).toHaveLength(2);
  });

  it('ends when the table is closed', async () => {
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

  it('finds out on reconnecting that this device was signed out', async () => {
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

  it('looks up why it cannot connect', async () => {
    await live();
    world.socket.drop();
    world.lookStatus = 404;
    await world.pass(250);
    world.socket.drop();
    await settle();
    expect(session.status).toBe('closed');
  });

  it('asks a guest to join again whom the server no longer knows', async () => {
    await live();
    world.socket.drop();
    world.view = tableView({ member: null, you: null });
    await world.pass(250);
    world.socket.drop();
    await settle();
    expect(session.status).toBe('outside');
  });
});
