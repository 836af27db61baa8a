/** The lines of the score sheet: which ones an edition counts, and what they mean. */

import { figure, type Rules } from '../lib/figures';
import { SCORE_LINES, type HandView, type Sheet } from '../lib/protocol';
import { say } from '../lib/words.svelte';

export type Line = keyof typeof SCORE_LINES;

export const LINES = Object.keys(SCORE_LINES) as Line[];

/** The lines that an edition counts for this many players; all if the edition is unknown. */
export function countedLines(rules: Rules | null, players: number): Line[] {
  if (rules === null) return [...LINES];
  const extended = rules.get('extension_at');
  return LINES.filter((line) => {
    if (line === 'extension' && Array.isArray(extended) && !extended.includes(players))
      return false;
    const points = SCORE_LINES[line];
    return points === null || figure(rules, points) > 0;
  });
}

/** What a line means, with the edition's points. */
export function lineHelp(line: string, rules: Rules): string {
  const points = figure(rules, SCORE_LINES[line as Line] ?? '');
  const told = (key: string) => say('score_help', key, { points });
  switch (line) {
    case 'trip':
      return told(rules.get('exhaustion_winner') === 'most_miles' ? 'trip_or_win' : 'trip');
    case 'delayed_action':
      return told(
        rules.get('delayed_action_needs_empty_start') === true
          ? 'delayed_action_start'
          : 'delayed_action',
      );
    case 'shut_out': {
      const kind = rules.get('shut_out');
      return told(
        kind === 'each' ? 'shut_out_each' : kind === 'any' ? 'shut_out_any' : 'shut_out_all',
      );
    }
    case 'extension':
      return extensionHelp(rules, told);
    case 'combined': {
      const hands = figure(rules, 'hands');
      return hands > 0
        ? say('score_help', 'combined_hands', { hands })
        : say('score_help', 'combined_target', { points: figure(rules, 'target') });
    }
    default: // a line that needs no more than its figure; brought forward; the total
      return told(line);
  }
}

function extensionHelp(rules: Rules, told: (key: string) => string): string {
  const parts: string[] = [];
  const other = rules.get('extension_if_other_completes');
  const isFailureScored = rules.get('extension_if_nobody_completes') === 'each_opponent';
  if (rules.get('extension_if_caller_completes') === 'caller') parts.push(told('extension_caller'));
  if (other === 'each_opponent') {
    parts.push(told(isFailureScored ? 'extension_each_opponent' : 'extension_other_each_opponent'));
  } else {
    if (other === 'completer') parts.push(told('extension_completer'));
    if (isFailureScored) parts.push(told('extension_none_each_opponent'));
  }
  return parts.join(' ');
}

/** Where the points of a line came from: "3 safeties". Null if it scored nothing. */
export function madeOf(line: Line, side: number, hand: HandView, sheet: Sheet): string | null {
  const shown = hand.sides[side];
  if (shown === undefined || sheet[line] === 0) return null;
  const counted = (one: string, many: string, count: number) =>
    count === 1 ? say('score_help', one) : say('score_help', many, { count });
  switch (line) {
    case 'miles':
      return say('score_help', 'made_miles', { miles: shown.miles });
    case 'safeties':
      return counted('made_safety', 'made_safeties', shown.safeties.length);
    case 'coups_fourres':
      return counted('made_coup', 'made_coups', shown.crosswise.length);
    case 'trip':
      return say('score_help', hand.completed_by === side ? 'made_trip' : 'made_won');
    case 'shut_out': {
      const blank = hand.sides.filter((other, at) => at !== side && other.distance.length === 0);
      return counted('made_shut_out', 'made_shut_outs', blank.length);
    }
    default:
      return say('score_help', `made_${line}`);
  }
}
