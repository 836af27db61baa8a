/** Facts about a hand or a match, as the score sheet tells them. */

import { number } from '../lib/format';
import type { Fact } from '../lib/protocol';
import { factText, type Names } from '../lib/words.svelte';

/** The sentence, with points written as in the table below it. */
export function told({ code, params }: Fact, names: Names): string {
  const written = Object.entries(params).map(([key, value]) => [
    key,
    key === 'points' || key === 'more' ? number(Number(value)) : value,
  ]);
  return factText({ code, params: Object.fromEntries(written) as Fact['params'] }, names);
}
