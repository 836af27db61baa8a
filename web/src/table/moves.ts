/** Moves as the table writes them: `ROLL`, `STOP>1`, `x25`, `ACE!`, `-`, `ext`, `end`. */

/** Where a card of the hand may go. */
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

/** Where a move goes; null if it is not a card that is laid or discarded on one's turn. */
export function targetOf(token: string): Target | null {
  if (cardOf(token) === null || token.endsWith('!')) return null;
  if (token.startsWith('x')) return { kind: 'discard' };
  const onto = token.split('>')[1];
  return onto === undefined ? { kind: 'own' } : { kind: 'side', side: Number(onto) };
}

/** The ways to lay this card now. */
export function playsOf(card: string, moves: readonly string[]): Option[] {
  return moves.flatMap((token) => {
    const target = targetOf(token);
    if (target === null || target.kind === 'discard' || cardOf(token) !== card) return [];
    return [{ token, target }];
  });
}

/** The discard of this card, if that is allowed now. */
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

/** Each distance pile by its value, with how many lie there. */
export function pilesOf(distance: readonly string[]): { card: string; count: number }[] {
  return ['25', '50', '75', '100', '200'].map((card) => ({
    card,
    count: distance.filter((laid) => laid === card).length,
  }));
}

/** Keys that stay with equal cards when others leave the hand: `100#0`, `100#1`. */
export function keysOf(cards: readonly string[]): string[] {
  const seen = new Map<string, number>();
  return cards.map((card) => {
    const count = seen.get(card) ?? 0;
    seen.set(card, count + 1);
    return `${card}#${count}`;
  });
}
