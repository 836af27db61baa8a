import { describe, expect, it } from 'vitest';

import { prefs } from '../lib/prefs.svelte';
import type { Event } from '../lib/protocol';
import { asked, frame } from './testing';
import { DRIVE, live, session, world } from './testing-session';

describe('the log', () => {
  it('has a line for each sentence, in the chosen language', async () => {
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

  it('leaves out what is not news', async () => {
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

  it('keeps chat and emotes with their authors', async () => {
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

  it('tells what a bot shows, apart from the chat', async () => {
    await live();
    world.socket.say(frame(11, {}, [{ type: 'bot_emote', seat: 1, name: 'Léa', emote: 'bravo' }]));
    expect(session.log[0]).toMatchObject({
      kind: 'reaction',
      seat: 1,
      emote: 'bravo',
      mine: false,
    });
    expect(session.log[0]?.text).toBe('Léa: Bravo!');
  });

  it('keeps the newest 1500 lines', async () => {
    await live();
    for (let seq = 11; seq < 1611; seq++) world.socket.say(frame(seq, {}, [DRIVE]));
    expect(session.log).toHaveLength(1500);
    expect(session.log.at(-1)?.id).toBe(1599);
  });

  it('has what happened before the page was opened, each line once', async () => {
    const chat = (text: string): Event => ({ type: 'chat', member: 1, name: 'Bob', text });
    const attack: Event = { type: 'played', seat: 0, card: 'STOP', side: 1, cleared: [] };
    await live(frame(10, {}, []));
    world.socket.say(frame(11, {}, [chat('new')]));
    const seats = ['Ann', 'Bob'];
    world.socket.say({
      type: 'past',
      until: 11,
      matches: [
        { seats, sides: 2, you: 1, inputs: [{ seq: 3, hand: 2, events: [attack] }] },
        {
          seats: ['Bob', 'Ann'],
          sides: 2,
          you: 0,
          inputs: [
            { seq: 5, hand: 1, events: [{ type: 'drawn', seat: 0, card: '75' }] },
            { seq: 10, hand: 1, events: [chat('old')] },
            { seq: 11, hand: 1, events: [chat('new')] },
          ],
        },
      ],
    });
    expect(session.log.map(({ id, hand, text }) => [id, hand, text])).toEqual([
      [-3, 2, 'Ann plays Stop on you.'],
      [-2, 1, 'You draw 75 miles.'],
      [-1, 1, 'old'],
      [0, 0, 'new'],
    ]);
    expect(session.drawn).toBe('75');
    expect(session.isPastKnown).toBe(true);
    world.socket.drop();
    await world.pass(250);
    expect(world.socket.url).not.toContain('past');
  });

  it('asks for the past again if the connection is lost before it has come', async () => {
    await live();
    world.socket.drop();
    await world.pass(250);
    expect(world.socket.url).toContain('&past=1');
  });

  it('tells which card was drawn last, until one is used', async () => {
    await live();
    world.socket.say(frame(11, {}, [{ type: 'drawn', seat: 0, card: '25' }]));
    expect(session.drawn).toBe('25');
    world.socket.say(frame(12, {}, [DRIVE]));
    expect(session.drawn).toBe('25');
    world.socket.say(frame(13, {}, [{ type: 'discarded', seat: 0, card: '50' }]));
    expect(session.drawn).toBeNull();
  });
});
