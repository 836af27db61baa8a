/** The current decision, once its picture is shown. */

import { untrack } from 'svelte';

import { play } from '../lib/sound';
import type { Session } from '../session/session.svelte';

export type Decision = ReturnType<typeof decisionOf>;

/**
 * Follows a session for as long as the calling component lives.
 * @param onnew called when something new is asked; chat and news in between do not count.
 */
export function decisionOf(session: Session, onnew: () => void) {
  const number = $derived(session.settled ? (session.table?.asked?.decision ?? null) : null);

  /** Is this asked of the viewer? */
  function isFor(what: string): boolean {
    const { asked, you } = session.table ?? { asked: null, you: null };
    return asked?.what === what && you !== null && asked.seats.includes(you);
  }

  let last: number | null = null;
  $effect(() => {
    if (number === null || number === last) return;
    last = number;
    untrack(() => {
      onnew();
      if (isFor('turn') || isFor('window')) play('turn');
    });
  });

  return {
    isFor,
    /** Its number; null while a story is being told. */
    get number() {
      return number;
    },
  };
}
