/** Counts matches won against bots, and keeps the offer that follows. */

import { untrack } from 'svelte';

import type { Session } from '../session/session.svelte';
import { beatenAt, noteWin } from './ladder';

export interface Offered {
  level: string;
  beaten: string;
}

/** Follows a session for as long as the calling component lives. */
export function offersAt(session: Session) {
  let offered = $state.raw<Offered | null>(null);
  const isOver = $derived(session.table?.phase === 'over');
  $effect(() => {
    if (!isOver) {
      offered = null;
      return;
    }
    untrack(() => {
      const { table } = session;
      const beaten = table && beatenAt(table);
      const level = beaten === null ? null : table && noteWin(session.id, table);
      if (beaten !== null && level !== null) offered = { level, beaten };
    });
  });
  return {
    /** The level that is offered since the match at this table was won. */
    get offered() {
      return offered;
    },
  };
}
