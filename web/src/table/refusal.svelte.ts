/** What the table refused, for as long as that is fresh. */

import { untrack } from 'svelte';

import type { Session } from '../session/session.svelte';

const SHOWN = 6000;

export class Refusal {
  sentence = $state<string | null>(null);

  constructor(session: Session, onrefused: () => void) {
    $effect(() => {
      const { refusal } = session;
      this.sentence = refusal?.sentence ?? null;
      if (refusal === null) return undefined;
      untrack(onrefused);
      const timer = setTimeout(() => (this.sentence = null), SHOWN);
      return () => clearTimeout(timer);
    });
  }
}
