/** The sound of each event: during its animation, or at once if there is none. */

import { kindOf } from '../lib/cards';
import type { Event, TableView } from '../lib/protocol';
import { play } from '../lib/sound';

type Sound = Parameters<typeof play>[0];

export function soundOf(event: Event, table: TableView | null): Sound | null {
  const you = table?.you ?? null;
  const own = you === null ? null : you % (table?.hand?.sides.length ?? 1);
  switch (event.type) {
    case 'dealt':
      return 'draw';
    case 'drawn':
      return event.seat === you ? 'draw' : null;
    case 'played':
      return kindOf(event.card) === 'hazard' ? 'attack' : 'card';
    case 'discarded':
      return 'discard';
    case 'countered':
      return 'coup';
    case 'hand_ended':
      return event.completed_by === null ? 'over' : 'finish';
    case 'match_ended':
      if (own === null || event.winner === null) return 'finish';
      return event.winner === own ? 'win' : 'lose';
    case 'chat':
    case 'emote':
      return event.member === table?.member ? null : 'chat';
    default:
      return null;
  }
}

export class Sounding {
  #expected: Event[] = [];
  #isLast = false;
  readonly #table: () => TableView | null;
  readonly #ontold: (event: Event) => void;

  /** @param ontold called with each event at the same time. */
  constructor(table: () => TableView | null, ontold: (event: Event) => void) {
    this.#table = table;
    this.#ontold = ontold;
  }

  /** These events come next. */
  expect(events: Event[]): void {
    this.rest();
    this.#expected = [...events];
    this.#isLast = events.some(({ type }) => type === 'match_ended');
  }

  /** This event is being animated now. */
  now(event: Event): void {
    if (!this.#expected.includes(event)) return;
    this.#expected = this.#expected.filter((other) => other !== event);
    const sound = this.#soundOf(event);
    if (sound !== null) play(sound);
    this.#ontold(event);
  }

  /** Plays the events that were not animated; each sound once. */
  rest(): void {
    const events = this.#expected;
    this.#expected = [];
    const sounds = new Set(events.map((event) => this.#soundOf(event)));
    events.forEach(this.#ontold);
    for (const sound of sounds) if (sound !== null) play(sound);
  }

  /** The end of a match drowns that of its last hand. */
  #soundOf(event: Event): Sound | null {
    if (event.type === 'hand_ended' && this.#isLast) return null;
    return soundOf(event, this.#table());
  }
}
