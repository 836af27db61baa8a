import { beforeAll, describe, expect, it } from 'vitest';

import fixture from './fixtures/sentences.json';
import { prefs } from './prefs.svelte';
import type { Event, Hinted, Rejected, TableView } from './protocol';
import {
  canSpeak,
  hintText,
  languages,
  learn,
  namesOf,
  reasonText,
  refusalText,
  say,
  factText,
  stakeText,
  tell,
} from './words.svelte';

type Params = Record<string, string | number>;
interface Coded {
  code: string;
  params: Params;
}
interface Case {
  table: number;
  event?: Event;
  reason?: Coded;
  hint?: Coded;
  stake?: Coded;
  fact?: Coded;
  refusal?: Coded;
  en: string | string[];
  fr: string | string[];
}
const cases = fixture.cases as unknown as Case[];

function tableOf(number: number): TableView {
  const { seats, teams, you } = fixture.tables[number] ?? { seats: [], teams: false, you: null };
  const view = { teams, you, seats: seats.map((name) => ({ name })), hand: null };
  return view as unknown as TableView;
}

function said(one: Case): string | string[] {
  const names = namesOf(tableOf(one.table));
  if (one.event) return tell(one.event, names);
  if (one.reason) return reasonText(one.reason, names);
  if (one.hint) return hintText({ type: 'hinted', decision: 1, move: '', ...one.hint }, names);
  if (one.stake) return stakeText(one.stake, names);
  if (one.fact) return factText(one.fact, names);
  const rejected = { type: 'rejected', sentence: '', id: null, table: null, ...one.refusal };
  return refusalText(rejected as Rejected, names);
}

beforeAll(async () => {
  await Promise.all(languages().map(({ code }) => learn(code)));
});

describe.each(['en', 'fr'] as const)('in %s', (language) => {
  it('produces the same sentences as Python', () => {
    prefs.language = language;
    expect(cases.map(said)).toEqual(cases.map((one) => one[language]));
  });
});

describe('words', () => {
  beforeAll(() => {
    prefs.language = 'en';
  });
  const names = { seats: ['Ann', 'Bob'], sides: ['Ann', 'Bob'], you: 0 };

  const plain = (text: string) => text.replaceAll('\u00a0', ' ');

  it('follow the chosen language', () => {
    const roll: Event = { type: 'played', seat: 1, card: 'ROLL', side: 1, cleared: [] };
    expect(tell(roll, names)).toEqual(['Bob plays Roll.']);
    prefs.language = 'fr';
    expect(tell(roll, names).map(plain)).toEqual(['Bob joue : Feu vert.']);
    prefs.language = 'en';
  });

  it('address the player it is about', () => {
    const told = (code: string, seat: number | null) =>
      tell({ type: 'told', code, name: 'Bob', seat } as Event, { ...names, you: 1 });
    expect(told('returned', 1)).toEqual(['You are back at the wheel.']);
    expect(told('returned', 0)).toEqual(['Bob is back at the wheel.']);
    expect(told('watching', null)).toEqual(['Bob is watching.']);
  });

  it('cope with unknown codes', () => {
    expect(tell({ type: 'told', code: 'from_the_future', name: '', seat: null } as never, names)) //
      .toEqual([]);
    expect(tell({ type: 'from_the_future' } as never, names)).toEqual([]);
    const hint: Hinted = { type: 'hinted', decision: 1, move: 'x25', code: 'new', params: {} };
    expect(hintText(hint, names)).toBe('New');
    const rejected = { code: 'new', sentence: 'A new reason.', params: {} } as Rejected;
    expect(refusalText(rejected, names)).toBe('A new reason.');
  });

  it('insert names unchanged', () => {
    expect(say('told', 'returned', { name: '$& {name} <b>' })) //
      .toBe('$& {name} <b> is back at the wheel.');
  });

  it('of a page are there once the page has been fetched, in the language of the page', async () => {
    expect(canSpeak('score-pad')).toBe(false);
    expect(say('pad', 'title')).toBe('pad.title');
    await learn('en', 'score-pad');
    expect(canSpeak('score-pad')).toBe(true);
    expect(say('pad', 'title')).toBe('Score pad');
    prefs.language = 'fr';
    expect(say('pad', 'title'), 'until French has arrived').toBe('Score pad');
    await learn('fr', 'score-pad');
    expect(say('pad', 'title')).toBe('Feuille de score');
    prefs.language = 'en';
    expect(say('pad', 'title')).toBe('Score pad');
  });

  it('name partners together', () => {
    expect(namesOf(tableOf(2)).sides).toEqual(['Ann & Cem', 'Bob & zoé']);
  });
});
