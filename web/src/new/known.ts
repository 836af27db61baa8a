/** What forms must know of editions and rules, and the names of what they put together. */

import { api } from '../lib/api';
import { editionName } from '../lib/titles';
import { say } from '../lib/words.svelte';
import type { Known, Ruleset } from './ruleset.svelte';
import { LENGTH, lengthOf } from './summary';
import { withText } from './toml';

/** Everything that the server tells of editions and rules. */
export async function knownRules(): Promise<Known> {
  const [editions, presets, groups] = await Promise.all([
    api.editions(),
    api.presets(),
    api.rules(),
  ]);
  return { editions, presets, groups };
}

/** An edition that is only longer or shorter keeps its name: "Winning Moves Classic · One hand". */
function lengthName(rules: Ruleset): string | null {
  const isOnly = rules.changed.every(({ name }) => LENGTH.includes(name));
  return isOnly && rules.changed.length > 0
    ? `${editionName(rules.parent)} · ${lengthOf(rules)}`
    : null;
}

/** What rules are called that were given no name. */
export function unnamed(rules: Ruleset): string {
  return lengthName(rules) ?? say('home', 'house_rules');
}

/** The text of house rules for a table, with a name wherever one can be told. */
export function named(rules: Ruleset): string {
  const name = rules.name || lengthName(rules);
  return name ? withText(rules.toml, 'name', name) : rules.toml;
}
