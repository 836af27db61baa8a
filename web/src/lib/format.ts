/** Numbers, dates and lists as the chosen language writes them. */

import { prefs } from './prefs.svelte';

export function number(value: number): string {
  return value.toLocaleString(prefs.language);
}

export function date(time: number): string {
  const format: Intl.DateTimeFormatOptions = { dateStyle: 'medium', timeStyle: 'short' };
  return new Intl.DateTimeFormat(prefs.language, format).format(time);
}

export function day(time: number): string {
  return new Intl.DateTimeFormat(prefs.language, { dateStyle: 'medium' }).format(time);
}

/** "2, 3 and 4" */
export function list(items: readonly (string | number)[]): string {
  return new Intl.ListFormat(prefs.language, { type: 'conjunction' }).format(items.map(String));
}
