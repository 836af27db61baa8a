/** Presentational facts of cards. The rules stay with the server. */

export type Kind = 'distance' | 'hazard' | 'remedy' | 'safety' | 'autoroute' | 'unknown';

/** Which remedy ends a hazard, and which safety stops it for good. */
export const MEMO: { hazard: string; remedy: string; safety: string }[] = [
  { hazard: 'ACC', remedy: 'REP', safety: 'ACE' },
  { hazard: 'OUT', remedy: 'GAS', safety: 'TANK' },
  { hazard: 'FLAT', remedy: 'SPARE', safety: 'PROOF' },
  { hazard: 'STOP', remedy: 'ROLL', safety: 'ROW' },
  { hazard: 'LIM', remedy: 'EOL', safety: 'ROW' },
];

const DISTANCES = ['200', '100', '75', '50', '25'];
const HAZARDS = MEMO.map((row) => row.hazard);
const REMEDIES = MEMO.map((row) => row.remedy);
const SAFETIES = [...new Set(MEMO.map((row) => row.safety))];

const KINDS = new Map<string, Kind>([
  ...DISTANCES.map((code): [string, Kind] => [code, 'distance']),
  ...HAZARDS.map((code): [string, Kind] => [code, 'hazard']),
  ...REMEDIES.map((code): [string, Kind] => [code, 'remedy']),
  ...SAFETIES.map((code): [string, Kind] => [code, 'safety']),
  ['AUTO', 'autoroute'],
]);

/** A hand from left to right: what drives, what mends, what protects, what strikes. */
const SHOWN = [...DISTANCES, 'ROLL', 'EOL', 'GAS', 'SPARE', 'REP', ...SAFETIES, 'AUTO', ...HAZARDS];

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
