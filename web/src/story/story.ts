/** Animates events as cards that fly. Times are for full speed. */

import { tick } from 'svelte';

import { kindOf } from '../lib/cards';
import type { Event, Frame, TableView } from '../lib/protocol';
import { keysOf } from '../table/moves';
import { cardBox, moved, type Box, type Stage } from './stage';

const PLAY = 320;
const ATTACK = 420;
const DISCARD = 280;
const CLEAR = 260;
const COUP = 760;
/** The part of it after which the safety hits the table. */
const SLAM = 0.55;
const DRAW = 260;
const DEAL = 340;
const REST = 450;

/** Draws and deals fly to new places; at the end the car drives on the new picture's road. */
const AFTERWARDS = new Set<Event['type']>(['drawn', 'dealt', 'hand_ended', 'match_ended']);

export interface Teller {
  stage: Stage;
  pace: () => number;
  /** An event is being animated now. */
  ontold: (event: Event) => void;
  /** Where a dragged card was dropped, if it still lies there. */
  dropped: () => Box | null;
}

/** Where a card lands on a side. A strip has no distance piles: there it is the whole side. */
function landing(card: string, side: number): string[] {
  const whole = `side-${side}`;
  switch (kindOf(card)) {
    case 'distance':
      return [`distance-${side}-${card}`, whole];
    case 'safety':
      return [`safety-${side}-${card}`, whole];
    case 'autoroute':
      return [`autoroute-${side}`, `speed-${side}`, whole];
    default:
      return [card === 'LIM' || card === 'EOL' ? `speed-${side}` : `battle-${side}`, whole];
  }
}

/** The cards that have left the hand in this frame, so that equal ones leave one by one. */
type Gone = Set<string>;

export class Story {
  readonly #teller: Teller;
  /** Events told after the new picture is shown. */
  #afterwards: Event[] = [];
  /** The new picture was shown before the story ended. */
  #isCut = false;

  constructor(teller: Teller) {
    this.#teller = teller;
  }

  /** The table comes into sight with its first hand: the deal travels once it is drawn. */
  begin(events: Event[]): void {
    this.#afterwards = events.filter((event) => event.type === 'dealt');
  }

  /** Animates one frame up to the new picture. */
  async tell(frame: Frame, before: TableView | null): Promise<void> {
    // Let Svelte draw the picture before this frame.
    await tick();
    this.#isCut = false;
    this.#afterwards = [];
    if (before === null || before.hand === null) {
      this.#afterwards = frame.events.filter((event) => event.type === 'dealt');
      return;
    }
    const gone: Gone = new Set();
    for (const event of frame.events) {
      if (AFTERWARDS.has(event.type)) {
        this.#afterwards.push(event);
        continue;
      }
      if (this.#isCut) return;
      this.#teller.ontold(event);
      await this.#one(event, before, gone);
    }
  }

  /** The new picture is shown: removes flying cards and animates the draws. */
  finish(shown: TableView): void {
    this.#isCut = true;
    this.#teller.stage.clear();
    const events = this.#afterwards;
    this.#afterwards = [];
    for (const event of events) {
      this.#teller.ontold(event);
      if (event.type === 'drawn') void this.#draw(event.seat, event.card, shown);
      if (event.type === 'dealt') void this.#deal(shown);
    }
  }

  async #one(event: Event, before: TableView, gone: Gone): Promise<void> {
    switch (event.type) {
      case 'played':
        await this.#play(event.seat, event.card, event.side, before, gone);
        await this.#clearAway(event.cleared, event.side);
        return;
      case 'discarded':
        await this.#move(event.seat, event.card, ['discard'], DISCARD, before, gone);
        return;
      case 'countered':
        await this.#counter(event.seat, event.card, event.hazard, event.side, before, gone);
        return;
      case 'expired':
        await this.#away(`autoroute-${event.side}`, 'AUTO');
        return;
      case 'extended':
        await this.#rest();
        return;
    }
  }

  get #pace(): number {
    return this.#teller.pace();
  }

  /** Where a seat's card flies from. A card of the viewer's hand is hidden there. */
  #origin(seat: number, card: string, before: TableView, gone: Gone): Box | null {
    const { stage } = this.#teller;
    if (seat !== before.you) return stage.place(`seat-${seat}`)?.getBoundingClientRect() ?? null;
    const dropped = this.#teller.dropped();
    const key = keysOf(before.hand?.cards ?? [])
      .filter((one) => one.startsWith(`${card}#`) && !gone.has(one))
      .at(-1);
    const place = key === undefined ? null : stage.place(`card-${key}`);
    if (key !== undefined) gone.add(key);
    stage.hide(place);
    return dropped ?? place?.getBoundingClientRect() ?? null;
  }

  async #move(
    seat: number,
    card: string,
    places: string[],
    ms: number,
    before: TableView,
    gone: Gone,
  ): Promise<void> {
    const { stage } = this.#teller;
    const from = this.#origin(seat, card, before, gone);
    const to = stage.place(...places)?.getBoundingClientRect();
    if (from === null || to === undefined) return;
    await stage.fly({ card, from, to, ms: ms * this.#pace });
  }

  async #play(
    seat: number,
    card: string,
    side: number,
    before: TableView,
    gone: Gone,
  ): Promise<void> {
    const { stage } = this.#teller;
    const places = landing(card, side);
    if (kindOf(card) !== 'hazard') {
      await this.#move(seat, card, places, PLAY, before, gone);
      return;
    }
    const from = this.#origin(seat, card, before, gone);
    const to = stage.place(...places)?.getBoundingClientRect();
    if (from === null || to === undefined) return;
    await stage.fly({
      card,
      from,
      to,
      ms: ATTACK * this.#pace,
      rise: 1.5,
      easing: 'cubic-bezier(0.5, 0, 0.8, 0.6)',
    });
    // The attacked side shakes.
    if (!this.#isCut) void this.#shake(side, 'translateX', 0);
  }

  async #shake(side: number, way: 'translateX' | 'translateY', delay: number): Promise<void> {
    const { stage } = this.#teller;
    const struck = stage.place(`side-${side}`);
    if (struck === null) return;
    const shake = [0, -5, 5, -3, 3, 0].map((by) => ({ transform: `${way}(${by}px)` }));
    await stage.run(struck, shake, { duration: 220 * this.#pace, delay });
  }

  /** Cards that leave a side go to the discard pile. */
  async #clearAway(cards: readonly string[], side: number): Promise<void> {
    for (const card of cards) {
      if (this.#isCut) return;
      await this.#away(landing(card, side)[0] ?? '', card);
    }
  }

  async #away(place: string, card: string): Promise<void> {
    const { stage } = this.#teller;
    const found = stage.place(place);
    const to = stage.place('discard')?.getBoundingClientRect();
    if (found === null || to === undefined) return;
    await stage.fly({ card, from: found.getBoundingClientRect(), to, ms: CLEAR * this.#pace });
  }

  /** The coup fourré: the safety slams down crosswise, everything shakes, the hazard bounces off. */
  async #counter(
    seat: number,
    card: string,
    hazard: string,
    side: number,
    before: TableView,
    gone: Gone,
  ): Promise<void> {
    const { stage } = this.#teller;
    const ms = COUP * this.#pace;
    const struck = stage.place(...landing(hazard, side));
    const slot = stage.place(...landing(card, side));
    const origin = this.#origin(seat, card, before, gone);
    const discard = stage.place('discard')?.getBoundingClientRect();
    const all: Promise<void>[] = [];
    if (struck !== null && discard !== undefined) {
      const from = struck.getBoundingClientRect();
      stage.hide(struck.querySelector<HTMLElement>('.card'));
      all.push(
        stage.fly({
          card: hazard,
          from,
          to: discard,
          ms: ms * (1 - SLAM),
          delay: ms * SLAM,
          turn: 380,
          rise: 1.7,
          easing: 'ease-out',
        }),
      );
    }
    if (slot !== null) {
      const to = cardBox(slot.getBoundingClientRect());
      const laid = stage.put(card, to);
      const from = origin === null ? to : cardBox(origin);
      all.push(
        stage.run(
          laid,
          [
            { transform: `${moved(from, to)} rotate(0deg)`, easing: 'ease-out' },
            // It hangs in the air for a moment, then falls with all its weight.
            { transform: 'scale(2.5) rotate(-12deg)', offset: 0.34, easing: 'ease-in-out' },
            { transform: 'scale(2.7) rotate(-18deg)', offset: 0.42, easing: 'ease-in' },
            { transform: 'scale(0.86) rotate(97deg)', offset: SLAM, easing: 'ease-out' },
            { transform: 'scale(1.07) rotate(86deg)', offset: 0.7, easing: 'ease-in-out' },
            { transform: 'scale(1) rotate(90deg)', offset: 0.82 },
            { transform: 'scale(1) rotate(90deg)' },
          ],
          { duration: ms, fill: 'both' },
        ),
      );
    }
    all.push(this.#shake(side, 'translateY', ms * SLAM));
    await Promise.all(all);
  }

  /** A moment in which the road lights up. */
  async #rest(): Promise<void> {
    const { stage } = this.#teller;
    const road = stage.place('road');
    if (road === null) return;
    const lit = [1, 1.25, 1].map((light) => ({ filter: `brightness(${light})` }));
    await stage.run(road, lit, { duration: REST * this.#pace });
  }

  async #draw(seat: number, card: string, shown: TableView): Promise<void> {
    const { stage } = this.#teller;
    const pile = stage.place('pile')?.getBoundingClientRect();
    if (pile === undefined) return;
    if (seat !== shown.you) {
      const to = stage.place(`seat-${seat}`)?.getBoundingClientRect();
      if (to === undefined) return;
      await stage.fly({ card: '?', from: pile, to, ms: DRAW * this.#pace, fades: true });
      return;
    }
    const key = keysOf(shown.hand?.cards ?? [])
      .filter((one) => one.startsWith(`${card}#`))
      .at(-1);
    const place = key === undefined ? null : stage.place(`card-${key}`);
    if (place === null) return;
    await this.#arrive(place, pile, 0);
  }

  async #deal(shown: TableView): Promise<void> {
    const { stage } = this.#teller;
    const pile = stage.place('pile')?.getBoundingClientRect();
    if (pile === undefined) return;
    const own = keysOf(shown.hand?.cards ?? []).map((key) => stage.place(`card-${key}`));
    const all = own.map((place, index) =>
      place === null ? Promise.resolve() : this.#arrive(place, pile, index * 50 * this.#pace),
    );
    shown.seats.forEach((_, seat) => {
      const to = stage.place(`seat-${seat}`)?.getBoundingClientRect();
      if (to === undefined) return;
      for (let index = 0; index < 3; index += 1) {
        const delay = index * 90 * this.#pace;
        all.push(
          stage.fly({ card: '?', from: pile, to, ms: DEAL * this.#pace, delay, fades: true }),
        );
      }
    });
    await Promise.all(all);
  }

  /** A card flies into the viewer's hand; it can be played meanwhile. */
  async #arrive(place: HTMLElement, pile: Box, delay: number): Promise<void> {
    const start = moved(cardBox(pile), cardBox(place.getBoundingClientRect()));
    await this.#teller.stage.run(
      place,
      [
        { transform: start, opacity: 0.4 },
        { transform: 'none', opacity: 1 },
      ],
      { duration: DRAW * this.#pace, delay, easing: 'ease-out', fill: 'backwards' },
    );
  }
}
