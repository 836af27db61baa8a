/** The moments of a hand: a plate over the road says in large letters what has just happened. */

import type { Event } from '../lib/protocol';
import { say, tell, type Names } from '../lib/words.svelte';

const SHOWN = 1600;

export class Moment {
  /** What the plate says. */
  text = $state<string | null>(null);
  #timer: ReturnType<typeof setTimeout> | undefined;

  /** This has happened: does everybody look up? */
  now(event: Event, names: Names, pace: number): void {
    if (!isMoment(event)) return;
    // The cards say who answers what; the word is what one calls out.
    const isCoup = event.type === 'countered';
    this.text = isCoup ? say('table', 'coup_fourre') : (tell(event, names)[0] ?? null);
    clearTimeout(this.#timer);
    // It can be read even where nothing moves.
    this.#timer = setTimeout(() => (this.text = null), SHOWN * (pace || 1));
  }

  clear(): void {
    clearTimeout(this.#timer);
    this.text = null;
  }
}

function isMoment(event: Event): boolean {
  return ['countered', 'extended', 'hand_ended'].includes(event.type);
}
