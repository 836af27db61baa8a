import { afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';

import { ApiError } from '../lib/api';
import type { PadScores, ScorePad } from '../lib/protocol';
import { learn } from '../lib/words.svelte';
import { encode, encodeDraft } from './code';
import { question, type Draft, type Match } from './match';
import { Pad } from './pad.svelte';

const MATCH: Match = {
  edition: 'winning-moves',
  toml: null,
  teams: false,
  short: false,
  dealer: 0,
  names: ['Ann', 'Bob'],
  hands: [{ miles: [700, 475], completed_by: 0 }],
};
const ENTERED: Draft = {
  finished: 1,
  miles: [25, null],
  caller: null,
  with200s: [],
  isPileEmpty: false,
  safeties: [],
};
const AWAY = new ApiError(0, 'no_answer', 'No answer.');
const TOO_MANY = new ApiError(429, 'too_many', 'Too many.');
const REFUSED = new ApiError(400, 'bad_rules', 'Bad rules.');

const asked: ScorePad[] = [];
/** What the server does next: answers, with a fault or without, or fails. */
let next: (Error | 'fault' | 'over')[] = [];

function score(question: ScorePad): Promise<PadScores> {
  asked.push(question);
  const what = next.shift();
  if (what instanceof Error) return Promise.reject(what);
  const at = (question.hands?.length ?? 0) - 1;
  const code = what === 'over' ? 'after_the_match' : 'no_such_cards';
  const fault = { hand: at, code, sentence: 'No.', rule: null };
  const answer = { trip: 700, extended_trip: 1000, fault: what === undefined ? null : fault };
  return Promise.resolve({ ...answer, hands: [] } as unknown as PadScores);
}

async function padWith(kept: string | null = encode(MATCH)): Promise<Pad> {
  const pad = new Pad(score, { read: () => kept, write: () => undefined });
  if (pad.match) pad.saved.ask(question(pad.match));
  await vi.advanceTimersByTimeAsync(0);
  return pad;
}

beforeAll(() => learn('en'));
beforeEach(() => {
  vi.useFakeTimers();
  asked.length = 0;
  next = [];
});
afterEach(() => vi.useRealTimers());

describe('a match on the pad', () => {
  it('is opened as it was kept, and garbage is not', async () => {
    const pad = await padWith(`${encode(MATCH)}\n${encodeDraft(ENTERED)}\n`);
    expect(pad.match).toEqual(MATCH);
    expect(pad.draft).toEqual(ENTERED);
    expect(pad.editing).toBeNull();
    expect((await padWith(`${encode(MATCH)}\n1-\n7`)).draft.finished).toBeNull();
    expect((await padWith(`${encode(MATCH)}\n\n0`)).editing).toBe(0);
    expect((await padWith('nonsense')).match).toBeNull();
    expect((await padWith(null)).match).toBeNull();
  });

  it('gets a hand that the server accepts', async () => {
    const pad = await padWith();
    pad.draft = ENTERED;
    await pad.save();
    expect(pad.match?.hands[1]).toEqual({ miles: [25, 700], completed_by: 1 });
    expect(pad.draft.finished).toBeNull();
    expect(asked.at(-1)?.hands).toHaveLength(2);
    // The answer is that of the match, too: nothing is asked twice.
    expect(pad.saved.knows(question(pad.match as Match))).toBe(true);
  });

  it('gets no hand that the server finds impossible', async () => {
    const pad = await padWith();
    pad.draft = ENTERED;
    next = ['fault'];
    await pad.save();
    expect(pad.match).toEqual(MATCH);
    expect(pad.draft).toEqual(ENTERED);
    expect(pad.tried.answer?.fault?.sentence).toBe('No.');
  });

  it.each([AWAY, TOO_MANY])('keeps a hand while there is no answer: $message', async (error) => {
    const pad = await padWith();
    pad.draft = ENTERED;
    next = [error];
    await pad.save();
    expect(pad.match?.hands).toHaveLength(2);
    expect(pad.refusal).toBe('');
  });

  it('says why a question was refused', async () => {
    const pad = await padWith();
    pad.draft = ENTERED;
    next = [REFUSED];
    await pad.save();
    expect(pad.match).toEqual(MATCH);
    expect(pad.refusal).toBe('Bad rules.');
  });

  it('gives the last hand back, and takes an earlier one again', async () => {
    const pad = await padWith();
    pad.draft = ENTERED;
    pad.edit(0);
    expect(pad.draft).toMatchObject({ finished: 0, miles: [null, 475] });
    pad.cancel();
    expect(pad.draft).toEqual(ENTERED);
    pad.edit(0);
    pad.draft = { ...pad.draft, miles: [null, 500] };
    await pad.save();
    expect(pad.match?.hands).toEqual([{ miles: [700, 500], completed_by: 0 }]);
    expect(pad.draft).toEqual(ENTERED);
    pad.undo();
    expect(pad.match?.hands).toEqual([]);
    expect(pad.draft).toMatchObject({ finished: 0, miles: [null, 500] });
    pad.undo();
    expect(pad.match?.hands).toEqual([]);
  });

  it('loses the hands after its end, if a correction ends it earlier', async () => {
    const first = MATCH.hands[0] as never;
    const pad = await padWith(encode({ ...MATCH, hands: [first, first, first] }));
    pad.edit(0);
    pad.draft = { ...pad.draft, miles: [null, 500] };
    expect(pad.surplus).toBeNull();
    next = ['over'];
    await pad.save();
    expect(pad.match?.hands).toHaveLength(3);
    expect(pad.surplus).toBe(2);
    await pad.save(2);
    expect(pad.match?.hands).toEqual([{ miles: [700, 500], completed_by: 0 }, first]);
    expect(pad.surplus).toBeNull();
    pad.drop(1);
    expect(pad.match?.hands).toHaveLength(1);
  });

  it('is not replaced by the one of a link, unless somebody wants it', async () => {
    const pad = await padWith();
    const theirs = { ...MATCH, names: ['Ida', 'Tom'] };
    pad.follow(encode(theirs));
    expect(pad.shown).toEqual(theirs);
    expect(pad.match).toEqual(MATCH);
    pad.follow('1.cut');
    expect(pad.isUnreadable).toBe(true);
    expect(pad.shown).toEqual(MATCH);
    pad.follow(encode(MATCH));
    expect(pad.shared).toBeNull();
    pad.follow(encode(theirs));
    pad.keep();
    expect(pad.match).toEqual(theirs);
    expect(pad.shared).toBeNull();
  });

  it('follows the other tabs of the same device', async () => {
    const pad = await padWith();
    const change = (key: string, newValue: string | null) =>
      pad.changedElsewhere({ key, newValue } as StorageEvent);
    change('something', encode({ ...MATCH, hands: [] }));
    change('millebornes-pad', null);
    expect(pad.match).toEqual(MATCH);
    change('millebornes-pad', encode({ ...MATCH, hands: [] }));
    expect(pad.match?.hands).toEqual([]);
  });
});

describe('a question', () => {
  it('is asked again until it is answered, more and more patiently', async () => {
    next = [AWAY, AWAY];
    const pad = await padWith();
    expect(pad.saved.trouble).toBe('No answer.');
    await vi.advanceTimersByTimeAsync(2000);
    expect(asked).toHaveLength(2);
    await vi.advanceTimersByTimeAsync(3999);
    expect(asked).toHaveLength(2);
    await vi.advanceTimersByTimeAsync(1);
    expect(asked).toHaveLength(3);
    expect(pad.scores?.trip).toBe(700);
    expect(pad.saved.trouble).toBe('');
  });

  it('is asked at once when the network is back', async () => {
    next = [AWAY];
    const pad = await padWith();
    pad.again();
    await vi.advanceTimersByTimeAsync(0);
    expect(pad.scores?.trip).toBe(700);
    pad.again();
    await vi.advanceTimersByTimeAsync(60_000);
    expect(asked).toHaveLength(2);
  });

  it('is not asked again if it is wrong', async () => {
    next = [REFUSED];
    const pad = await padWith();
    await vi.advanceTimersByTimeAsync(60_000);
    expect(asked).toHaveLength(1);
    expect(pad.saved.trouble).toBe('Bad rules.');
    expect(pad.saved.isRefused).toBe(true);
    pad.saved.ask(question({ ...MATCH, dealer: 1 }));
    expect(pad.saved.isRefused).toBe(false);
  });

  it('gives way to a newer one', async () => {
    const pad = await padWith();
    const first = question({ ...MATCH, dealer: 1 });
    const second = question({ ...MATCH, hands: [] });
    pad.tried.ask(first, 100);
    await vi.advanceTimersByTimeAsync(50);
    pad.tried.ask(second, 100);
    await vi.advanceTimersByTimeAsync(100);
    expect(asked.slice(1)).toEqual([second]);
    expect(pad.tried.knows(second)).toBe(true);
    pad.tried.ask(null);
    expect(pad.tried.answer).toBeNull();
  });
});
