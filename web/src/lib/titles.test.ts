import { beforeAll, expect, it } from 'vitest';

import type { EditionInfo } from './protocol';
import { editionTitle } from './titles';
import { learn } from './words.svelte';

function edition(id: string, name: string | null, parent: string | null): EditionInfo {
  const facts = { character: '', player_counts: [], teams_at: [], short_trip_at: [], rules: [] };
  return { id, name, parent, ...facts };
}

beforeAll(() => learn('en'));

it('uses the name of house rules', () => {
  expect(editionTitle(edition('house-1', 'Chez nous with house rules', 'article'))).toBe(
    'Chez nous with house rules',
  );
});

it('names house rules without a name after their printed edition', () => {
  expect(editionTitle(edition('house-1', null, 'winning-moves'))).toMatch(/^House rules on top of/);
});

it('uses the server’s name for a printed edition without a text', () => {
  expect(editionTitle(edition('newer', 'A newer box', null))).toBe('A newer box');
});
