/** The rules of an edition as readable text, and how they differ from another edition. */

import { list, number } from '../lib/format';
import { SCORE_LINES, type EditionInfo } from '../lib/protocol';
import { say, scoreLine } from '../lib/words.svelte';

/** The default edition, which the others are compared with. */
export const REFERENCE = 'winning-moves';

export interface Line {
  text: string;
  /** Does the reference edition differ here? */
  differs: boolean;
}
export interface ScoreRow {
  line: string;
  points: number;
  when: string;
  differs: boolean;
}
export interface RuleBook {
  parts: { title: string; lines: Line[] }[];
  score: ScoreRow[];
}

type Values = Record<string, unknown>;

/** The score line whose points a rule sets. */
const LINE_OF: Record<string, string> = Object.fromEntries(
  Object.entries(SCORE_LINES).flatMap(([line, rule]) => (rule === null ? [] : [[rule, line]])),
);

/** The rules under each heading, in the order of a game. */
const PARTS: [string, string[]][] = [
  [
    'deal',
    ['base_deal', 'player_counts', 'teams_at', 'hazards_removed_at', 'autoroute_cards', 'dealer'],
  ],
  ['driving', ['start_rolling', 'trip', 'short_trip_at', 'extension_at', 'max_200s']],
  ['hazards', ['remedy_restores_roll', 'battle_hazard_on', 'base_limit', 'limit_on_limit']],
  [
    'safeties',
    [
      'base_safety',
      'safety_restores_roll',
      'replay_on_empty_pile',
      'row_replaces_roll',
      'right_of_way_discards',
      'row_empty_attackable',
      'autoroute_is_safety',
      'base_coup',
      'coup_fourre_for_third_party',
    ],
  ],
  ['end', ['base_end', 'must_play_out', 'exhaustion_winner', 'target', 'hands', 'tie']],
];
/** Rules that are part of the score table. */
const IN_SCORE: Record<string, string[]> = {
  trip: ['exhaustion_winner'],
  delayed_action: ['delayed_action_needs_empty_start'],
  shut_out: ['shut_out'],
  extension: [
    'extension_if_caller_completes',
    'extension_if_other_completes',
    'extension_if_nobody_completes',
  ],
};

export function valuesOf(edition: EditionInfo): Values {
  return Object.fromEntries(edition.rules.map((rule) => [rule.name, rule.value]));
}

function isSame(a: unknown, b: unknown): boolean {
  return JSON.stringify(a) === JSON.stringify(b);
}

function includes(value: unknown, players: number): boolean {
  return Array.isArray(value) && value.includes(players);
}

/** A rule for certain player counts: whether it holds at this table, or which counts those are. */
function atCounts(key: string, value: unknown, players: number | null): string {
  const counts = Array.isArray(value) ? (value as number[]) : [];
  if (players !== null) return say('rules', `${key}_${includes(counts, players) ? 'here' : 'not'}`);
  if (counts.length === 0) return say('rules', `${key}_not`);
  return say('rules', `${key}_at`, { counts: list(counts) });
}

/** A short trip may have been chosen for the table. */
function tripText(value: unknown, players: number | null, trip: number | null): string {
  const trips = value as Record<string, number>;
  const usual = players === null ? undefined : trips[players];
  const all = new Set(Object.values(trips));
  const only = all.size === 1 ? [...all][0] : undefined;
  const here = usual === undefined ? only : Math.min(usual, trip ?? usual);
  if (here !== undefined) return say('rules', 'trip_here', { miles: number(here) });
  const byMiles = new Map<number, string[]>();
  for (const [count, miles] of Object.entries(trips)) {
    byMiles.set(miles, [...(byMiles.get(miles) ?? []), count]);
  }
  const parts = [...byMiles].map(([miles, counts]) =>
    say('rules', 'trip_part', { miles: number(miles), counts: list(counts) }),
  );
  return say('rules', 'trip_by', { trips: parts.join(', ') });
}

/** One rule as a sentence; null if it does not apply. */
function sentence(
  rule: string,
  values: Values,
  players: number | null,
  trip: number | null = null,
): string | null {
  const value = values[rule];
  switch (rule) {
    case 'player_counts':
      if (players !== null) return null;
      return say('rules', 'player_counts', { counts: list(value as number[]) });
    case 'teams_at':
      return atCounts('teams', value, players);
    case 'hazards_removed_at':
      return atCounts('removed', value, players);
    case 'short_trip_at':
      // At a table this has been decided.
      return players === null ? atCounts('short', value, null) : null;
    case 'extension_at':
      return atCounts('extension', value, players);
    case 'trip':
      return tripText(value, players, trip);
    case 'autoroute_cards':
      return value === 0
        ? say('rules', 'autoroute_none')
        : say('rules', 'autoroute_some', { number: Number(value) });
    case 'autoroute_is_safety':
      return values.autoroute_cards === 0 ? null : say('rules', `${rule}_${String(value)}`);
    case 'max_200s':
      return say('rules', rule, { number: Number(value) });
    case 'target':
      return values.hands === 0 ? say('rules', rule, { number: number(Number(value)) }) : null;
    case 'hands':
      return value === 0 ? null : say('rules', rule, { number: Number(value) });
    case 'extension_if_caller_completes':
      return extensionText(values, `extension_caller_${String(value)}`);
    case 'extension_if_other_completes':
      return extensionText(values, `extension_other_${String(value)}`);
    case 'extension_if_nobody_completes':
      return extensionText(values, `extension_none_${String(value)}`);
    case 'shut_out':
      return lineWhen('shut_out', `score_shut_out_${String(value)}`);
    case 'delayed_action_needs_empty_start':
      return values.delayed_action_points === 0
        ? null
        : lineWhen('delayed_action', `score_delayed_action${value ? '_start' : ''}`);
    case 'row_empty_attackable':
      // Where every car rolls from the start, every car can be hit.
      return values.start_rolling ? null : say('rules', `${rule}_${String(value)}`);
    case 'start_rolling':
    case 'remedy_restores_roll':
      // An older server does not have these rules.
      return say('rules', `${rule}_${String(value ?? false)}`);
    case 'battle_hazard_on':
    case 'limit_on_limit':
    case 'right_of_way_discards':
    case 'row_replaces_roll':
    case 'safety_restores_roll':
    case 'replay_on_empty_pile':
    case 'coup_fourre_for_third_party':
    case 'must_play_out':
    case 'exhaustion_winner':
    case 'tie':
    case 'dealer':
      return say('rules', `${rule}_${String(value)}`);
    default:
      if (rule.startsWith('base_')) return say('rules', rule);
      // A rule that is newer than this page.
      return `${rule} ${JSON.stringify(value)}`;
  }
}

function lineWhen(line: string, key: string): string {
  return say('rules', 'line_when', { line: scoreLine(line), when: say('rules', key) });
}

function extensionText(values: Values, key: string): string | null {
  const isPossible = Array.isArray(values.extension_at) && values.extension_at.length > 0;
  return isPossible ? lineWhen('extension', key) : null;
}

/** When a line of the score sheet is scored. */
function when(line: string, values: Values): string {
  switch (line) {
    case 'trip':
      return say(
        'rules',
        values.exhaustion_winner === 'most_miles' ? 'score_trip_or_win' : 'score_trip',
      );
    case 'delayed_action': {
      const ending = values.delayed_action_needs_empty_start ? '_start' : '';
      return say('rules', `score_delayed_action${ending}`);
    }
    case 'shut_out':
      return say('rules', `score_shut_out_${String(values.shut_out)}`);
    case 'extension':
      return [
        say('rules', `extension_caller_${String(values.extension_if_caller_completes)}`),
        say('rules', `extension_other_${String(values.extension_if_other_completes)}`),
        say('rules', `extension_none_${String(values.extension_if_nobody_completes)}`),
      ].join('; ');
    default:
      return say('rules', `score_${line}`);
  }
}

/** The whole text, for a number of players or for any. */
export function ruleBook(
  edition: EditionInfo,
  reference: EditionInfo | undefined,
  players: number | null = null,
  trip: number | null = null,
): RuleBook {
  const values = valuesOf(edition);
  const usual = reference ? valuesOf(reference) : values;
  const isUsual = (rule: string) => !(rule in usual) || isSame(values[rule], usual[rule]);

  /** At a table only the rules that apply there are compared. */
  function differs(rule: string, text: string): boolean {
    if (isUsual(rule)) return false;
    return players === null || sentence(rule, usual, players, trip) !== text;
  }

  const parts = PARTS.map(([part, rules]) => ({
    title: say('rules', part),
    lines: rules.flatMap((rule) => {
      const text = sentence(rule, values, players, trip);
      return text === null ? [] : [{ text, differs: differs(rule, text) }];
    }),
  }));
  const score = Object.entries(SCORE_LINES)
    .map(([line, rule]) => ({
      line: scoreLine(line),
      points: rule === null ? 1 : Number(values[rule] ?? 0),
      when: when(line, values),
      differs: (rule !== null && !isUsual(rule)) || !(IN_SCORE[line] ?? []).every(isUsual),
    }))
    .filter((row) => row.points > 0);
  return { parts, score };
}

/** The differences from the reference edition, one sentence each. */
export function differences(edition: EditionInfo, reference: EditionInfo): string[] {
  const values = valuesOf(edition);
  const usual = valuesOf(reference);
  return edition.rules.flatMap(({ name, value }) => {
    if (isSame(value, usual[name])) return [];
    const line = LINE_OF[name];
    if (line === undefined) return sentence(name, values, null) ?? [];
    if (value === 0) {
      // If the trip cannot be extended, another line already says so.
      return line === 'extension' ? [] : say('rules', 'points_none', { line: scoreLine(line) });
    }
    const points = { points: Number(value), usual: Number(usual[name]) };
    return say('rules', 'points_instead', { line: scoreLine(line), ...points });
  });
}
