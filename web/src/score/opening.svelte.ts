/** Opens the score sheet after the last card has been seen, and closes it for the next hand. */

import { untrack } from 'svelte';

import { pace } from '../lib/prefs.svelte';
import type { Session } from '../session/session.svelte';
import type { Opened } from '../table/opened';

/** Time to see the last card … */
const PAUSE = 1200;
/** … and the car that crosses the line. */
const FINISH = 2200;

/** For as long as the calling component lives. */
export function openScoreSheet(session: Session, opened: Opened): void {
  const isBetween = $derived(
    session.table?.asked?.what === 'next' || session.table?.asked?.what === 'over',
  );
  const isScored = $derived(isBetween && session.settled);
  $effect(() => {
    if (!isBetween) {
      untrack(() => {
        if (opened.what === 'score') opened.what = null;
      });
    }
    if (!isScored) return undefined;
    const isCompleted = untrack(() => session.table?.hand?.completed_by != null);
    const pause = (isCompleted ? FINISH : PAUSE) * pace();
    const timer = setTimeout(() => (opened.what ??= 'score'), pause);
    return () => clearTimeout(timer);
  });
}
