/** Names of editions, levels and clocks. A newer server may have some without a text. */

import { number } from './format';
import type { BotInfo, EditionInfo } from './protocol';
import { knows, say } from './words.svelte';

export function levelName(level: string): string {
  return knows('levels', level) ? say('levels', level) : level;
}

/** A level within a sentence: "the Learner". */
export function levelInText(level: string): string {
  return knows('level_against', level) ? say('level_against', level) : levelName(level);
}

/** Who plays for a bot that has failed. */
export function replacementLine(level: string): string {
  return say('bots', 'replaced', { level: levelInText(level) });
}

/** How a bot plays. */
export function levelLine({ level }: BotInfo): string {
  return knows('level_lines', level) ? say('level_lines', level) : '';
}

/** How strong a bot is: its result in a long contest. */
export function measuredLine({ against, wins, outside }: BotInfo): string {
  if (outside) return say('bots', 'outside');
  if (against === null || wins === null) return '';
  return say('bots', 'measured', { wins, level: levelInText(against) });
}

/** An edition by its id, or house rules by the name they were given: their id is unreadable. */
export function editionName(id: string, given: string | null = null): string {
  if (knows('editions', id)) return say('editions', id);
  return given ?? say('home', 'house_rules');
}

export function editionTitle(edition: EditionInfo): string {
  if (edition.parent === null && knows('editions', edition.id)) return say('editions', edition.id);
  const house = { edition: editionName(edition.parent ?? edition.id) };
  return edition.name ?? say('rules', 'house_of', house);
}

/** How long a match is: a number of hands, or if that is 0, up to so many points. */
export function lengthName(hands: number, target: number): string {
  if (hands === 1) return say('new', 'length_one');
  if (hands > 1) return say('new', 'length_hands', { number: hands });
  return say('new', 'length_points', { points: number(target) });
}

/** The time for a turn, in the most readable unit. */
export function clockName(clock: number | null): string {
  if (clock === null) return say('new', 'clock_none');
  const seconds = Math.round(clock / 1000);
  if (seconds % 60 === 0 && seconds > 60) return say('new', 'minutes', { number: seconds / 60 });
  return say('new', 'seconds', { number: seconds });
}
