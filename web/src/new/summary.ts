/** Rules in a few words: their values, and what differs from the edition. */

import { list, number } from '../lib/format';
import type { RuleInfo } from '../lib/protocol';
import { lengthName } from '../lib/titles';
import { say } from '../lib/words.svelte';
import { isTable, unlike, type Ruleset } from './ruleset.svelte';

/** What decides the length of a match. */
export const LENGTH = ['target', 'hands'];

function ruleIs(rule: string, value: string): string {
  return say('new', 'rule_is', { rule, value });
}

/** A value in words. */
export function valueText(rule: RuleInfo, value: unknown): string {
  switch (rule.kind) {
    case 'switch':
      return say('new', value ? 'yes' : 'no');
    case 'choice':
      return rule.choices.find((choice) => choice.value === value)?.label ?? String(value);
    case 'counts': {
      const counts = Array.isArray(value) ? (value as number[]) : [];
      return counts.length === 0
        ? say('new', 'never')
        : say('new', 'with_players', { number: list(counts) });
    }
    case 'trips': {
      const trips = Object.entries(value as Record<string, number>);
      return trips.map(([count, miles]) => ruleIs(count, number(miles))).join(', ');
    }
    default:
      return number(Number(value));
  }
}

/** What differs from the edition: "Hazards on hazards: any car that has started · One hand". */
export function summary(rules: Ruleset): string {
  const parts = rules.changed
    .filter(({ name }) => !LENGTH.includes(name))
    .map((rule) => {
      const value = told(rules.value(rule.name), rules.usual(rule.name));
      return value === true ? rule.label : ruleIs(rule.label, valueText(rule, value));
    });
  const isLong = LENGTH.some((rule) => rules.differs(rule));
  return [...parts, ...(isLong ? [lengthOf(rules)] : [])].join(' · ');
}

/** Of a table such as the trips, only what differs. */
function told(value: unknown, usual: unknown): unknown {
  return isTable(value) && isTable(usual) ? unlike(value, usual) : value;
}

/** How long a match by these rules is. */
export function lengthOf(rules: Ruleset): string {
  return lengthName(Number(rules.value('hands')), Number(rules.value('target')));
}
