/**
 * Takes the seat back from the bot that plays for a person who was away: after a lost line as soon
 * as they can see the page, after a missed clock with their first touch or key.
 */

import type { TableView } from '../lib/protocol';

export class Returning {
  /** Does a bot play for us? */
  #isAway = false;
  /** Was the line lost since the seat was last ours? A page that has just been opened had none. */
  #wasLost = true;
  /** Has the seat been asked for? The bot may still have to make the move that took too long. */
  #isAsked = false;

  constructor(
    private readonly ask: () => void,
    private readonly isHidden: () => boolean,
  ) {}

  /** A new picture. */
  see({ you, phase, seats }: TableView): void {
    this.#isAway = phase === 'playing' && you !== null && seats[you]?.away === true;
    if (this.#isAway) this.back();
    else this.#wasLost = this.#isAsked = false;
  }

  /** The line was lost. */
  lose(): void {
    this.#wasLost = true;
    this.#isAsked = false;
  }

  /** The page may be visible again. */
  back(): void {
    if (this.#wasLost && !this.isHidden()) this.touch();
  }

  /** The person has touched the page. */
  touch(): void {
    if (!this.#isAway || this.#isAsked) return;
    this.#isAsked = true;
    this.ask();
  }
}
