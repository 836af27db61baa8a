/** Making a move: choosing a card, then its target; by pointer or keyboard. */

import type { HandView, TableView } from '../lib/protocol';
import { discardOf, dropName, keysOf, playsOf, type Option } from './moves';

/** The part of a session that this needs. */
export interface Played {
  readonly table: TableView | null;
  readonly settled: boolean;
  /** The move that was sent, until the table shown has confirmed or refused it. */
  readonly sent: string | null;
  move(token: string): void;
}

/** A legal move that is probably a mistake: it asks first. */
export interface Question {
  token: string;
  doubt: string;
}

export class Acting {
  /** The chosen card, by its key. */
  selected = $state<string | null>(null);
  /** The card pointed at or focused: the status line describes it. */
  regarded = $state<string | null>(null);
  question = $state.raw<Question | null>(null);
  readonly #session: Played;

  constructor(session: Played) {
    this.#session = session;
  }

  get #hand(): HandView | null {
    return this.#session.table?.hand ?? null;
  }

  /** Can this viewer answer the decision now? */
  get isAsked(): boolean {
    const { table, settled, sent } = this.#session;
    if (!settled || table === null || table.you === null || table.asked === null) return false;
    if (sent !== null || !table.asked.seats.includes(table.you)) return false;
    if (table.seats[table.you]?.away) return false;
    return (table.hand?.legal_moves.length ?? 0) > 0;
  }

  /** Is it this viewer's turn to play or discard a card? */
  get isTurn(): boolean {
    return this.isAsked && this.#session.table?.asked?.what === 'turn';
  }

  get keys(): string[] {
    return keysOf(this.#hand?.cards ?? []);
  }

  cardOf(key: string): string {
    return key.split('#')[0] ?? key;
  }

  get card(): string | null {
    return this.selected === null ? null : this.cardOf(this.selected);
  }

  /** The ways to play a card in the viewer's turn. */
  plays(card: string | null): Option[] {
    return card === null || !this.isTurn ? [] : playsOf(card, this.#hand?.legal_moves ?? []);
  }

  discard(card: string | null): string | null {
    return card === null || !this.isTurn ? null : discardOf(card, this.#hand?.legal_moves ?? []);
  }

  /** The drop zones for this card, each with its move. */
  drops(card: string | null): Record<string, string> {
    const you = this.#session.table?.you ?? 0;
    const own = you % (this.#hand?.sides.length ?? 1);
    const drops: Record<string, string> = {};
    for (const { token, target } of this.plays(card)) drops[dropName(target, own)] = token;
    const discard = this.discard(card);
    if (discard !== null) drops.discard = discard;
    return drops;
  }

  /** A tap on a card: the first chooses it, the second plays it if it has one target. */
  tap(key: string): void {
    if (!this.isTurn) return;
    if (this.selected !== key) {
      this.selected = key;
      return;
    }
    const [only, ...others] = this.plays(this.card);
    if (only === undefined) this.selected = null;
    else if (others.length === 0) this.act(only.token);
  }

  /** Clears the chosen card, so that the status line can show something else. */
  lookUp(): void {
    this.selected = null;
    this.regarded = null;
  }

  /** Something else is asked: clears what was chosen for the last decision. */
  forget(): void {
    this.selected = null;
    this.question = null;
  }

  /** Makes a move, or asks first if it is probably a mistake. */
  act(token: string): void {
    if (!this.isAsked || !this.#hand?.legal_moves.includes(token)) return;
    const doubt = this.#hand.doubts?.[token];
    if (doubt !== undefined) {
      this.question = { token, doubt };
      return;
    }
    this.#move(token);
  }

  /** The person has answered the question. */
  answer(isMeant: boolean): void {
    const asked = this.question;
    this.question = null;
    if (isMeant && asked !== null && this.isAsked) this.#move(asked.token);
  }

  #move(token: string): void {
    this.selected = null;
    this.#session.move(token);
  }
}
