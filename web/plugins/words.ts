import { readdirSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import type { Plugin } from 'vite';

const MODULE = 'millebornes:words';
const DEFAULT_LANGUAGE = 'en';

/** What every page needs. `pages` is what only one page needs, and the rest is of the terminal. */
const SECTIONS = [
  'language',
  'cards',
  'score',
  'names',
  'reasons',
  'events',
  'table',
  'facts',
  'hints',
  'stakes',
  'web',
];

interface Words {
  language: string;
  pages: Record<string, object>;
}

/**
 * Makes each language file in `folder` a chunk of its own, fetched when it is chosen. The words of
 * each of its `pages` are one more chunk, fetched with that page.
 */
export function words(folder: string): Plugin {
  const file = (code: string) => join(folder, `${code}.json`);
  const read = (code: string) => JSON.parse(readFileSync(file(code), 'utf8')) as Words;

  function codes(): string[] {
    const found = readdirSync(folder).filter((name) => name.endsWith('.json'));
    return found
      .map((name) => basename(name, '.json'))
      .sort((a, b) => Number(b === DEFAULT_LANGUAGE) - Number(a === DEFAULT_LANGUAGE));
  }

  /** What each chunk is called, with its language and its page: `fr`, `score-pad-fr`. */
  function chunks(): Map<string, { code: string; page?: string }> {
    const found = new Map<string, { code: string; page?: string }>();
    for (const code of codes()) {
      found.set(code, { code });
      for (const page of Object.keys(read(code).pages))
        found.set(`${page}-${code}`, { code, page });
    }
    return found;
  }

  function index(): string {
    const languages = codes().map((code) => ({ code, name: read(code).language }));
    const loaders = [...chunks().keys()].map(
      (name) => `${JSON.stringify(name)}: () => import(${JSON.stringify(`${MODULE}/${name}`)})`,
    );
    return [
      `export const languages = ${JSON.stringify(languages)};`,
      `const loaders = { ${loaders.join(', ')} };`,
      'export const load = async (code) => (await loaders[code]()).default;',
      'export const loadPage = (page, code) => load(`${page}-${code}`);',
    ].join('\n');
  }

  return {
    name: 'words',
    resolveId(id) {
      return id === MODULE || id.startsWith(`${MODULE}/`) ? `\0${id}` : undefined;
    },
    load(id) {
      if (id === `\0${MODULE}`) {
        for (const code of codes()) this.addWatchFile(file(code));
        return index();
      }
      if (!id.startsWith(`\0${MODULE}/`)) return undefined;
      const chunk = chunks().get(id.slice(`\0${MODULE}/`.length));
      if (chunk === undefined) return undefined;
      const { code, page } = chunk;
      this.addWatchFile(file(code));
      const all = read(code);
      const kept = Object.entries(all).filter(([section]) => SECTIONS.includes(section));
      const content = page === undefined ? Object.fromEntries(kept) : all.pages[page];
      return `export default ${JSON.stringify(content)};`;
    },
  };
}
