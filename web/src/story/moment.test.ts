import { beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';

import { prefs } from '../lib/prefs.svelte';
import type { Event } from '../lib/protocol';
import { learn } from '../lib/words.svelte';
import { Moment } from './moment.svelte';

const NAMES = { seats: ['Ann', 'Bob'], sides: ['Ann', 'Bob'], you: 0 };
const COUP: Event = {
  type: 'countered',
  seat: 1,
  card: 'ROW',
  hazard: 'STOP',
  side: 1,
  cleared: [],
};

beforeAll(async () => {
  prefs.language = 'en';
  await learn('en');
});
beforeEach(() => {
  vi.useFakeTimers();
});

describe('a moment of the game', () => {
  it('is shown in large letters for a while, even without animations', () => {
    const moment = new Moment();
    for (const pace of [1, 0]) {
      moment.now(COUP, NAMES, pace);
      expect(moment.text).toBe('Coup fourré!');
      vi.advanceTimersByTime(1500);
      expect(moment.text).not.toBeNull();
      vi.advanceTimersByTime(200);
      expect(moment.text).toBeNull();
    }
  });

  it('is replaced by the next one, which gets its full time', () => {
    const moment = new Moment();
    moment.now(COUP, NAMES, 1);
    vi.advanceTimersByTime(1500);
    moment.now({ type: 'extended', seat: 0 }, NAMES, 1);
    vi.advanceTimersByTime(1500);
    expect(moment.text).toBe('You call the extension: the trip is now 1000.');
  });

  it('is not shown for an ordinary card', () => {
    const moment = new Moment();
    moment.now({ type: 'discarded', seat: 1, card: '25' }, NAMES, 1);
    expect(moment.text).toBeNull();
  });
});
