/** The preferences of this device. Stored in the browser and shared by its tabs. */

import { languages } from 'millebornes:words';

import type { NewTable } from './protocol';

export interface Prefs {
  language: string;
  /** Has the person chosen the language? Otherwise, a link may bring its own. */
  isLanguageChosen: boolean;
  theme: 'system' | 'light' | 'dark';
  sound: boolean;
  motion: 'full' | 'fast' | 'off';
  name: string;
  /** The settings of the last table opened, to repeat it. */
  last: NewTable | null;
  /** The levels of the bots that sat there. */
  lastBots: string[];
  /** Matches won against bots, by level. */
  wins: Record<string, number>;
  /** The match counted last. */
  lastWin: string;
  /** The levels offered after enough wins. */
  offered: string[];
}

const KEY = 'millebornes';

function preferredLanguage(): string {
  const wanted = globalThis.navigator?.languages ?? [];
  const known = wanted.map((tag) => tag.toLowerCase().split('-')[0] ?? '');
  return known.find(isKnown) ?? languages[0]?.code ?? 'en';
}

function isKnown(code: unknown): code is string {
  return languages.some((language) => language.code === code);
}

/** The language of the link that opened this page, as in `?lang=fr`. */
function linkedLanguage(): string | null {
  const found = new URLSearchParams(globalThis.location?.search ?? '').get('lang');
  return isKnown(found) ? found : null;
}

function oneOf<T>(choices: readonly T[], value: unknown, otherwise: T): T {
  return choices.find((choice) => choice === value) ?? otherwise;
}

function texts(kept: unknown): string[] {
  return Array.isArray(kept) ? kept.filter((one) => typeof one === 'string') : [];
}

function counts(kept: unknown): Record<string, number> {
  const found = typeof kept === 'object' && kept !== null ? Object.entries(kept) : [];
  return Object.fromEntries(found.filter(([, count]) => Number.isInteger(count)));
}

/** Stored preferences of any version, with unusable values replaced by defaults. */
function cleaned(kept: Partial<Record<keyof Prefs, unknown>>): Prefs {
  const last = typeof kept.last === 'object' ? kept.last : null;
  const spoken = isKnown(kept.language) ? kept.language : null;
  // Older versions did not say so: then a language other than the browser's was chosen.
  const isChosen = kept.isLanguageChosen ?? (spoken !== null && spoken !== preferredLanguage());
  const chosen = isChosen === true ? spoken : null;
  return {
    language: chosen ?? linkedLanguage() ?? preferredLanguage(),
    isLanguageChosen: chosen !== null,
    theme: oneOf(['system', 'light', 'dark'] as const, kept.theme, 'system'),
    sound: kept.sound === true,
    motion: oneOf(['full', 'fast', 'off'] as const, kept.motion, 'full'),
    name: typeof kept.name === 'string' ? kept.name : '',
    last: last as NewTable | null,
    lastBots: texts(kept.lastBots),
    wins: counts(kept.wins),
    lastWin: typeof kept.lastWin === 'string' ? kept.lastWin : '',
    offered: texts(kept.offered),
  };
}

function parsed(text: string | null): Prefs {
  try {
    const found: unknown = JSON.parse(text ?? '{}');
    return cleaned(typeof found === 'object' && found !== null ? found : {});
  } catch {
    return cleaned({});
  }
}

/** A browser may forbid storage; then preferences last as long as the page. */
function read(): string | null {
  try {
    return globalThis.localStorage?.getItem(KEY) ?? null;
  } catch {
    return null;
  }
}

function write(text: string): void {
  try {
    if (read() !== text) globalThis.localStorage?.setItem(KEY, text);
  } catch {
    // Preferences are not saved; everything else works.
  }
}

export const prefs: Prefs = $state(parsed(read()));

$effect.root(() => {
  $effect(() => write(JSON.stringify(prefs)));
});

globalThis.addEventListener?.('storage', (event: StorageEvent) => {
  if (event.key === KEY) Object.assign(prefs, parsed(event.newValue));
});

/** The person chooses a language. */
export function chooseLanguage(language: string): void {
  prefs.language = language;
  prefs.isLanguageChosen = true;
}

/** Are animations off? */
export function isStill(): boolean {
  if (prefs.motion === 'off') return true;
  return globalThis.matchMedia?.('(prefers-reduced-motion: reduce)').matches ?? false;
}

/** The factor for animation times: 1 full, 0.4 fast, 0 off. */
export function pace(): number {
  if (isStill()) return 0;
  return prefs.motion === 'fast' ? 0.4 : 1;
}
