import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';

import { Waiting } from './waiting.svelte';

const at = 1_000_000;
const stall = { at, votes: [], needed: 1 };

describe('waiting for somebody', () => {
  beforeEach(() => void vi.useFakeTimers());
  afterEach(() => void vi.useRealTimers());

  it('becomes long when the time is up, and not before', () => {
    const waiting = new Waiting();
    waiting.follow(stall, () => at - 5000);
    vi.advanceTimersByTime(4999);
    expect(waiting.isLong).toBe(false);
    vi.advanceTimersByTime(1);
    expect(waiting.isLong).toBe(true);
  });

  it('is long at once for late arrivals', () => {
    const waiting = new Waiting();
    waiting.follow(stall, () => at);
    expect(waiting.isLong).toBe(true);
  });

  it('ends with what was asked', () => {
    const waiting = new Waiting();
    const end = waiting.follow(stall, () => at - 5000);
    end();
    waiting.follow(null, () => at - 5000);
    vi.advanceTimersByTime(10_000);
    expect(waiting.isLong).toBe(false);
    waiting.follow(stall, () => at);
    waiting.follow(null, () => at);
    expect(waiting.isLong).toBe(false);
  });
});
