/** The result of a finished game by side, the best first. */

import type { GameInfo } from '../lib/protocol';

export interface SideResult {
  side: number;
  /** Partners are named together. */
  name: string;
  total: number;
  won: boolean;
}

export function resultOf(game: GameInfo): SideResult[] {
  const best = Math.max(...game.totals);
  // A tie for first place has no winner.
  const isDrawn = game.totals.filter((total) => total === best).length > 1;
  return game.totals
    .map((total, side) => ({
      side,
      name: game.names.filter((_, seat) => seat % game.totals.length === side).join(' & '),
      total,
      won: total === best && !isDrawn,
    }))
    .sort((a, b) => b.total - a.total || a.side - b.side);
}
