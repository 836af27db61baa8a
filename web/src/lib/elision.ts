/** French elision: "le tour d'Inès", not "de Inès". The same as `src/millebornes/words/elision.py`. */

/** A word that loses its last letter before a vowel, and what is filled in after it. */
const SHORTENED = /(?<!\p{L})((?:d|l|n|s|m|t|j|(?:jus|lors|puis|quoi)?qu)e|la) \{(\w+)\}/giu;
/** H counts as silent, as in most French names; Y before a vowel does not (Yves, but Yann). */
const VOWEL = /^(?:[aeiouhœæ]|y(?![aeiouy]))/i;

/** The template with those words shortened that stand before a vowel of these parameters. */
export function elided(template: string, params: Record<string, string | number>): string {
  return template.replace(SHORTENED, (found, word: string, name: string) => {
    const value = String(params[name] ?? '').normalize('NFD');
    return VOWEL.test(value) ? `${word.slice(0, -1)}'{${name}}` : found;
  });
}
