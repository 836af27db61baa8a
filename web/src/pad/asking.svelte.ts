/** The server's answer to the newest question, asked again until it comes. */

import { ApiError, troubleIn } from '../lib/api';
import type { PadScores, ScorePad } from '../lib/protocol';

/** The first wait after a failure; each further one is twice as long. */
const PATIENCE = 2000;
const MOST_PATIENCE = 30_000;

export type Score = (question: ScorePad) => Promise<PadScores>;

/** Is it of no use to ask the same again? Not for a server that is away, or asked too often. */
export function isFinal(error: unknown): boolean {
  return (
    error instanceof ApiError && error.status >= 400 && error.status < 500 && error.status !== 429
  );
}

export class Asking {
  /** The newest answer; it stays until the next one comes. */
  answer = $state.raw<PadScores | null>(null);
  /** Why there is no answer to the newest question, as a sentence. */
  trouble = $state('');
  /** Is it of no use to ask again? */
  isRefused = $state(false);
  /** The question that `answer` is for. */
  #answered = '';
  #question: ScorePad | null = null;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #turn = 0;
  #score: Score;

  constructor(score: Score) {
    this.#score = score;
  }

  /** Does `answer` answer this? */
  knows(question: ScorePad): boolean {
    return this.answer !== null && this.#answered === JSON.stringify(question);
  }

  /** Asks, after a pause in which another question may replace it. Null: nothing to ask. */
  ask(question: ScorePad | null, pause = 0): void {
    this.stop();
    this.#question = question;
    this.trouble = '';
    this.isRefused = false;
    if (question === null) this.answer = null;
    else if (!this.knows(question)) this.#later(pause, PATIENCE);
  }

  /** Takes an answer that came another way. */
  settle(question: ScorePad, answer: PadScores): void {
    this.stop();
    this.answer = answer;
    this.#answered = JSON.stringify(question);
    this.trouble = '';
  }

  /** Asks again at once: the network is back. */
  again(): void {
    if (this.trouble !== '') this.#later(0, PATIENCE);
  }

  forget(): void {
    this.stop();
    this.answer = null;
  }

  stop(): void {
    clearTimeout(this.#timer);
    this.#turn++;
  }

  #later(pause: number, patience: number): void {
    this.stop();
    this.#timer = setTimeout(() => void this.#try(patience), pause);
  }

  async #try(patience: number): Promise<void> {
    const turn = this.#turn;
    const question = this.#question;
    if (question === null) return;
    try {
      const answer = await this.#score(question);
      if (turn === this.#turn) this.settle(question, answer);
    } catch (error) {
      if (turn !== this.#turn) return;
      this.trouble = troubleIn(error);
      this.isRefused = isFinal(error);
      if (!this.isRefused) this.#later(patience, Math.min(2 * patience, MOST_PATIENCE));
    }
  }
}
