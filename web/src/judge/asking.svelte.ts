/** Asks the server, a moment after the last change. */

import { api, troubleIn } from '../lib/api';
import type { JudgeAnswer } from '../lib/protocol';

/** Taps come faster than people read. */
const PAUSE = 200;

export interface Question {
  text: string;
  /** The edition to judge by; null: the one that the text names. */
  edition: string | null;
}

export class Asking {
  /** The last answer; it stays until the next one arrives. */
  answer = $state.raw<JudgeAnswer | null>(null);
  trouble = $state('');
  isWaiting = $state(false);
  #asked = 0;
  #question: Question | null = null;
  #timer: ReturnType<typeof setTimeout> | undefined;

  /** Asks this; null takes the answer away. */
  about(question: Question | null, pause = PAUSE): void {
    const turn = ++this.#asked;
    clearTimeout(this.#timer);
    this.#question = question;
    this.isWaiting = question !== null;
    if (question === null) {
      this.answer = null;
      this.trouble = '';
      return;
    }
    this.#timer = setTimeout(() => void this.#ask(question, turn), pause);
  }

  /** Asks the same once more, at once. */
  again(): void {
    this.about(this.#question, 0);
  }

  async #ask({ text, edition }: Question, turn: number): Promise<void> {
    let answer: JudgeAnswer | null = null;
    let trouble = '';
    try {
      answer = await api.judge(text, edition);
    } catch (error) {
      trouble = troubleIn(error);
    }
    // Ignore answers to older questions.
    if (turn !== this.#asked) return;
    this.isWaiting = false;
    this.answer = answer;
    this.trouble = trouble;
  }
}
