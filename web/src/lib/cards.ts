/** How cards are shown. The rules stay on the server. */

import { FAMILIES } from './protocol';

export type Kind = keyof typeof FAMILIES | 'unknown';

const KINDS = Object.keys(FAMILIES) as (keyof typeof FAMILIES)[];

/** The order of a hand from left to right: distances, remedies, safeties, hazards. */
const SHOWN: string[] = [
  ...[...FAMILIES.distance].reverse(),
  ...['ROLL', 'EOL', 'GAS', 'SPARE', 'REP'],
  ...FAMILIES.safety,
  ...FAMILIES.autoroute,
  ...FAMILIES.hazard,
];

/** The kind of a card; `unknown` for a hidden card, or one of a newer server. */
export function kindOf(code: string): Kind {
  return KINDS.find((kind) => (FAMILIES[kind] as readonly string[]).includes(code)) ?? 'unknown';
}

/** The order in which a hand is shown: indices into `cards`; equal cards keep their order. */
export function sortHand(cards: string[]): number[] {
  const rank = (code: string) => (SHOWN.includes(code) ? SHOWN.indexOf(code) : SHOWN.length);
  // Sorting is stable.
  const ranks = cards.map(rank);
  return [...cards.keys()].sort((a, b) => (ranks[a] ?? 0) - (ranks[b] ?? 0));
}
