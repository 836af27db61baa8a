/** Asks the server about a text, a moment after its last change. */

import { api, troubleIn } from '../lib/api';
import type { JudgeAnswer } from '../lib/protocol';

/** Taps come faster than people read. */
const PAUSE = 200;

export class Asking {
  /** The last answer; it stays until the next one arrives. */
  answer = $state.raw<JudgeAnswer | null>(null);
  trouble = $state('');
  isWaiting = $state(false);
  #asked = 0;
  #text: string | null = null;
  #timer: ReturnType<typeof setTimeout> | undefined;

  /** Asks about this text; null takes the answer away. */
  about(text: string | null, pause = PAUSE): void {
    const turn = ++this.#asked;
    clearTimeout(this.#timer);
    this.#text = text;
    this.isWaiting = text !== null;
    if (text === null) {
      this.answer = null;
      this.trouble = '';
      return;
    }
    this.#timer = setTimeout(() => void this.#ask(text, turn), pause);
  }

  /** Asks about the same text once more, at once. */
  again(): void {
    this.about(this.#text, 0);
  }

  async #ask(text: string, turn: number): Promise<void> {
    let answer: JudgeAnswer | null = null;
    let trouble = '';
    try {
      answer = await api.judge(text);
    } catch (error) {
      trouble = troubleIn(error);
    }
    // Ignore answers about older texts.
    if (turn !== this.#asked) return;
    this.isWaiting = false;
    this.answer = answer;
    this.trouble = trouble;
  }
}
