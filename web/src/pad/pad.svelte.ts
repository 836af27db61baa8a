/** The score pad's state: what is kept on the device, and what the server makes of it. */

import { api, troubleIn } from '../lib/api';
import type { PadHand, PadScores } from '../lib/protocol';
import { Asking, isFinal, type Score } from './asking.svelte';
import { decode, decodeDraft, encode, encodeDraft } from './code';
import {
  draftOf,
  emptyDraft,
  handOf,
  nextMissing,
  question,
  sidesOf,
  type Draft,
  type Match,
} from './match';

const KEY = 'millebornes-pad';
/** Wait this long after the last tap before asking. */
const PAUSE = 120;

/** Where a match is kept. */
export interface Drawer {
  read: () => string | null;
  write: (text: string) => void;
}

/** A browser may forbid storage; then a match lasts as long as the page. */
const DEVICE: Drawer = {
  read: () => {
    try {
      return localStorage.getItem(KEY);
    } catch {
      return null;
    }
  },
  write: (text) => {
    try {
      localStorage.setItem(KEY, text);
    } catch {
      // See above.
    }
  },
};

export class Pad {
  /** The match of this device; null: none has been started. */
  match = $state.raw<Match | null>(null);
  /** A match from a link, to look at. */
  shared = $state.raw<Match | null>(null);
  /** Is the link unreadable? */
  isUnreadable = $state(false);
  draft = $state.raw<Draft>(emptyDraft(2));
  /** The earlier hand that is being entered again; null: the next hand is. */
  editing = $state<number | null>(null);
  /** The side whose miles are being entered. */
  open = $state<number | null>(null);
  isSaving = $state(false);
  /** Why a hand was not saved. */
  refusal = $state('');

  /** What the server says of the match that is shown. */
  readonly saved: Asking;
  /** What it says of the match with the entered hand. */
  readonly tried: Asking;

  readonly shown = $derived(this.shared ?? this.match);

  #drawer: Drawer;
  #score: Score;
  /** What is entered next, once the hand in the form is saved or left as it was. */
  #aside: Draft | null = null;

  constructor(score: Score = api.scorePad, drawer: Drawer = DEVICE) {
    this.#score = score;
    this.#drawer = drawer;
    this.saved = new Asking(score);
    this.tried = new Asking(score);
    this.#open(drawer.read());
  }

  get scores(): PadScores | null {
    return this.saved.answer;
  }

  /** The entered hand; null while something is missing. */
  get hand(): PadHand | null {
    return this.scores && handOf(this.draft, this.scores);
  }

  /** Asks and keeps for as long as the calling component lives. */
  run(): void {
    $effect(() => this.saved.ask(this.shown && question(this.shown)));
    $effect(() => this.tried.ask(this.#whole(), PAUSE));
    $effect(() => {
      const { match, draft, editing } = this;
      if (match === null) return;
      this.#drawer.write(`${encode(match)}\n${encodeDraft(draft)}\n${editing ?? ''}`);
    });
    $effect(() => () => {
      this.saved.stop();
      this.tried.stop();
    });
  }

  #open(text: string | null): void {
    const [match = '', draft = '', editing = ''] = text?.split('\n') ?? [];
    this.match = decode(match);
    if (this.match === null) return;
    const sides = sidesOf(this.match);
    this.draft = decodeDraft(draft, sides) ?? emptyDraft(sides);
    const at = Number(editing);
    this.editing = editing !== '' && at in this.match.hands ? at : null;
    this.open = this.#firstOpen();
  }

  /** Another tab has changed the match. */
  changedElsewhere(event: StorageEvent): void {
    if (event.key !== KEY || event.newValue === null) return;
    this.#aside = null;
    this.#open(event.newValue);
  }

  /** Shows the match of a link, beside the one of this device. */
  follow(fragment: string): void {
    const found = fragment === '' ? null : decode(fragment);
    this.isUnreadable = fragment !== '' && found === null;
    const isOwn = found && this.match && encode(found) === encode(this.match);
    this.saved.forget();
    this.shared = isOwn ? null : found;
  }

  /** Makes the match of the link the one of this device. */
  keep(): void {
    if (this.shared) this.start(this.shared);
  }

  start(match: Match): void {
    this.saved.forget();
    this.shared = null;
    this.match = match;
    this.#aside = emptyDraft(sidesOf(match));
    this.#next();
  }

  /** The match with the entered hand, up to a hand, as a question; null while it is incomplete. */
  #whole(end?: number): ReturnType<typeof question> | null {
    if (this.match === null || this.shared !== null || this.hand === null) return null;
    return question(this.match, this.#hands(this.match, this.hand).slice(0, end));
  }

  #hands(match: Match, hand: PadHand): PadHand[] {
    const at = this.editing ?? match.hands.length;
    return [...match.hands.slice(0, at), hand, ...match.hands.slice(at + 1)];
  }

  /** Without this hand and those after it, the match is possible: it was over before. */
  get surplus(): number | null {
    const fault = this.hand && this.tried.answer?.fault;
    if (this.editing === null || fault?.code !== 'after_the_match') return null;
    return fault.hand > this.editing ? fault.hand : null;
  }

  /** Saves the entered hand if it is possible; unchecked only if there is no answer. */
  async save(end?: number): Promise<void> {
    const whole = this.#whole(end);
    if (whole === null || this.match === null || this.isSaving) return;
    this.refusal = '';
    this.isSaving = true;
    try {
      if (!this.tried.knows(whole)) this.tried.settle(whole, await this.#score(whole));
    } catch (error) {
      if (isFinal(error)) {
        this.refusal = troubleIn(error);
        return;
      }
    } finally {
      this.isSaving = false;
    }
    const answer = this.tried.knows(whole) ? this.tried.answer : null;
    if (answer?.fault) return;
    if (answer) this.saved.settle(whole, answer);
    this.match = { ...this.match, hands: whole.hands ?? [] };
    this.#next();
  }

  #next(): void {
    this.draft = this.#aside ?? emptyDraft(this.draft.miles.length);
    this.#aside = null;
    this.editing = null;
    this.open = this.#firstOpen();
    this.refusal = '';
  }

  /** Whose miles are asked first: nobody's, until it is known who finished. */
  #firstOpen(): number | null {
    return this.draft.finished === null ? null : nextMissing(this.draft, -1);
  }

  /** Takes back the last hand, and puts it into the form. */
  undo(): void {
    const last = this.match?.hands.at(-1);
    if (!this.match || !last) return;
    this.match = { ...this.match, hands: this.match.hands.slice(0, -1) };
    this.#aside = draftOf(last);
    this.#next();
  }

  /** Takes away a hand and those after it. */
  drop(from: number): void {
    if (this.match) this.match = { ...this.match, hands: this.match.hands.slice(0, from) };
  }

  /** Enters an earlier hand again. */
  edit(at: number): void {
    const hand = this.match?.hands[at];
    if (!hand) return;
    if (this.editing === null) this.#aside = this.draft;
    this.editing = at;
    this.draft = draftOf(hand);
    this.open = null;
    this.refusal = '';
  }

  /** Leaves the earlier hand as it was. */
  cancel(): void {
    this.#next();
  }

  again(): void {
    this.saved.again();
    this.tried.again();
  }
}
