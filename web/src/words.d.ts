/** The words of a language: the part of `src/millebornes/words/<code>.json` that the page needs. */
declare module 'millebornes:words' {
  /** A sentence, or one sentence for each value of the parameter that `by` names. */
  export type Template = string | Record<string, string>;
  export type Section = Record<string, string>;

  export interface Words {
    language: string;
    cards: Section;
    score: Section;
    names: Section;
    reasons: Record<string, Template>;
    events: Section;
    table: Section;
    facts: Record<string, Template>;
    hints: Record<string, Template>;
    stakes: Record<string, Template>;
    web: Record<string, Section>;
  }

  /** All languages, each by its own name; the default comes first. */
  export const languages: readonly { code: string; name: string }[];
  /** Fetches the words of a language: one small file, once. */
  export function load(code: string): Promise<Words>;
  /** Fetches the words that only one page needs, by area. */
  export function loadPage(page: string, code: string): Promise<Record<string, Section>>;
}
