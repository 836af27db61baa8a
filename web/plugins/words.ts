import { readdirSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import type { Plugin } from 'vite';

const MODULE = 'millebornes:words';
const DEFAULT_LANGUAGE = 'en';

/** What the page needs; the rest is of the terminal. */
const SECTIONS = [
  'language',
  'cards',
  'score',
  'names',
  'reasons',
  'events',
  'table',
  'hints',
  'editions',
  'fields',
  'stakes',
  'web',
];

/** Makes each language file in `folder` a chunk of its own, fetched when it is chosen. */
export function words(folder: string): Plugin {
  const file = (code: string) => join(folder, `${code}.json`);
  const read = (code: string) => JSON.parse(readFileSync(file(code), 'utf8')) as object;

  function codes(): string[] {
    const found = readdirSync(folder).filter((name) => name.endsWith('.json'));
    return found
      .map((name) => basename(name, '.json'))
      .sort((a, b) => Number(b === DEFAULT_LANGUAGE) - Number(a === DEFAULT_LANGUAGE));
  }

  function index(): string {
    const languages = codes().map((code) => ({
      code,
      name: (read(code) as { language: string }).language,
    }));
    const loaders = codes().map(
      (code) => `${JSON.stringify(code)}: () => import(${JSON.stringify(`${MODULE}/${code}`)})`,
    );
    return [
      `export const languages = ${JSON.stringify(languages)};`,
      `const loaders = { ${loaders.join(', ')} };`,
      `export const load = async (code) => (await loaders[code]()).default;`,
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
      const code = id.slice(`\0${MODULE}/`.length);
      this.addWatchFile(file(code));
      const kept = Object.entries(read(code)).filter(([section]) => SECTIONS.includes(section));
      return `export default ${JSON.stringify(Object.fromEntries(kept))};`;
    },
  };
}
