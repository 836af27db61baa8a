/** What is asked at the table, once its picture is shown. */

import { untrack } from 'svelte';

import { play } from '../lib/sound';
import type { Session } from '../session/session.svelte';

export class Decision {
  readonly #session: Session;
  /** The number of the decision; null while a story is being told. */
  number = $derived.by(() => {
    const { settled, table } = this.#session;
    return settled ? (table?.asked?.decision ?? null) : null;
  });
  #last: number | null = null;

  /** @param onnew called when something new is asked; chat and news in between do not count. */
  constructor(session: Session, onnew: () => void) {
    this.#session = session;
    $effect(() => {
      const { number } = this;
      if (number === null || number === this.#last) return;
      this.#last = number;
      untrack(() => {
        onnew();
        if (this.isFor('turn') || this.isFor('window')) play('turn');
      });
    });
  }

  /** Is this asked of the viewer? */
  isFor(what: string): boolean {
    const { asked, you } = this.#session.table ?? { asked: null, you: null };
    return asked?.what === what && you !== null && asked.seats.includes(you);
  }
}
