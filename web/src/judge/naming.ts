/** What people and sides are called on the judge's page. */

import { cardName, say } from '../lib/words.svelte';
import { hasTarget, type Move } from './position';

export function seatName(seat: number): string {
  return say('judge', 'player', { number: seat + 1 });
}

/** The players of a side, which sit opposite each other. */
export function sideName(side: number, sides: number, players: number): string {
  const members = [];
  for (let seat = side; seat < players; seat += sides) members.push(seat);
  const [first = 0, second] = members;
  if (second === undefined) return seatName(first);
  return say('judge', 'team', { first: first + 1, second: second + 1 });
}

/** A move as a short text: who, what, on whom. */
export function moveName(move: Move, sides: number, players: number): string {
  const params = {
    seat: seatName(move.seat),
    card: cardName(move.card ?? '?'),
    side: sideName(move.onto, sides, players),
  };
  return say('judge', hasTarget(move) ? 'did_attack' : `did_${move.doing}`, params);
}
