import { expect, it } from 'vitest';

import { elided } from './elision';
import fixture from './fixtures/sentences.json';

it.each(fixture.elisions)(
  'shortens the words that Python shortens: $template, $name',
  ({ template, name, elided: text }) => {
    expect(elided(template, { name })).toBe(text);
  },
);
