import { beforeAll, beforeEach, describe, expect, it } from 'vitest';

import { prefs } from '../lib/prefs.svelte';
import type { Event } from '../lib/protocol';
import { learn, tell, type Names } from '../lib/words.svelte';
import type { LogLine } from '../session/session.svelte';
import { fixedLine, newsOf } from './news';

const ALONE: Names = {
  seats: ['Ann', 'Bob', 'Cleo'],
  sides: ['Ann', 'Bob', 'Cleo'],
  you: 0,
};
const TEAMS: Names = {
  seats: ['Ann', 'Bob', 'Cleo', 'Dan'],
  sides: ['Ann & Cleo', 'Bob & Dan'],
  you: 0,
};

const played = (seat: number, card: string, side = seat): Event => ({
  type: 'played',
  seat,
  card,
  side,
  cleared: [],
});
const discarded = (seat: number, card: string): Event => ({ type: 'discarded', seat, card });
const drawn: Event = { type: 'drawn', seat: 0, card: '25' };

function lines(events: Event[], names: Names = ALONE, hand = 1): LogLine[] {
  return events.map((event, id) => ({
    id,
    seq: id,
    kind: 'event',
    text: tell(event, names)[0] ?? '',
    mine: 'seat' in event && event.seat === names.you,
    hand,
    event,
  }));
}

beforeAll(async () => {
  await learn('en');
  await learn('fr');
});
beforeEach(() => {
  prefs.language = 'en';
});

describe('the news at a table', () => {
  it('tells everything that was done to the viewer, whatever came after it', () => {
    const log = lines([
      played(0, 'ROLL'),
      played(1, 'STOP', 0),
      played(2, 'LIM', 0),
      drawn,
      discarded(0, '25'),
      played(1, '100'),
      played(2, 'LIM', 0),
      played(1, 'ACC', 0),
      discarded(2, '200'),
      drawn,
    ]);
    const news = newsOf(log, ALONE, 1, true);
    expect(news.onYou).toBe('On your car: Speed Limit (Cleo), Accident (Bob).');
    expect(news.last).toBe('Cleo discards 200 miles.');
    expect(news.round.map(({ text, onYou }) => [text, onYou])).toEqual([
      ['Cleo plays Speed Limit on you.', true],
      ['Bob plays Accident on you.', true],
      ['Bob plays 100 miles.', false],
      ['Cleo discards 200 miles.', false],
    ]);
  });

  it('still tells it when the viewer has laid a safety and plays again', () => {
    const log = lines([
      discarded(0, '25'),
      played(1, 'LIM', 0),
      discarded(2, '200'),
      drawn,
      played(0, 'ACE'),
      drawn,
    ]);
    expect(newsOf(log, ALONE, 1, true).onYou).toBe('On your car: Speed Limit (Bob).');
  });

  it('forgets what a coup fourré has answered, and not what came before', () => {
    const coup: Event = {
      type: 'countered',
      seat: 0,
      card: 'ACE',
      hazard: 'ACC',
      side: 0,
      cleared: [],
    };
    const log = lines([discarded(0, '25'), played(1, 'LIM', 0), played(2, 'ACC', 0), coup, drawn]);
    expect(newsOf(log, ALONE, 1, true).onYou).toBe('On your car: Speed Limit (Bob).');
  });

  it('tells the coup fourré of another, whatever they did after it', () => {
    const coup: Event = {
      type: 'countered',
      seat: 1,
      card: 'TANK',
      hazard: 'OUT',
      side: 1,
      cleared: [],
    };
    const log = lines([played(0, 'OUT', 1), coup, played(1, '200'), drawn]);
    expect(newsOf(log, ALONE, 1, true)).toMatchObject({
      onYou: 'Coup fourré! Bob answers Out of Gas with Extra Tank.',
      last: 'Bob plays 200 miles.',
    });
  });

  it('does not tell what was taken back', () => {
    const back: Event = { type: 'told', code: 'went_back', seat: 0, name: 'Ann' };
    const taken = lines([discarded(0, '25'), played(1, 'LIM', 0), played(1, '100')]);
    const [line] = lines([back]);
    const told = { ...line, id: 3, kind: 'told', text: 'Back to an earlier decision.' } as LogLine;
    expect(newsOf([...taken, told], ALONE, 1, true)).toEqual({
      onYou: '',
      last: 'Back to an earlier decision.',
      round: [],
    });
  });

  it('tells the safety with which the viewer plays again', () => {
    const log = lines([discarded(0, '25'), played(1, '200'), drawn, played(0, 'ACE'), drawn]);
    expect(newsOf(log, ALONE, 1, true).last).toBe('You play Driving Ace.');
  });

  it("has a partner's cards, and the end of an Autoroute", () => {
    const log = lines(
      [
        discarded(0, '25'),
        played(1, 'STOP', 0),
        played(2, 'ROLL', 0),
        { type: 'expired', side: 0 },
        discarded(3, '50'),
      ],
      TEAMS,
    );
    expect(newsOf(log, TEAMS, 1, true).onYou).toBe(
      'On your car: Stop (Bob), Roll (Cleo). Your Autoroute has ended.',
    );
  });

  it('tells what happened last while others play, the viewer included', () => {
    const log = lines([played(1, '50'), drawn, played(0, 'ROLL')]);
    expect(newsOf(log, ALONE, 1, false)).toEqual({ onYou: '', last: 'You play Roll.', round: [] });
  });

  it('tells nothing of an earlier hand', () => {
    const log = lines([played(1, 'LIM', 0)]);
    expect(newsOf(log, ALONE, 2, true)).toEqual({ onYou: '', last: '', round: [] });
  });

  it('tells those who watch what happened last', () => {
    const names = { ...ALONE, you: null };
    const log = lines([played(1, 'LIM', 0)], names);
    expect(newsOf(log, names, 1, false)).toEqual({
      onYou: '',
      last: 'Bob plays Speed Limit on Ann.',
      round: [],
    });
  });

  it('speaks the chosen language, and shortens long names', () => {
    prefs.language = 'fr';
    const names = { ...ALONE, seats: ['Ann', 'Maximilienne-Alexandrine', 'Cleo'] };
    const log = lines([played(1, 'LIM', 0)], names);
    expect(newsOf(log, names, 1, true).onYou).toBe(
      'Sur votre voiture\u00a0: Limite de vitesse (Maximilienn…).',
    );
  });
});

describe('the fixed line', () => {
  const news = { onYou: 'On your car: Stop (Bob).', last: 'Cleo discards 200 miles.', round: [] };

  it('has it all where it fits', () => {
    expect(fixedLine('', news, 60)).toBe('On your car: Stop (Bob). Cleo discards 200 miles.');
  });

  it('drops what was not done to the viewer first, and that never', () => {
    expect(fixedLine('Bob is playing.', news, 60)).toBe('Bob is playing. On your car: Stop (Bob).');
    expect(fixedLine('Bob is playing.', news, 10)).toBe('Bob is playing. On your car: Stop (Bob).');
  });

  it('has the last event rather than nothing', () => {
    expect(fixedLine('', { ...news, onYou: '' }, 10)).toBe('Cleo discards 200 miles.');
  });
});
