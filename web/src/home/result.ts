/** The result of a finished game, side by side, the best first. */

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
  // Equal at the top: nobody has won.
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
