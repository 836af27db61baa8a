import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';

import { api } from '../lib/api';
import { LEVELS, type BotInfo } from '../lib/protocol';
import { AGAIN, catalogue, followBots } from './catalogue.svelte';

const bot = (level: string, ready = true): BotInfo => ({
  level,
  ready,
  against: null,
  wins: null,
  outside: false,
});

let answers: (BotInfo[] | Error)[];
let asked: number;
const page = { hidden: false };
let leave: () => void;

beforeEach(() => {
  vi.useFakeTimers();
  vi.stubGlobal('document', page);
  page.hidden = false;
  asked = 0;
  vi.spyOn(api, 'bots').mockImplementation(async () => {
    const answer = answers[Math.min(asked++, answers.length - 1)] ?? [];
    if (answer instanceof Error) throw answer;
    return answer;
  });
});
afterEach(() => {
  leave();
  vi.restoreAllMocks();
  vi.unstubAllGlobals();
  vi.useRealTimers();
});

/** A page that shows the bots, and what the server answers it in turn. */
async function look(...given: (BotInfo[] | Error)[]): Promise<void> {
  answers = given;
  leave = $effect.root(() => followBots());
  await vi.advanceTimersByTimeAsync(0);
}

describe('the bots of the server', () => {
  it('are every level until the server has answered', async () => {
    await look(new Error('no answer'));
    expect(catalogue.isKnown).toBe(false);
    expect(catalogue.bots.map(({ level }) => level)).toEqual(LEVELS);
  });

  it('are asked for once if all are ready', async () => {
    await look([bot('learner'), bot('mine')]);
    await vi.advanceTimersByTimeAsync(10 * AGAIN);
    expect(asked).toBe(1);
    expect(catalogue.bot('mine')).toEqual(bot('mine'));
    expect(catalogue.bot('gone')).toEqual(bot('gone'));
  });

  it('are asked for again until the last is warm, or when the server was away', async () => {
    await look([bot('commuter', false)], new Error('away'), [bot('commuter')]);
    expect(catalogue.bot('commuter').ready).toBe(false);
    await vi.advanceTimersByTimeAsync(AGAIN);
    expect(catalogue.bot('commuter').ready).toBe(false);
    await vi.advanceTimersByTimeAsync(AGAIN);
    expect(catalogue.bot('commuter').ready).toBe(true);
    await vi.advanceTimersByTimeAsync(10 * AGAIN);
    expect(asked).toBe(3);
  });

  it('are not asked for while nobody sees the page, nor after it is left', async () => {
    await look([bot('commuter', false)]);
    page.hidden = true;
    await vi.advanceTimersByTimeAsync(10 * AGAIN);
    expect(asked).toBe(1);
    page.hidden = false;
    await vi.advanceTimersByTimeAsync(AGAIN);
    expect(asked).toBe(2);
    leave();
    await vi.advanceTimersByTimeAsync(10 * AGAIN);
    expect(asked).toBe(2);
  });
});
