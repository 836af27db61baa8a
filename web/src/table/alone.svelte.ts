/**
 * A person alone with bots need not press Continue for an attack that they cannot answer: the page
 * does, once they have seen it. With others at the table it never does, because how soon the
 * window closes would tell what they hold.
 */

import type { TableView } from '../lib/protocol';
import type { Session } from '../session/session.svelte';

/** Time to see the attack. */
const PAUSE = 900;
const CONTINUE = '-';

/** The decision that the page may answer by itself; null if there is none. */
export function freeToContinue({ asked, you, hand, seats }: TableView): number | null {
  if (asked?.what !== 'window' || you === null || !asked.seats.includes(you)) return null;
  // Without a deadline nobody else waits for the answer.
  if (asked.deadline !== null || seats[you]?.away) return null;
  const moves = hand?.legal_moves ?? [];
  return moves.length === 1 && moves[0] === CONTINUE ? asked.decision : null;
}

/** Follows a session for as long as the calling component lives. */
export function continueAlone(session: Session): void {
  const decision = $derived(
    session.settled && session.table !== null ? freeToContinue(session.table) : null,
  );
  $effect(() => {
    if (decision === null) return undefined;
    const timer = setTimeout(() => session.move(CONTINUE), PAUSE);
    return () => clearTimeout(timer);
  });
}
