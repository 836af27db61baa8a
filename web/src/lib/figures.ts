/** The figures of an edition: its rules by name. */

import type { EditionInfo } from './protocol';

export type Rules = Map<string, unknown>;

export function rulesOf(edition: EditionInfo): Rules {
  return new Map(edition.rules.map(({ name, value }) => [name, value]));
}

export function figure(rules: Rules, name: string): number {
  const value = rules.get(name);
  return typeof value === 'number' ? value : 0;
}
