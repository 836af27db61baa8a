import { flushSync } from 'svelte';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';

import { slowAt } from './slow.svelte';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

function follow(move: string) {
  let slow: ReturnType<typeof slowAt> | undefined;
  const stop = $effect.root(() => {
    slow = slowAt(() => move);
  });
  flushSync();
  vi.advanceTimersByTime(399);
  const before = slow?.isSlow;
  vi.advanceTimersByTime(1);
  const after = slow?.isSlow;
  stop();
  return { before, after };
}

describe('a card on its way', () => {
  it.each(['ROLL', 'STOP>1', 'x25'])('is worth a word after a while: %s', (move) => {
    expect(follow(move)).toEqual({ before: false, after: true });
  });

  it.each(['-', 'ext', 'end', 'ACE!'])('is none if it is an answer: %s', (move) => {
    expect(follow(move)).toEqual({ before: false, after: false });
  });
});
