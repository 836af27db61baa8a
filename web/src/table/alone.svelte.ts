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
export function freeToContinue(table: TableView): number | null {
  const { asked, you, seats } = table;
  // Without a deadline nobody else waits for the answer.
  if (asked === null || asked.deadline !== null || !canOnlyContinue(table)) return null;
  return you !== null && seats[you]?.away ? null : asked.decision;
}

/**
 * Is an attack that the viewer cannot answer about to pass, with only bots around? Then nothing is
 * counted down. Tables of older releases have a short deadline even so.
 */
export function isFree(table: TableView): boolean {
  const { seats, you, watching } = table;
  const isAlone = seats.every(({ kind }, seat) => kind === 'bot' || seat === you);
  return isAlone && watching.length === 0 && canOnlyContinue(table);
}

function canOnlyContinue({ asked, you, hand }: TableView): boolean {
  if (asked?.what !== 'window' || you === null || !asked.seats.includes(you)) return false;
  const moves = hand?.legal_moves ?? [];
  return moves.length === 1 && moves[0] === CONTINUE;
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
