/** A match kept on the score pad, and the hand that is being entered. Pure values. */

import { FAMILIES, type PadHand, type PadSafety, type ScorePad } from '../lib/protocol';

export type Safety = PadSafety['card'];
export const SAFETIES: readonly Safety[] = FAMILIES.safety;

/** The steps in which distance cards add up. */
export const STEP = 25;
/** As many hands as the server scores. */
export const MOST_HANDS = 60;
export const LONGEST_NAME = 24;

/** What is kept on the device, and carried by a link. */
export interface Match {
  edition: string;
  /** House rules, instead of the edition. */
  toml: string | null;
  teams: boolean;
  short: boolean;
  /** The seat that deals the first hand. */
  dealer: number;
  /** By seat. */
  names: string[];
  hands: PadHand[];
}

/** A hand that may not be complete yet. */
export interface Draft {
  /** Who completed the trip, or that nobody did; null: not said yet. */
  finished: number | 'nobody' | null;
  /** Null: not said yet. Those of the side that completed the trip follow from the trip. */
  miles: (number | null)[];
  caller: number | null;
  /** Sides that played a 200; every side, if it is said of whoever has the most miles. */
  with200s: number[];
  isPileEmpty: boolean;
  safeties: PadSafety[];
}

/** The miles to drive, and who wins without completing the trip, as the server says. */
export interface Trip {
  trip: number;
  extended_trip: number | null;
  leader_wins: boolean;
}

export function sidesOf(match: Match): number {
  return match.teams ? match.names.length / 2 : match.names.length;
}

/** What the server is asked. */
export function question(match: Match, hands: PadHand[] = match.hands): ScorePad {
  return {
    ...(match.toml === null ? { edition: match.edition } : { toml: match.toml }),
    players: match.names.length,
    teams: match.teams,
    short_trip: match.short,
    dealer: match.dealer,
    names: match.names,
    hands,
  };
}

export function emptyDraft(sides: number): Draft {
  return {
    finished: null,
    miles: Array.from({ length: sides }, () => null),
    caller: null,
    with200s: [],
    isPileEmpty: false,
    safeties: [],
  };
}

/** How far a side drives to complete the trip. */
export function tripOf(
  draft: Draft,
  { trip, extended_trip }: Pick<Trip, 'trip' | 'extended_trip'>,
): number {
  return draft.caller === null ? trip : (extended_trip ?? trip);
}

/** The sides whose miles are still to be entered. */
export function missing(draft: Draft): number[] {
  return draft.miles.flatMap((miles, side) =>
    miles === null && side !== draft.finished ? [side] : [],
  );
}

/** The next side to enter after this one, all the way round; null if there is none. */
export function nextMissing(draft: Draft, after: number): number | null {
  const open = missing(draft);
  return open.find((side) => side > after) ?? open[0] ?? null;
}

/** The side whose 200s matter: it completed the trip, or won by having the most miles. */
export function sideOf200s(draft: Draft, leaderWins: boolean): number | null {
  if (typeof draft.finished === 'number') return draft.finished;
  if (draft.finished === null || !leaderWins || missing(draft).length > 0) return null;
  const most = Math.max(...draft.miles.map((miles) => miles ?? 0));
  const leaders = draft.miles.flatMap((miles, side) => (miles === most ? [side] : []));
  return leaders.length === 1 ? (leaders[0] ?? null) : null;
}

/** The entered hand; null while something is missing. */
export function handOf(draft: Draft, trip: Trip): PadHand | null {
  const { finished, caller, with200s, isPileEmpty, safeties } = draft;
  if (finished === null || missing(draft).length > 0) return null;
  const whole = tripOf(draft, trip);
  const counted = with200s.filter((side) => side === sideOf200s(draft, trip.leader_wins));
  return {
    miles: draft.miles.map((miles, side) => (side === finished ? whole : (miles ?? 0))),
    ...(finished !== 'nobody' && { completed_by: finished }),
    ...(counted.length > 0 && { with_200s: counted }),
    // Nobody is asked about the pile when the cards have run out.
    ...(isPileEmpty && finished !== 'nobody' && { pile_empty: true }),
    ...(caller !== null && { caller }),
    ...(safeties.length > 0 && { safeties }),
  };
}

/** A hand to be entered again. */
export function draftOf(hand: PadHand): Draft {
  const finished = hand.completed_by ?? 'nobody';
  const played = hand.with_200s ?? [];
  return {
    finished,
    miles: hand.miles.map((miles, side) => (side === finished ? null : miles)),
    caller: hand.caller ?? null,
    // A correction may give the most miles to another side.
    with200s:
      finished === 'nobody' && played.length > 0 ? hand.miles.map((_, side) => side) : [...played],
    isPileEmpty: hand.pile_empty ?? false,
    safeties: (hand.safeties ?? []).map((safety) => ({ ...safety })),
  };
}

/** Gives a safety to a side: the second tap lays it crosswise, the third takes it away. */
export function tapped(safeties: PadSafety[], card: Safety, side: number): PadSafety[] {
  const had = safeties.find((safety) => safety.card === card);
  const others = safeties.filter((safety) => safety.card !== card);
  if (had?.side !== side) return [...others, { card, side }];
  return had.crosswise ? others : [...others, { card, side, crosswise: true }];
}

/** The whole hundreds that a side can have on the way. */
export function hundredsBelow(trip: number): number[] {
  return Array.from({ length: Math.ceil(trip / 100) }, (_, at) => at * 100);
}

/** What can be added to a hundred. */
export const REMAINDERS = [0, STEP, 2 * STEP, 3 * STEP];
