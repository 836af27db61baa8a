import { expect, it } from 'vitest';

import { ICONS } from './paths';

const SOURCES = Object.values(
  import.meta.glob<string>(['../**/*.svelte', '../**/*.ts', '!../**/*.test.ts', '!./paths.ts'], {
    query: '?raw',
    import: 'default',
    eager: true,
  }),
).join('\n');

it('has no icon twice: two names for one picture would be two meanings', () => {
  const pictures = Object.values(ICONS);
  expect(new Set(pictures).size).toBe(pictures.length);
});

it.each(Object.keys(ICONS))('uses the icon %s', (name) => {
  expect(SOURCES).toMatch(new RegExp(`['"]${name}['"]`));
});
