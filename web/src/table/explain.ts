/** What the parts of the table are and mean, for who points at one, taps it or walks to it. */

import { list, number } from '../lib/format';
import { MEMO, type SideView } from '../lib/protocol';
import { cardName, say } from '../lib/words.svelte';

/** A pile by its name and its top card, and what that means. */
function pile(what: string, meaning: string): string {
  return `${what}. ${meaning}`;
}

export function battleText(side: SideView): string {
  const top = side.battle.at(-1);
  const what =
    top === undefined
      ? say('table', 'battle_none')
      : say('table', 'battle_top', { card: cardName(top) });
  if (side.hazard !== null) {
    const remedy = MEMO.find(({ hazard }) => hazard === side.hazard)?.remedy ?? '';
    return pile(what, say('table', 'about_stopped', { remedy: cardName(remedy) }));
  }
  if (side.rolling) return pile(what, say('table', 'about_rolling'));
  return pile(what, say('table', 'about_waiting', { card: cardName('ROLL') }));
}

export function speedText(side: SideView): string {
  const top = side.speed.at(-1);
  const what =
    top === undefined
      ? say('table', 'speed_none')
      : say('table', 'speed_top', { card: cardName(top) });
  const meaning = side.limited
    ? say('table', 'about_limited', { card: cardName('EOL') })
    : say('table', 'about_free');
  return pile(what, meaning);
}

export function distanceText(card: string, count: number): string {
  const miles = number(count * Number(card));
  return say('table', 'about_distance', { card: cardName(card), count, miles });
}

export function safetyText(card: string, side: SideView): string {
  const key = !side.safeties.includes(card)
    ? 'safety_none'
    : side.crosswise.includes(card)
      ? 'safety_crosswise'
      : 'safety_laid';
  const hazards = MEMO.filter(({ safety }) => safety === card).map(({ hazard }) =>
    cardName(hazard),
  );
  return pile(
    say('table', key, { card: cardName(card) }),
    say('table', 'about_safety', { hazards: list(hazards) }),
  );
}

export function pileText(count: number): string {
  if (count === 0) return `${say('table', 'pile_empty')}.`;
  return pile(say('table', 'pile_count', { count }), say('table', 'about_pile'));
}

export function discardText(top: string | null): string {
  const what =
    top === null
      ? say('table', 'discard_none')
      : say('table', 'discard_top', { card: cardName(top) });
  return pile(what, say('table', 'about_discard'));
}
