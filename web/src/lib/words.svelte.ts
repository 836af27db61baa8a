/** Every sentence and name in the chosen language, from `src/millebornes/words`. */

import {
  languages as known,
  load,
  loadPage,
  type Section,
  type Template,
  type Words,
} from 'millebornes:words';
import { SvelteMap } from 'svelte/reactivity';

import { kindOf } from './cards';
import { elided } from './elision';
import { prefs } from './prefs.svelte';
import type { Event, Fact, Hinted, Rejected, Stake, TableView } from './protocol';

type Params = Record<string, string | number>;

const CARD_PARAMETERS = new Set(['card', 'hazard', 'remedy', 'safety']);
/** Capitalise the start of a sentence, even if it is a name: "seat 0 plays Roll." */
const BEGINNING = /(?:^|! )[\p{L}\p{N}_]/gu;

/** The languages that have been fetched. */
const loaded = new SvelteMap<string, Words>();
/** The words of single pages that have been fetched, by page and language. */
const ofPages = new SvelteMap<string, SvelteMap<string, Record<string, Section>>>();
/** The language in use until the chosen one has been fetched. */
let spoken = '';

/** All languages, each by its own name; the default comes first. */
export function languages(): { code: string; name: string }[] {
  return [...known];
}

/** Fetches the words of a language, once; with those of a page, if it has words of its own. */
export async function learn(language: string, page: string | null = null): Promise<void> {
  await Promise.all([learnLanguage(language), page && learnPage(page, language)]);
}

async function learnLanguage(language: string): Promise<void> {
  if (!loaded.has(language)) loaded.set(language, await load(language));
}

async function learnPage(page: string, language: string): Promise<void> {
  if (ofPages.get(page)?.has(language)) return;
  const areas = await loadPage(page, language);
  const languages = ofPages.get(page) ?? new SvelteMap();
  ofPages.set(page, languages.set(language, areas));
}

/** Has any language been fetched, and for this page, too? */
export function canSpeak(page: string | null = null): boolean {
  return loaded.size > 0 && (page === null || ofPages.has(page));
}

function words(): Words {
  if (loaded.has(prefs.language)) spoken = prefs.language;
  else if (!loaded.has(spoken)) spoken = [...loaded.keys()][0] ?? '';
  const found = loaded.get(spoken);
  if (!found) throw new Error('no words have been fetched yet');
  return found;
}

/** The texts of an area: one of every page, or one of a page that has been fetched. */
function area(name: string): Section | undefined {
  const everywhere = words().web[name];
  if (everywhere) return everywhere;
  for (const languages of ofPages.values()) {
    // Until the page's words have arrived in the chosen language, it speaks the one before.
    const areas = languages.get(prefs.language) ?? [...languages.values()].at(-1);
    if (areas?.[name]) return areas[name];
  }
  return undefined;
}

function filled(template: string, params: Params): string {
  const grammatical = spoken === 'fr' ? elided(template, params) : template;
  return grammatical.replace(/\{(\w+)\}/g, (mark, name: string) => String(params[name] ?? mark));
}

function sentence(text: string): string {
  return text.replace(BEGINNING, (beginning) => beginning.toUpperCase());
}

/** A text of the interface. */
export function say(name: string, key: string, params: Params = {}): string {
  const template = area(name)?.[key];
  return template === undefined ? `${name}.${key}` : filled(template, params);
}

/** Is there a text for this? Levels and editions may be newer than the words. */
export function knows(name: string, key: string): boolean {
  return area(name)?.[key] !== undefined;
}

/** An emote; a newer server may have others. */
export function emoteName(emote: string): string {
  return knows('emotes', emote) ? say('emotes', emote) : emote;
}

/** A card's name. */
export function cardName(code: string): string {
  return words().cards[code] ?? code;
}

/** A line of the score sheet. */
export function scoreLine(line: string): string {
  return words().score[line] ?? line;
}

/** The names of seats and sides at a table, and which seat is "you". */
export interface Names {
  seats: string[];
  sides: string[];
  you: number | null;
}

/** The names at a table. */
export function namesOf(table: TableView): Names {
  const seats = table.seats.map((seat) => seat.name);
  const count = table.hand?.sides.length ?? (table.teams ? seats.length / 2 : seats.length);
  return { seats, sides: sideNames(seats, count), you: table.you };
}

/** The names of so many sides; partners are named together. */
export function sideNames(seats: string[], count: number): string[] {
  return Array.from({ length: count }, (_, side) => {
    const [first = '', second] = seats.filter((_name, seat) => seat % count === side);
    return second === undefined ? first : filled(words().names.team ?? '', { first, second });
  });
}

function yourSide(names: Names): number | null {
  return names.you === null ? null : names.you % names.sides.length;
}

/** Parameters as people read them: cards, seats and sides by their names. */
function shown(params: Params, names: Names): Params {
  const one = ([key, value]: [string, string | number]): [string, string | number] => {
    if (CARD_PARAMETERS.has(key)) return [key, cardName(String(value))];
    if (key === 'seat') return [key, names.seats[Number(value)] ?? String(value)];
    if (key === 'side' || key === 'first')
      return [key, names.sides[Number(value)] ?? String(value)];
    if (key === 'line') return [key, scoreLine(String(value))];
    return [key, value];
  };
  return Object.fromEntries(Object.entries(params).map(one));
}

/** Why a move is refused, as a sentence for the player. */
export function reasonText(reason: { code: string; params: Params }, names: Names): string {
  return coded(words().reasons, reason, names);
}

/** The sentence for a code; some codes have one for each value of a parameter. */
function coded(
  section: Record<string, Template>,
  { code, params }: { code: string; params: Params },
  names: Names,
): string {
  let template = section[code];
  if (typeof template === 'object') template = template[String(params[template.by ?? ''])];
  return sentence(filled(template ?? code, shown(params, names)));
}

/** Why something was refused: a reason of the rules, the table or the server. */
export function refusalText(rejected: Rejected, names: Names): string {
  const { code, params } = rejected;
  if (code in words().reasons) return reasonText({ code, params }, names);
  const template = words().table[code];
  // A newer server may have unknown reasons.
  return template === undefined ? rejected.sentence : filled(template, params);
}

/** Why a bot advises this move. */
export function hintText(hint: Hinted, names: Names): string {
  return coded(words().hints, hint, names);
}

/** What is at stake in the decision, as a sentence for the player. */
export function stakeText(stake: Stake, names: Names): string {
  return coded(words().stakes, stake, names);
}

/** Something true of the hand or the match that has ended, as a sentence. */
export function factText(fact: Fact, names: Names): string {
  return coded(words().facts, fact, names);
}

/** What happened, in sentences for the seat that is "you". Chat and emotes have none. */
export function tell(event: Event, names: Names): string[] {
  const you = names.you;
  const yours = yourSide(names);
  const team = names.seats.length > names.sides.length ? '_team' : '';

  function told(key: string, isYours: boolean, params: Params = {}): string {
    const template = words().events[isYours ? `${key}_you` : key] ?? key;
    return sentence(filled(template, shown(params, names)));
  }
  function cleared(cards: readonly string[]): string[] {
    if (cards.length === 0) return [];
    return [told('cleared', false, { cards: cards.map(cardName).join(', ') })];
  }

  switch (event.type) {
    case 'dealt': {
      const { number, dealer } = event;
      return [told('dealt', dealer === you, { number, seat: dealer })];
    }
    case 'drawn':
      return [told('drawn', event.seat === you, { seat: event.seat, card: event.card })];
    case 'played': {
      const { seat, card, side } = event;
      if (kindOf(card) !== 'hazard') {
        return [told('played', seat === you, { seat, card }), ...cleared(event.cleared)];
      }
      if (side === yours) return [told('attack_on_you', false, { seat, card })];
      return [told('attack', seat === you, { seat, card, side })];
    }
    case 'discarded':
      return [told('discarded', event.seat === you, { seat: event.seat, card: event.card })];
    case 'passed':
      return [told('passed', false)];
    case 'countered': {
      const { seat, card, hazard } = event;
      return [told('countered', seat === you, { seat, card, hazard }), ...cleared(event.cleared)];
    }
    case 'expired':
      return [told('expired', event.side === yours, { side: event.side })];
    case 'extended':
      return [told('extended', event.seat === you, { seat: event.seat })];
    case 'hand_ended': {
      const side = event.completed_by;
      if (side === null) return [told('exhausted', false)];
      return [told(side === yours ? 'completed' : `completed${team}`, side === yours, { side })];
    }
    case 'match_ended': {
      const side = event.winner;
      if (side === null) return [told('drawn_match', false)];
      const points = event.totals[side] ?? 0;
      return [told(side === yours ? 'won' : `won${team}`, side === yours, { side, points })];
    }
    case 'told':
      return tellNews(event.code, event.name, event.seat === you && you !== null);
    case 'fair_revealed':
      return [say('told', 'fair_revealed', { hand: event.hand })];
    default:
      // Chat, emotes, and events of a newer server.
      return [];
  }
}

/** News of the table; codes without a text are for programs only. */
function tellNews(code: string, name: string, isYou: boolean): string[] {
  const news = words().web.told ?? {};
  const template = (isYou ? news[`${code}_you`] : undefined) ?? news[code];
  return template === undefined ? [] : [sentence(filled(template, { name }))];
}
