/**
 * What lies on the table and who does what: as the page holds it, and as a text for the judge.
 * Nothing here knows the rules; docs/records.md specifies the text.
 */

import { FAMILIES, PILES } from '../lib/protocol';

export type Doing = 'play' | 'discard' | 'coup' | 'decline';

/** What somebody wants to do; without a card it is not yet a move. */
export interface Move {
  seat: number;
  doing: Doing;
  card: string | null;
  /** The side that a hazard is played on. */
  onto: number;
}

export interface Laid {
  card: string;
  crosswise: boolean;
}

/** The cards in front of one side. */
export interface Side {
  battle: string[];
  speed: string[];
  safeties: Laid[];
  miles: number;
  /** How many cards of these miles are 200s. */
  twos: number;
  autoroute: boolean;
}

export interface Position {
  /** The id of a printed edition; null: not said. */
  edition: string | null;
  players: number;
  /** The name of each seat; empty if it has none. */
  names: string[];
  sides: Side[];
  /** Cards in the hand of each seat, besides those of the moves. */
  hands: string[][];
  moves: Move[];
  /** Lines that the page does not show on the table, as they were written. */
  more: string[];
}

export const MOST_SEATS = 8;
export const TWO_HUNDRED = 200;
/** Turns left of an Autoroute that lies in front of a side. */
const AUTOROUTE_TURNS = '2';

export function emptySide(): Side {
  return { battle: [], speed: [], safeties: [], miles: 0, twos: 0, autoroute: false };
}

export function emptyPosition(edition: string | null = null): Position {
  return {
    edition,
    players: 2,
    names: Array<string>(MOST_SEATS).fill(''),
    sides: Array.from({ length: MOST_SEATS }, emptySide),
    hands: Array.from({ length: MOST_SEATS }, () => []),
    moves: [],
    more: [],
  };
}

const isHazard = (card: string) => (FAMILIES.hazard as readonly string[]).includes(card);
const isIn = (cards: readonly string[]) => (card: string) => cards.includes(card);
const CARDS: readonly string[] = Object.values(FAMILIES).flat();

/** Is the move complete, so that it can be judged? */
export function isWhole({ doing, card }: Move): boolean {
  return doing === 'decline' || card !== null;
}

/** Does a move of this kind name a side to play on? */
export function hasTarget({ doing, card }: Move): boolean {
  return doing === 'play' && card !== null && isHazard(card);
}

export function toToken(move: Move): string {
  const card = move.card ?? '';
  if (move.doing === 'decline') return `${move.seat}:-`;
  if (move.doing === 'discard') return `${move.seat}:x${card}`;
  if (move.doing === 'coup') return `${move.seat}:${card}!`;
  return `${move.seat}:${card}${hasTarget(move) ? `>${move.onto}` : ''}`;
}

/** Distance cards that add up to the miles of a side, its 200s first. */
function distances({ miles, twos }: Side): string[] {
  const cards = Array<string>(twos).fill('200');
  let left = miles - twos * TWO_HUNDRED;
  for (const card of ['100', '75', '50', '25'] as const) {
    for (; left >= Number(card); left -= Number(card)) cards.push(card);
  }
  return cards;
}

/** The judge's text of a position that has this number of sides; `names` replace its own. */
export function toText(position: Position, sides: number, names = position.names): string {
  const moves = position.moves.filter(isWhole);
  const lines: string[] = [];
  const line = (key: string, words: readonly string[]) => {
    if (words.length > 0) lines.push(`${key}: ${words.join(' ')}`);
  };

  line('edition', position.edition === null ? [] : [position.edition]);
  line('players', [String(position.players)]);
  names.slice(0, position.players).forEach((name, seat) => {
    line(`seat ${seat}`, name === '' ? [] : [name]);
  });
  const first = moves[0];
  if (first && first.seat > 0 && first.doing !== 'coup') line('turn', [String(first.seat)]);
  lines.push(...position.more);
  position.sides.slice(0, sides).forEach((side, number) => {
    line(`battle ${number}`, side.battle);
    line(`speed ${number}`, side.speed);
    if (side.twos > 0) line(`distance ${number}`, distances(side));
    else if (side.miles > 0) line(`miles ${number}`, [String(side.miles)]);
    line(
      `safeties ${number}`,
      side.safeties.map(({ card, crosswise }) => (crosswise ? `${card}!` : card)),
    );
    if (side.autoroute) line(`autoroute ${number}`, [AUTOROUTE_TURNS]);
  });
  position.hands.slice(0, position.players).forEach((more, seat) => {
    line(`hand ${seat}`, [...cardsOf(moves, seat), ...more]);
  });
  line('moves', moves.map(toToken));
  return lines.map((one) => `${one}\n`).join('');
}

/** The cards that a seat must hold to make its moves. */
function cardsOf(moves: readonly Move[], seat: number): string[] {
  return moves.flatMap((move) =>
    move.seat === seat && move.doing !== 'decline' && move.card !== null ? [move.card] : [],
  );
}

const ENTRY = /^([a-z]+)(?: +(\d{1,2}))? *:(.*)$/;
const TOKEN = /^(?:(\d):)?(?:(-)|(x)?([A-Z]+|\d+)(!)?(?:>(\d))?)$/;

/** The position of a text; null if the page cannot show all of it as cards. */
export function fromText(text: string): Position | null {
  const position = emptyPosition();
  const hands = new Map<number, string[]>();
  let turn: number | null = null;
  let tokens: string[] = [];
  for (const whole of text.split('\n')) {
    const line = whole.replace(/(^|\s)#.*$/, '').trimEnd();
    if (line === '') continue;
    const entry = ENTRY.exec(line);
    if (entry === null) return null;
    const [, key = '', number, rest = ''] = entry;
    const at = number === undefined ? -1 : Number(number);
    const words = rest.split(/\s+/).filter((word) => word !== '');
    if (at >= MOST_SEATS) return null;
    const side = position.sides[at];
    if (key === 'edition' && words.length === 1) position.edition = words[0] ?? null;
    else if (key === 'players' && words.length === 1) position.players = Number(words[0]);
    else if (key === 'turn' && words.length === 1) turn = Number(words[0]);
    else if (key === 'seat' && at >= 0) position.names[at] = unquoted(rest.trim());
    else if (key === 'moves') tokens = tokens.concat(words);
    else if (key === 'hand' && at >= 0) hands.set(at, words);
    else if (key === 'rule' || key === 'title' || side === undefined) position.more.push(line);
    else if (!placed(side, key, words)) return null;
  }
  if (!(position.players >= 2 && position.players <= MOST_SEATS)) return null;
  return withMoves(position, tokens, turn) && withHands(position, hands) ? position : null;
}

/** A name may stand in quotes, as in the record of a game. */
function unquoted(name: string): string {
  return name.replace(/^"(.*)"$/, '$1');
}

/** Lays the words of an entry in front of a side; false if that cannot be shown as cards. */
function placed(side: Side, key: string, words: string[]): boolean {
  switch (key) {
    case 'battle':
    case 'speed':
      side[key] = words;
      return words.every(isIn(PILES[key]));
    case 'miles':
      side.miles = Number(words[0]);
      return words.length === 1 && Number.isInteger(side.miles);
    case 'distance':
      side.miles = words.reduce((sum, card) => sum + Number(card), 0);
      side.twos = words.filter((card) => card === '200').length;
      return words.every(isIn(FAMILIES.distance));
    case 'safeties':
      side.safeties = words.map((word) => ({
        card: word.replace(/!$/, ''),
        crosswise: word.endsWith('!'),
      }));
      return side.safeties.every(({ card }) => isIn(FAMILIES.safety)(card));
    case 'autoroute':
      side.autoroute = true;
      return words.join(' ') === AUTOROUTE_TURNS;
    default:
      return false;
  }
}

function withMoves(position: Position, tokens: string[], turn: number | null): boolean {
  for (const [index, token] of tokens.entries()) {
    const found = TOKEN.exec(token);
    if (found === null) return false;
    const [, seat, pass, discard, card = null, coup, onto] = found;
    // Whose move it is later on follows from the rules.
    if (seat === undefined && index > 0) return false;
    if (card !== null && !CARDS.includes(card)) return false;
    const doing = pass ? 'decline' : discard ? 'discard' : coup ? 'coup' : 'play';
    const move: Move = { seat: Number(seat ?? turn ?? 0), doing, card, onto: Number(onto ?? 0) };
    if ((onto !== undefined) !== hasTarget(move)) return false;
    if (move.seat >= position.players || move.onto >= position.players) return false;
    position.moves.push(move);
  }
  const first = position.moves[0];
  // The text of a position says whose turn it is only by its first move.
  return turn === null || turn === (first?.seat ?? 0);
}

/** The cards in hand besides those of the moves. */
function withHands(position: Position, hands: ReadonlyMap<number, string[]>): boolean {
  for (const [seat, words] of hands) {
    if (seat >= position.players || !words.every(isIn(CARDS))) return false;
    const left = [...words];
    for (const card of cardsOf(position.moves, seat)) {
      const at = left.indexOf(card);
      // A move with a card that is not in hand is refused for that, and the text must stay so.
      if (at < 0) return false;
      left.splice(at, 1);
    }
    position.hands[seat] = left;
  }
  return true;
}
