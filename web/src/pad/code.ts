/**
 * A match as text for the fragment of a link, which is also how it is kept on the device:
 *
 *     1.winning-moves.-.s-20.Ann.Bob.0-0000--a0s0j.oom
 *
 * The version, the edition, house rules (base64url) or none; single players or teams, a short trip
 * or not, the number of players, the first dealer; the names; a word for each hand; and a checksum,
 * without which a link that lost its last hands would be a shorter match. Reading checks every
 * part: anyone can write a link.
 */

import type { PadHand, PadSafety } from '../lib/protocol';
import {
  LONGEST_NAME,
  MOST_HANDS,
  SAFETIES,
  STEP,
  draftOf,
  sidesOf,
  type Draft,
  type Match,
} from './match';

const VERSION = '1';
const NONE = '-';
/** Nothing has been said about it yet. */
const OPEN = '_';
/** Two digits of base 36: enough for 32,375 miles. */
const WIDTH = 2;
const LONGEST_RULES = 8000;
/** The largest prime of three digits of base 36. */
const SUMS = 46649;

/** Text that stays whole wherever a link is pasted: no dots, no brackets. */
function escaped(text: string): string {
  const plain = encodeURIComponent(text);
  return plain.replace(/[.!~*'()]/g, (mark) => `%${mark.charCodeAt(0).toString(16)}`);
}

function toBase64(text: string): string {
  const bytes = String.fromCharCode(...new TextEncoder().encode(text));
  return btoa(bytes).replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', '');
}

function fromBase64(text: string): string {
  const bytes = atob(text.replaceAll('-', '+').replaceAll('_', '/'));
  const codes = Uint8Array.from(bytes, (char) => char.charCodeAt(0));
  return new TextDecoder('utf-8', { fatal: true }).decode(codes);
}

const digit = (side: number | null) => (side === null ? NONE : String(side));

/** One hand, complete or not. Safeties: a digit is the side, a letter the side of a coup fourré. */
function wordOf(draft: Draft): string {
  const { finished } = draft;
  const safeties = SAFETIES.map((card) => {
    const found = draft.safeties.find((safety) => safety.card === card);
    if (!found) return NONE;
    return found.crosswise ? String.fromCharCode(97 + found.side) : String(found.side);
  });
  const played = draft.with200s.reduce((bits, side) => bits | (1 << side), 0);
  const miles = draft.miles.map((one) =>
    one === null ? OPEN.repeat(WIDTH) : (one / STEP).toString(36).padStart(WIDTH, '0'),
  );
  return [
    finished === null ? OPEN : finished === 'nobody' ? NONE : digit(finished),
    digit(draft.caller),
    draft.isPileEmpty ? '1' : '0',
    played.toString(16).padStart(2, '0'),
    ...safeties,
    ...miles,
  ].join('');
}

class Unreadable extends Error {}

function check(isRight: boolean): asserts isRight {
  if (!isRight) throw new Unreadable();
}

function sideIn(text: string | undefined, sides: number): number {
  check(text !== undefined && /^[0-7]$/.test(text) && Number(text) < sides);
  return Number(text);
}

function safetyIn(card: PadSafety['card'], text: string, sides: number): PadSafety[] {
  if (text === NONE) return [];
  if (/^[0-7]$/.test(text)) return [{ card, side: sideIn(text, sides) }];
  const side = String(text.charCodeAt(0) - 97);
  return [{ card, side: sideIn(side, sides), crosswise: true }];
}

function draftIn(word: string, sides: number): Draft {
  const found = /^([0-7_-])([0-7-])([01])([0-9a-f]{2})([0-7a-h-]{4})((?:[0-9a-z]{2}|__)*)$/.exec(
    word,
  );
  check(found !== null);
  const [, finished = '', caller = '', pile, played = '', safeties = '', miles = ''] = found;
  check(miles.length === sides * WIDTH);
  const bits = parseInt(played, 16);
  check(bits >> sides === 0);
  return {
    finished: finished === OPEN ? null : finished === NONE ? 'nobody' : sideIn(finished, sides),
    caller: caller === NONE ? null : sideIn(caller, sides),
    isPileEmpty: pile === '1',
    with200s: Array.from({ length: sides }, (_, side) => side).filter((side) => bits & (1 << side)),
    safeties: SAFETIES.flatMap((card, at) => safetyIn(card, safeties[at] ?? '', sides)),
    miles: Array.from({ length: sides }, (_, side) => {
      const text = miles.slice(side * WIDTH, (side + 1) * WIDTH);
      return text.startsWith(OPEN) ? null : parseInt(text, 36) * STEP;
    }),
  };
}

/** A hand in a link is complete: even the miles of the side that completed the trip are there. */
function handIn(word: string, sides: number): PadHand {
  const { finished, miles, caller, with200s, isPileEmpty, safeties } = draftIn(word, sides);
  check(finished !== null && miles.every((one) => one !== null));
  return {
    miles,
    ...(finished !== 'nobody' && { completed_by: finished }),
    ...(with200s.length > 0 && { with_200s: with200s }),
    ...(isPileEmpty && { pile_empty: true }),
    ...(caller !== null && { caller }),
    ...(safeties.length > 0 && { safeties }),
  };
}

/** Three digits that change with any letter of a text. */
export function checksum(text: string): string {
  let sum = 7;
  for (const char of text) sum = (sum * 31 + (char.codePointAt(0) ?? 0)) % SUMS;
  return sum.toString(36).padStart(3, '0');
}

export function encode(match: Match): string {
  const text = content(match);
  return `${text}.${checksum(text)}`;
}

function content(match: Match): string {
  const { edition, toml, names, hands } = match;
  return [
    VERSION,
    edition,
    toml === null ? NONE : toBase64(toml),
    `${match.teams ? 't' : 's'}${match.short ? '7' : NONE}${names.length}${match.dealer}`,
    ...names.map(escaped),
    ...hands.map((hand) =>
      wordOf({ ...draftOf(hand), miles: hand.miles, with200s: hand.with_200s ?? [] }),
    ),
  ].join('.');
}

/** The match in a text; null if it is not one, or was cut off. */
export function decode(text: string): Match | null {
  try {
    return matchIn(text);
  } catch {
    return null;
  }
}

function matchIn(text: string): Match {
  const [version, edition = '', rules = '', kind = '', ...rest] = text.split('.');
  check(version === VERSION && /^[a-z0-9-]{1,40}$/.test(edition));
  const found = /^([st])([7-])([2-8])([0-7])$/.exec(kind);
  check(found !== null);
  const players = Number(found[3]);
  const match: Match = {
    edition,
    toml: rules === NONE ? null : fromBase64(rules),
    teams: found[1] === 't',
    short: found[2] === '7',
    dealer: sideIn(found[4], players),
    names: rest.slice(0, players).map(nameIn),
    hands: [],
  };
  check(match.names.length === players && Number.isInteger(sidesOf(match)));
  check((match.toml?.length ?? 0) <= LONGEST_RULES);
  const words = rest.slice(players, -1);
  check(words.length <= MOST_HANDS);
  const whole = { ...match, hands: words.map((word) => handIn(word, sidesOf(match))) };
  // Of what was read: a program that passes a link on may write escapes in its own way.
  check(rest.length > players && rest.at(-1) === checksum(content(whole)));
  return whole;
}

function nameIn(text: string): string {
  const name = decodeURIComponent(text).trim();
  check(name.length > 0 && name.length <= LONGEST_NAME && !/\p{C}/u.test(name));
  return name;
}

/** The hand that is being entered, to be kept with its match. */
export const encodeDraft = wordOf;

export function decodeDraft(text: string, sides: number): Draft | null {
  try {
    return draftIn(text, sides);
  } catch {
    return null;
  }
}
