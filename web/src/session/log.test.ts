import { describe, expect, it } from 'vitest';

import { prefs } from '../lib/prefs.svelte';
import type { Event, SideView } from '../lib/protocol';
import { asked, frame, handView } from './testing';
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
    const window = asked(3, { what: 'window', seats: [2], attacker: 1, side: 2, hazard: 'STOP' });
    const hand = handView({ sides: [{}, {}, {}] as SideView[] });
    await live(frame(10, { asked: window, hand }));
    const told = (code: string, seat: number | null = 1) =>
      ({ type: 'told', code, name: 'Bob', seat }) as Event;
    world.socket.say(
      frame(11, { asked: { ...window, attacker: 0 }, hand }, [
        { type: 'drawn', seat: 1, card: '?' },
        { type: 'passed', side: 2, hazard: 'STOP' },
        told('fair_commit'),
        told('fair_ready', null),
        told('connected', 0),
      ]),
    );
    expect(session.log).toEqual([]);
    world.socket.say(
      frame(12, { hand }, [
        { type: 'drawn', seat: 0, card: '25' },
        { type: 'passed', side: 2, hazard: 'STOP' },
        told('connected'),
      ]),
    );
    expect(session.log.map(({ text, kind, mine }) => [text, kind, mine])).toEqual([
      ['You draw 25 miles.', 'event', true],
      ['The attack stands.', 'event', false],
      ['Bob is here.', 'told', false],
    ]);
  });

  describe('of an attack that stands', () => {
    const sides = [{}, {}] as SideView[];
    const window = (moves: string[]) => ({
      asked: asked(3, { what: 'window', attacker: 1, side: 0, hazard: 'STOP' }),
      hand: handView({ sides, legal_moves: moves }),
    });
    const turn = { asked: asked(4), hand: handView({ sides }) };
    const passed: Event = { type: 'passed', side: 0, hazard: 'STOP' };
    const texts = () => session.log.map(({ text }) => text);

    it('says that you let it stand if your time ran out with the answer in your hand', async () => {
      await live(frame(10, window(['ROW!', '-'])));
      expect(session.hasAnswer).toBe(true);
      world.socket.say(frame(11, turn, [passed]));
      expect(texts()).toEqual(['You let it stand.']);
    });

    it('says so, too, if you answered before the others did', async () => {
      await live(frame(10, window(['ROW!', '-'])));
      world.socket.say(frame(11, { ...window([]), continued: [0] }));
      await world.pass(10);
      expect(session.hasAnswer).toBe(true);
      world.socket.say(frame(12, turn, [passed]));
      await world.pass(10);
      expect(texts()).toEqual(['You let it stand.']);
      expect(session.hasAnswer).toBe(false);
    });

    it('says only that it stands if you could do nothing but go on', async () => {
      await live(frame(10, window(['-'])));
      expect(session.hasAnswer).toBe(false);
      world.socket.say(frame(11, { ...window([]), continued: [0] }));
      expect(session.hasAnswer).toBe(false);
      world.socket.say(frame(12, turn, [passed]));
      expect(texts()).toEqual(['The attack stands.']);
    });

    it('does not take an earlier chance for one in this window', async () => {
      await live(frame(10, window(['ROW!', '-'])));
      // Back to before it, and the same decision comes again in another way.
      world.socket.say(frame(11, window(['-'])));
      world.socket.say(frame(12, turn, [passed]));
      expect(texts()).toEqual(['The attack stands.']);
    });

    it('says of the past what is true in any case', async () => {
      await live(frame(10));
      const inputs = [{ seq: 3, hand: 2, events: [passed] }];
      const matches = [{ seats: ['Ann', 'Bob'], sides: 2, you: 0, inputs }];
      world.socket.say({ type: 'past', until: 10, matches });
      expect(texts()).toEqual(['The attack stands.']);
    });
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
