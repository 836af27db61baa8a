/** What the server tells of the time before this page, in the form of frames: for the log. */

import { kindOf } from '../lib/cards';
import type { Event, Frame, Past, PastInput, PastMatch, TableView } from '../lib/protocol';

export interface PastFrame {
  frame: Frame;
  /** The table before it, as far as it is known. */
  before: TableView;
}

/** The inputs of the past in order. Their tables hold no more than the log needs. */
export function framesOf(past: Past, member: number | null): PastFrame[] {
  /** Who attacked last: the sentence about an attack that stands depends on it. */
  let attacker: number | null = null;
  return past.matches.flatMap((match) =>
    match.inputs.map((input) => {
      const before = tableOf(match, input, member, attacker);
      for (const event of input.events) attacker = attackerIn(event) ?? attacker;
      const table = tableOf(match, input, member, attacker);
      const frame: Frame = {
        type: 'frame',
        seq: input.seq,
        now: 0,
        events: input.events,
        table,
      };
      return { frame, before };
    }),
  );
}

function attackerIn(event: Event): number | null {
  return event.type === 'played' && kindOf(event.card) === 'hazard' ? event.seat : null;
}

/**
 * The card that the viewer drew last, unless they have used one since or have gone back;
 * undefined: none of these.
 */
export function drawnIn(events: Event[], you: number | null): string | null | undefined {
  let drawn: string | null | undefined;
  for (const event of events) {
    if (event.type === 'told' && event.code === 'went_back') drawn = null;
    if (!('seat' in event) || !('card' in event) || event.seat !== you) continue;
    drawn = event.type === 'drawn' ? event.card : null;
  }
  return drawn;
}

function tableOf(
  { seats, sides, you }: PastMatch,
  { hand }: PastInput,
  member: number | null,
  attacker: number | null,
): TableView {
  const known = {
    you,
    member,
    teams: sides < seats.length,
    seats: seats.map((name) => ({ name })),
    asked: attacker === null ? null : { attacker, seats: [] },
    hand: hand === 0 ? null : { number: hand, sides: Array.from({ length: sides }, () => ({})) },
  };
  return known as unknown as TableView;
}
