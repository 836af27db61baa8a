/** What people and sides are called on the judge's page. */

import { cardName, say } from '../lib/words.svelte';
import { hasTarget, type Move, type Position } from './position';

type Named = Pick<Position, 'names' | 'players'>;

export function seatName(seat: number, { names }: Named): string {
  return names[seat] || say('judge', 'player', { number: seat + 1 });
}

/** The players of a side, who sit opposite each other. */
export function sideName(side: number, sides: number, named: Named): string {
  const partner = side + sides;
  const first = seatName(side, named);
  if (partner >= named.players) return first;
  return say('judge', 'team', { first, second: seatName(partner, named) });
}

/** A move as a short text: who, what, on whom. */
export function moveName(move: Move, sides: number, named: Named): string {
  const params = {
    seat: seatName(move.seat, named),
    card: cardName(move.card ?? '?'),
    side: sideName(move.onto, sides, named),
  };
  return say('judge', hasTarget(move) ? 'did_attack' : `did_${move.doing}`, params);
}
