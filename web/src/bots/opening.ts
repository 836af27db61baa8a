/** Opens a table for one person and bots. */

import { REFERENCE } from '../help/rules';
import { api } from '../lib/api';
import { planFor } from '../lib/plan';
import { prefs } from '../lib/prefs.svelte';
import type { NewTable } from '../lib/protocol';
import { go, tablePath } from '../lib/router.svelte';
import { say } from '../lib/words.svelte';

/** The name of the person, who needs none against bots alone. */
export function ownName(): string {
  return prefs.name.trim() || say('name', 'default');
}

/** A practice table of this edition. Nobody else waits for the answer to an attack, so there is
 * time to read. */
export function practiceTable(edition: string | null, players: number): NewTable {
  return { name: ownName(), edition, players, practice: true, window: 20_000 };
}

/** Goes to a new table, which seats the bots and starts. *Play now* repeats it from then on. */
export async function openAgainst(levels: string[], wanted: NewTable): Promise<void> {
  const table = await api.open(wanted);
  prefs.last = { ...wanted, name: prefs.name };
  prefs.lastBots = levels;
  planFor(table, { bots: levels, start: true });
  go(tablePath(table));
}

/** The same game as the last one, against bots of one level. */
export async function playAgainst(level: string): Promise<void> {
  const wanted = prefs.last ? { ...prefs.last, name: ownName() } : practiceTable(REFERENCE, 2);
  await openAgainst(
    Array.from({ length: (wanted.players ?? 2) - 1 }, () => level),
    wanted,
  );
}
