/**
 * The rules that a form puts together: an edition, and what the house plays differently. The text
 * of the house rules is what counts. Controls write lines of it, and show what the server reads in
 * it.
 */

import { REFERENCE, valuesOf } from '../help/rules';
import { ApiError, troubleIn } from '../lib/api';
import type { EditionInfo, PresetInfo, RuleGroup, RuleInfo } from '../lib/protocol';
import { rulesIn, template, textOf, withRule, without, withText } from './toml';

export type Values = Record<string, unknown>;

/** What the server tells of editions and rules, in the language of the page. */
export interface Known {
  editions: EditionInfo[];
  presets: PresetInfo[];
  groups: RuleGroup[];
}

export interface Trouble {
  sentence: string;
  /** The rule that it is about; null: the text as a whole. */
  rule: string | null;
  /** Are the rules wrong? Otherwise they could not be checked. */
  isWrong: boolean;
}

/** Wait this long after the last change before asking the server. */
export const PAUSE = 350;

export class Ruleset {
  known: Known;
  toml = $state(template(REFERENCE));
  trouble = $state.raw<Trouble | null>(null);
  isChecking = $state(false);
  /** What the server has read last; null: nothing since the edition was chosen. */
  #read = $state.raw<EditionInfo | null>(null);
  /** What controls have set since then. */
  #set = $state.raw<Values>({});
  #timer: ReturnType<typeof setTimeout> | undefined;
  #asked = 0;
  readonly #check: (toml: string) => Promise<EditionInfo>;

  constructor(known: Known, check: (toml: string) => Promise<EditionInfo>) {
    this.known = $state.raw(known);
    this.#check = check;
  }

  readonly #parent = $derived.by(() => textOf(this.toml, 'parent') ?? '');
  /** The id of a printed edition, or the name of a preset. */
  readonly parent = $derived.by(() => (this.#named(this.#parent) ? this.#parent : REFERENCE));
  readonly base = $derived.by(() => this.#named(this.parent));
  /** The name that the house gives its rules. */
  readonly name = $derived.by(() => textOf(this.toml, 'name') ?? '');
  /** Is there more in the text than an edition and a name? */
  readonly isHouse = $derived.by(() => this.toml !== template(this.#parent, this.name));
  /** The rules as the server has read them last. */
  readonly edition = $derived.by(() => (this.isHouse && this.#read) || this.base);
  readonly #usual = $derived.by(() => (this.base ? valuesOf(this.base) : {}));
  readonly #values = $derived.by((): Values => ({
    ...(this.edition ? valuesOf(this.edition) : {}),
    ...this.#set,
  }));
  readonly rules = $derived.by(() => this.known.groups.flatMap(({ rules }) => rules));
  /** The rules that differ from the edition. */
  readonly changed = $derived.by(() => this.rules.filter(({ name }) => this.differs(name)));

  value(rule: string): unknown {
    return this.#values[rule];
  }

  /** The value in the edition that these rules start from. */
  usual(rule: string): unknown {
    return this.#usual[rule];
  }

  differs(rule: string): boolean {
    return !isSame(this.value(rule), this.usual(rule));
  }

  info(rule: string): RuleInfo | undefined {
    return this.rules.find(({ name }) => name === rule);
  }

  /** The sentence to show at a rule. */
  troubleAt(rule: string): string {
    return this.trouble?.rule === rule ? this.trouble.sentence : '';
  }

  /** Plays by another edition; what the house plays differently stays. */
  choose(parent: string): void {
    const kept = rulesIn(this.toml).map((rule) => [rule, this.value(rule)] as const);
    this.#read = null;
    this.#set = Object.fromEntries(kept.filter(([, value]) => value !== undefined));
    this.#write(withText(this.toml, 'parent', parent));
  }

  set(values: Values): void {
    this.#set = { ...this.#set, ...values };
    const text = Object.entries(values).reduce(
      (toml, [rule, value]) => this.#with(toml, rule, value),
      this.toml,
    );
    this.#write(text);
  }

  rename(name: string): void {
    this.#write(withText(this.toml, 'name', name));
  }

  /** Back to the edition, for one rule or for all. */
  restore(rule: string): void {
    this.set({ [rule]: this.usual(rule) });
  }
  restoreAll(): void {
    this.#set = {};
    this.#write(template(this.parent, this.name));
  }

  /** Takes a text that was written by hand. */
  edit(toml: string): void {
    this.#set = {};
    this.#write(toml);
  }

  /** The server has refused these rules. */
  refuse(error: unknown): void {
    const isWrong = error instanceof ApiError && error.status === 400;
    const rule = error instanceof ApiError ? error.rule : null;
    this.trouble = { sentence: troubleIn(error), rule, isWrong };
  }

  #named(name: string): EditionInfo | undefined {
    const { editions, presets } = this.known;
    const preset = presets.find((one) => one.preset === name);
    return preset?.edition ?? editions.find((one) => one.id === name);
  }

  #with(toml: string, rule: string, value: unknown): string {
    const usual = this.usual(rule);
    if (isSame(value, usual)) return without(toml, rule);
    return withRule(toml, rule, isTable(value) && isTable(usual) ? unlike(value, usual) : value);
  }

  #write(toml: string): void {
    this.toml = toml;
    clearTimeout(this.#timer);
    this.#asked++;
    this.isChecking = this.isHouse;
    if (this.isHouse) {
      this.#timer = setTimeout(() => void this.#ask(), PAUSE);
    } else {
      this.#settle(null);
    }
  }

  async #ask(): Promise<void> {
    const turn = ++this.#asked;
    try {
      const read = await this.#check(this.toml);
      if (turn === this.#asked) this.#settle(read);
    } catch (error) {
      // What the controls have set stays, so that nothing is lost.
      if (turn === this.#asked) this.refuse(error);
    }
    if (turn === this.#asked) this.isChecking = false;
  }

  #settle(read: EditionInfo | null): void {
    this.#read = read;
    this.#set = {};
    this.trouble = null;
  }
}

function isSame(a: unknown, b: unknown): boolean {
  return JSON.stringify(a) === JSON.stringify(b);
}

export function isTable(value: unknown): value is Values {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** The entries of a table that differ from another's: the server merges them. */
export function unlike(table: Values, other: Values): Values {
  return Object.fromEntries(
    Object.entries(table).filter(([key, value]) => !isSame(value, other[key])),
  );
}
