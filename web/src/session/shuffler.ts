/**
 * Takes part in the shuffles of one table, and checks each when its hand has ended: against what
 * this page saw and sent itself, and against the cards it saw.
 */

import { bytesToHex } from '@noble/hashes/utils.js';

import type { Event, Fair, In, TableView } from '../lib/protocol';
import {
  ENTROPY_SIZE,
  canonicalDeck,
  clientCommit,
  isSound,
  readTranscript,
  type Transcript,
} from './fair';
import type { Memory } from './memory';

/** One shuffle as this page saw it, and what it contributed. */
interface Round {
  hand: number;
  ctx: string;
  /** C, as the server published it. */
  commit: string;
  /** Every K that was broadcast, by seat. */
  commits: Record<string, string>;
  /** The seat of this page; null for a spectator. */
  seat: number | null;
  /** E of that seat. */
  entropy: string | null;
  /** Has this page seen all K? Until then more may come. */
  closed: boolean;
}

/** A card that a seat drew (`?` if its face was hidden) or played. */
interface Seen {
  seat: number;
  card: string;
}

/** This hand's shuffle and the next one's. */
const KEPT = 2;
const NOTE = 'shuffles';

export class Shuffler {
  #rounds: Round[];
  /** The cards drawn from the deck in order; null if this page did not see the deal. */
  #taken: Seen[] | null = null;
  #laid: Seen[] = [];
  /** Messages already sent on this connection. */
  #sent = new Set<string>();

  constructor(
    /** Stored, because after losing the entropy in a reload the seat could not reveal it. */
    private readonly memory: Pick<Memory, 'read' | 'write'>,
    private readonly random: (size: number) => Uint8Array,
  ) {
    const kept = memory.read(NOTE);
    this.#rounds = Array.isArray(kept) ? (kept as Round[]) : [];
  }

  /** A new connection: messages on the last one may be lost. */
  startAgain(): void {
    this.#sent.clear();
  }

  /** Notes the shuffle that a picture shows. */
  see(table: TableView): void {
    if (table.fair === null) return;
    const round = this.#round(table.fair, table.you);
    const closed = round.closed || table.fair.stage !== 'commit';
    const isNew = (seat: string) => round.commits[seat] === undefined;
    if (closed === round.closed && !Object.keys(table.fair.commits).some(isNew)) return;
    round.closed = closed;
    // The first K of a seat counts, as the first C does.
    round.commits = { ...table.fair.commits, ...round.commits };
    this.#write();
  }

  /** The message that the shuffle needs from this seat now. */
  answer(table: TableView): In | null {
    const fair = table.fair;
    if (fair === null || table.you === null || fair.stage === 'ready') return null;
    const round = this.#round(fair, table.you);
    const { seat, entropy } = round;
    const step = `${fair.hand} ${fair.stage}`;
    if (seat === null || entropy === null || this.#sent.has(step)) return null;
    const own = clientCommit(round.ctx, seat, round.commit, entropy);
    const published = fair.commits[String(seat)];
    if (fair.stage === 'commit' && published === undefined) {
      this.#sent.add(step);
      return { type: 'commit', hand: fair.hand, commit: own };
    }
    if (fair.stage === 'reveal' && published === own) {
      this.#sent.add(step);
      return { type: 'reveal', hand: fair.hand, entropy };
    }
    return null;
  }

  /** Notes the cards that an event shows. */
  follow(event: Event): void {
    switch (event.type) {
      case 'dealt':
        this.#taken = dealt(event.dealer, event.hands);
        this.#laid = [];
        break;
      case 'drawn':
        this.#taken?.push({ seat: event.seat, card: event.card });
        break;
      case 'played':
      case 'discarded':
      case 'countered':
        this.#laid.push({ seat: event.seat, card: event.card });
    }
  }

  /** The deal was missed or taken back: the cards of this hand prove nothing. */
  loseTrack(): void {
    this.#taken = null;
  }

  /**
   * Was the ended hand shuffled as promised? null if this page did not
   * see enough to check, or its seat took no part.
   */
  check(hand: number, data: Record<string, unknown>): boolean | null {
    const transcript = readTranscript(data);
    if (transcript === null || !isSound(transcript)) return false;
    const deck = canonicalDeck(transcript.ctx);
    if (deck !== null && !this.#isDealtFrom(deck, transcript.deck)) return false;
    const round = this.#rounds.find((one) => one.hand === hand);
    if (round === undefined) return null;
    if (!isPromised(transcript, round)) return false;
    const own = transcript.clients.find((one) => one.seat === round.seat);
    const hasPart = round.seat === null || typeof own?.entropy === 'string';
    const sawAll = round.closed && deck !== null && this.#taken !== null;
    return sawAll && hasPart ? true : null;
  }

  /** Does every card seen match this deck, in its order? */
  #isDealtFrom(deck: string[], order: number[]): boolean {
    if (deck.length !== order.length) return false;
    const held: string[][] = [];
    for (const [place, { seat, card }] of (this.#taken ?? []).entries()) {
      const real = deck[order[place] ?? -1];
      if (real === undefined || (card !== '?' && card !== real)) return false;
      (held[seat] ??= []).push(real);
    }
    if (this.#taken === null) return true;
    // Cards that others played must have been in their hands.
    return this.#laid.every(({ seat, card }) => {
      const at = held[seat]?.indexOf(card) ?? -1;
      if (at >= 0) held[seat]?.splice(at, 1);
      return at >= 0;
    });
  }

  #round(fair: Fair, you: number | null): Round {
    const { hand, ctx, commit } = fair;
    const known = this.#rounds.find((one) => one.hand === hand && one.ctx === ctx);
    // The first C counts: a different one later would be a broken promise.
    if (known !== undefined) return known;
    const round: Round = {
      hand,
      ctx,
      commit,
      commits: {},
      seat: you,
      entropy: you === null ? null : bytesToHex(this.random(ENTROPY_SIZE)),
      closed: false,
    };
    this.#rounds = [...this.#rounds.slice(1 - KEPT), round];
    this.#write();
    return round;
  }

  #write(): void {
    this.memory.write(NOTE, this.#rounds);
  }
}

/** The deal goes round, a card at a time, beginning left of the dealer. */
function dealt(dealer: number, hands: string[][]): Seen[] {
  const players = hands.length;
  const rounds = hands[0]?.length ?? 0;
  return Array.from({ length: rounds * players }, (_, place) => {
    const seat = (dealer + 1 + (place % players)) % players;
    return { seat, card: hands[seat]?.[Math.floor(place / players)] ?? '?' };
  });
}

/** Does the transcript match the commitments of the server and the seats? */
function isPromised(transcript: Transcript, round: Round): boolean {
  if (transcript.ctx !== round.ctx || transcript.commit !== round.commit) return false;
  const brought = new Map(transcript.clients.map(({ seat, commit }) => [seat, commit]));
  const shown = Object.entries(round.commits);
  if (!shown.every(([seat, commit]) => brought.get(Number(seat)) === commit)) return false;
  // A contribution without a broadcast commitment could have been chosen last.
  const hidden = [...brought].some(([seat, k]) => k !== '' && round.commits[seat] !== k);
  return !(round.closed && hidden);
}
