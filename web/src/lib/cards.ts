/** Presentational facts of cards. The rules stay with the server. */

import { FAMILIES } from './protocol';

export type Kind = keyof typeof FAMILIES | 'unknown';

const KINDS = new Map<string, Kind>(
  Object.entries(FAMILIES).flatMap(([kind, codes]) =>
    codes.map((code): [string, Kind] => [code, kind as Kind]),
  ),
);

/** A hand from left to right: what drives, what mends, what protects, what strikes. */
const SHOWN: string[] = [
  ...[...FAMILIES.distance].reverse(),
  ...['ROLL', 'EOL', 'GAS', 'SPARE', 'REP'],
  ...FAMILIES.safety,
  ...FAMILIES.autoroute,
  ...FAMILIES.hazard,
];

/** What kind of card it is; a face that is not known, or of a newer server, is `unknown`. */
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
