/** How cards are shown. The rules stay on the server. */

import { FAMILIES } from './protocol';

export type Kind = keyof typeof FAMILIES | 'unknown';

const KINDS = new Map<string, Kind>(
  Object.entries(FAMILIES).flatMap(([kind, codes]) =>
    codes.map((code): [string, Kind] => [code, kind as Kind]),
  ),
);

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
  return KINDS.get(code) ?? 'unknown';
}

/** The order in which a hand is shown: indices into `cards`; equal cards keep their order. */
export function sortHand(cards: string[]): number[] {
  const rank = (code: string) => (SHOWN.includes(code) ? SHOWN.indexOf(code) : SHOWN.length);
  return cards
    .map((code, index) => ({ index, rank: rank(code) }))
    .sort((a, b) => a.rank - b.rank || a.index - b.index)
    .map(({ index }) => index);
}
