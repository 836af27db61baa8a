import { sha256 } from '@noble/hashes/sha2.js';
import { utf8ToBytes } from '@noble/hashes/utils.js';
import { beforeEach, describe, expect, it } from 'vitest';

import fixture from '../lib/fixtures/shuffle.json';
import type { Event, Fair, FairRevealed, In, TableView } from '../lib/protocol';
import { Memory, type Box } from './memory';
import { Shuffler } from './shuffler';

interface Shown {
  you: number | null;
  events: Event[];
  fair?: Fair | null;
}
type Frames = { you: number | null; fair: Fair | null; events: Event[] }[];

/** Frames of one hand, with the shuffle that stands in each. */
function framesOf(viewer: 'person' | 'watcher'): Frames {
  let fair: Fair | null = null;
  return (structuredClone(fixture[viewer]) as unknown as Shown[]).map((frame) => {
    if (frame.fair !== undefined) fair = frame.fair;
    return { ...frame, fair };
  });
}

function box(): Box {
  const kept = new Map<string, string>();
  return { getItem: (key) => kept.get(key) ?? null, setItem: (key, text) => kept.set(key, text) };
}

/** What Ann drew in the sitting that the fixture was made of: for each hand in its turn. */
function entropyOfAnn(): () => Uint8Array {
  let hand = 0;
  return () => sha256(utf8ToBytes(`ann ${++hand}`));
}

const view = (frame: Frames[number]) => frame as unknown as TableView;

let store: Box;
let said: In[];
beforeEach(() => {
  store = box();
  said = [];
});

function shuffler(entropy = entropyOfAnn()): Shuffler {
  return new Shuffler(new Memory('t', store), entropy);
}

/** Follows frames as a session does; gives what was found when the hand ended. */
function follow(frames: Frames, by = shuffler()): boolean | null | undefined {
  let found: boolean | null | undefined;
  for (const frame of frames) {
    for (const event of frame.events) {
      by.follow(event);
      if (event.type === 'fair_revealed') found = by.check(event.hand, event.transcript);
    }
    by.see(view(frame));
    const answer = by.answer(view(frame));
    if (answer !== null) said.push(answer);
  }
  return found;
}

const revealed = (frames: Frames) =>
  frames
    .flatMap(({ events }) => events)
    .find((one) => one.type === 'fair_revealed') as FairRevealed;

describe('taking part', () => {
  it('commits, then reveals, once each', () => {
    follow(framesOf('person'));
    const first = said.filter((message) => 'hand' in message && message.hand === 1);
    expect(first.map(({ type }) => type)).toEqual(['commit', 'reveal']);
    const [client] = revealed(framesOf('person')).transcript.clients as Record<string, string>[];
    expect(first[0]).toMatchObject({ commit: client?.commit });
    expect(first[1]).toMatchObject({ entropy: client?.entropy });
  });

  it('reveals nothing that another device committed to', () => {
    follow(
      framesOf('person').slice(6),
      shuffler(() => new Uint8Array(32)),
    );
    expect(said.map(({ type }) => type)).not.toContain('reveal');
  });

  it('reveals after a reload what it committed to before', () => {
    const frames = framesOf('person');
    const committed = frames.findIndex(({ fair }) => fair?.commits['0'] !== undefined);
    follow(frames.slice(0, committed));
    said = [];
    follow(
      frames.slice(committed),
      shuffler(() => new Uint8Array(32)),
    );
    expect(said[0]).toMatchObject({ type: 'reveal', hand: 1 });
  });

  it('repeats its message on a new connection', () => {
    const frame = framesOf('person').find(({ fair }) => fair !== null);
    const by = shuffler();
    const table = view(frame!);
    expect(by.answer(table)).toMatchObject({ type: 'commit', hand: 1 });
    expect(by.answer(table)).toBeNull();
    by.startAgain();
    expect(by.answer(table)).toMatchObject({ type: 'commit', hand: 1 });
  });

  it('takes no part without a seat', () => {
    follow(framesOf('watcher'));
    expect(said).toEqual([]);
  });
});

describe('checking', () => {
  it('verifies an honest shuffle', () => {
    expect(follow(framesOf('person'))).toBe(true);
    expect(follow(framesOf('watcher'), shuffler())).toBe(true);
  });

  it('still verifies after a reload in mid-hand', () => {
    const frames = framesOf('person');
    const dealt = frames.findIndex(({ events }) => events.some(({ type }) => type === 'dealt'));
    follow(frames.slice(0, dealt + 20));
    expect(follow(frames.slice(dealt), shuffler())).toBe(true);
  });

  it('gives no verdict without having seen the shuffle or the deal', () => {
    const frames = framesOf('person');
    const dealt = frames.findIndex(({ events }) => events.some(({ type }) => type === 'dealt'));
    expect(follow(frames.slice(dealt))).toBeNull();
    store = box();
    follow(frames.slice(0, dealt));
    expect(follow(frames.slice(dealt + 1), shuffler())).toBeNull();
  });

  it('gives no verdict if its own seat was too late to take part', () => {
    const frames = framesOf('watcher').map((frame) => ({ ...frame, you: 2 }));
    expect(follow(frames)).toBeNull();
  });

  it.each<[string, (frames: Frames) => void]>([
    [
      'another commitment of the server',
      (all) => all.forEach(({ fair }) => fair && (fair.commit = 'ab')),
    ],
    [
      'another commitment of a seat',
      (all) => all.forEach(({ fair }) => fair?.commits['1'] && (fair.commits['1'] = 'ab')),
    ],
    [
      'a commitment that nobody was shown',
      (all) => all.forEach(({ fair }) => fair && delete fair.commits['1']),
    ],
    [
      'another card dealt to this seat',
      (all) =>
        all.forEach(({ events }) =>
          events.forEach((one) => one.type === 'dealt' && one.hands[0]?.splice(0, 1, 'ROW')),
        ),
    ],
    [
      'another card drawn',
      (all) =>
        all.forEach(({ events }) =>
          events.forEach((one) => one.type === 'drawn' && one.seat === 0 && (one.card = 'ACE')),
        ),
    ],
    [
      'a card laid by another that was never in that hand',
      (all) => {
        const laid = all.flatMap(({ events }) => events).filter((one) => one.type === 'discarded');
        const others = laid.filter(({ seat }) => seat !== 0);
        for (const one of others) one.card = 'ROW';
      },
    ],
    [
      'a draw that was kept from us',
      (all) => {
        const frame = all.find(({ events }) =>
          events.some((one) => one.type === 'drawn' && one.seat !== 0),
        );
        frame!.events = frame!.events.filter((one) => one.type !== 'drawn');
      },
    ],
    ['a transcript that cannot be read', (all) => (revealed(all).transcript = {})],
  ])('finds %s', (_what, change) => {
    const frames = framesOf('person');
    change(frames);
    expect(follow(frames)).toBe(false);
  });
});
