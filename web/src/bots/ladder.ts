/**
 * The ladder of levels. Whoever is new begins at its foot. After three matches won against a level,
 * the next one is offered, once. The wins are counted on this device and serve nothing else, so
 * those of practice tables count, too, with hints and moves taken back.
 */

import { prefs } from '../lib/prefs.svelte';
import { LEVELS, type TableView } from '../lib/protocol';

/** So many matches won bring the next level. */
export const WINS = 3;

const rung = (level: string) => (LEVELS as readonly string[]).indexOf(level);

/** The level to begin with: the last one chosen, and for whoever is new the gentlest. */
export function usualLevel(levels: readonly string[]): string {
  return levels.find((level) => level === prefs.lastBots[0]) ?? levels[0] ?? '';
}

/** The level that is up next: the one below was beaten often enough, and nothing above it yet. */
export function nextLevel(levels: readonly string[]): string | null {
  const beaten = LEVELS.filter((level) => (prefs.wins[level] ?? 0) >= WINS).at(-1);
  if (beaten === undefined) return null;
  const above = LEVELS.slice(rung(beaten) + 1);
  const isBeyond = above.some((level) => prefs.wins[level]);
  return above.find((level) => !isBeyond && levels.includes(level)) ?? null;
}

/** The strongest level among the rivals whom this viewer's side has beaten, alone with bots. */
export function beatenAt(table: TableView): string | null {
  const { you, seats, hand, asked } = table;
  if (table.phase !== 'over' || you === null || hand === null) return null;
  const side = (seat: number) => seat % hand.sides.length;
  if (asked?.winner !== side(you) || seats[you]?.away) return null;
  if (seats.some(({ kind }, seat) => kind !== 'bot' && seat !== you)) return null;
  const rivals = seats.flatMap(({ level }, seat) => (side(seat) === side(you) ? [] : [level]));
  const rungs = rivals.map((level) => rung(level ?? ''));
  // A bot of the server's own stands on no rung.
  return rungs.includes(-1) ? null : (LEVELS[Math.max(...rungs)] ?? null);
}

/** Counts the win at this table, once. Returns the level to offer now, if it is the time. */
export function noteWin(id: string, table: TableView): string | null {
  const level = beatenAt(table);
  const match = `${id} ${table.asked?.decision}`;
  if (level === null || prefs.lastWin === match) return null;
  prefs.lastWin = match;
  const wins = (prefs.wins[level] = (prefs.wins[level] ?? 0) + 1);
  const next = nextLevel(table.levels);
  if (wins < WINS || next === null || prefs.offered.includes(next)) return null;
  prefs.offered.push(next);
  return next;
}
