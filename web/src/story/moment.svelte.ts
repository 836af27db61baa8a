/** The highlights of a hand, announced in large letters on a plate over the road. */

import type { Event } from '../lib/protocol';
import { say, tell, type Names } from '../lib/words.svelte';

const SHOWN = 1600;

export class Moment {
  /** The text on the plate. */
  text = $state<string | null>(null);
  #timer: ReturnType<typeof setTimeout> | undefined;

  /** Shows an event, if it is a highlight. */
  now(event: Event, names: Names, pace: number): void {
    if (!isMoment(event)) return;
    // The cards show who answers what; the plate only says what people call out.
    const isCoup = event.type === 'countered';
    this.text = isCoup ? say('table', 'coup_fourre') : (tell(event, names)[0] ?? null);
    clearTimeout(this.#timer);
    // Without animations it still stays long enough to read.
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
