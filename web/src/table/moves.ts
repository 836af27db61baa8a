/** Move tokens of the table: `ROLL`, `STOP>1`, `x25`, `ACE!`, `-`, `ext`, `end`. */

/** Where a card may go. */
export type Target = { kind: 'own' } | { kind: 'side'; side: number } | { kind: 'discard' };

export interface Option {
  token: string;
  target: Target;
}

/** The card that a move is about; null for an answer without one. */
export function cardOf(token: string): string | null {
  if (token === '-' || token === 'ext' || token === 'end') return null;
  return token.replace(/^x/, '').replace(/[!>].*$/, '');
}

/** The target of a move; null if it is not a card played or discarded in a turn. */
export function targetOf(token: string): Target | null {
  if (cardOf(token) === null || token.endsWith('!')) return null;
  if (token.startsWith('x')) return { kind: 'discard' };
  const onto = token.split('>')[1];
  return onto === undefined ? { kind: 'own' } : { kind: 'side', side: Number(onto) };
}

/** The legal ways to play this card now. */
export function playsOf(card: string, moves: readonly string[]): Option[] {
  return moves.flatMap((token) => {
    const target = targetOf(token);
    if (target === null || target.kind === 'discard' || cardOf(token) !== card) return [];
    return [{ token, target }];
  });
}

/** The move that discards this card, if it is legal now. */
export function discardOf(card: string, moves: readonly string[]): string | null {
  return moves.find((token) => token === `x${card}`) ?? null;
}

/** The coup fourré that can be called now. */
export function coupFourreIn(moves: readonly string[]): string | null {
  return moves.find((token) => token.endsWith('!')) ?? null;
}

/** A name for a place on the screen where a card can be dropped. */
export function dropName(target: Target, ownSide: number): string {
  if (target.kind === 'discard') return 'discard';
  return `side-${target.kind === 'own' ? ownSide : target.side}`;
}

/** Each distance pile, with the number of its cards. */
export function pilesOf(distance: readonly string[]): { card: string; count: number }[] {
  return ['25', '50', '75', '100', '200'].map((card) => ({
    card,
    count: distance.filter((laid) => laid === card).length,
  }));
}

/** Keys that tell equal cards apart, stable when other cards leave: `100#0`, `100#1`. */
export function keysOf(cards: readonly string[]): string[] {
  const seen = new Map<string, number>();
  return cards.map((card) => {
    const count = seen.get(card) ?? 0;
    seen.set(card, count + 1);
    return `${card}#${count}`;
  });
}
