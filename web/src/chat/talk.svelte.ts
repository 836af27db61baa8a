/** The log and the chat of a table in play: are they in sight, and what was said meanwhile? */

import { untrack } from 'svelte';
import { MediaQuery } from 'svelte/reactivity';

import type { Session } from '../session/session.svelte';

export class Talk {
  /** Has it been opened over the table? */
  isOpen = $state(false);
  readonly #session: Session;
  readonly #wide = new MediaQuery('(min-width: 960px) and (min-height: 560px)');
  readonly #said = $derived.by(() =>
    this.#session.log.filter(({ kind, mine }) => (kind === 'chat' || kind === 'emote') && !mine),
  );
  /** The first line that has not been in sight. */
  #unseen = $state(0);

  constructor(session: Session) {
    this.#session = session;
    $effect(() => {
      const last = this.#said.at(-1)?.id ?? -1;
      if (this.isShown) untrack(() => (this.#unseen = last + 1));
    });
  }

  /** Is there room for it beside the table? */
  get isBeside(): boolean {
    return this.#wide.current;
  }

  get isShown(): boolean {
    return this.isBeside || this.isOpen;
  }

  /** How many messages from others have come while the chat was out of sight. */
  get unread(): number {
    return this.#said.filter(({ id }) => id >= this.#unseen).length;
  }
}
