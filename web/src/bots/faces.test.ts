import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';

import { LEVELS } from '../lib/protocol';
import { faceOf } from './faces';

const read = (path: string) => readFileSync(new URL(path, import.meta.url), 'utf8');
const tokens = read('../style/tokens.css');

describe('faces', () => {
  it('tell the levels apart, and from bots of other people', () => {
    const faces = [...LEVELS, 'somebody-elses'].map((level) => JSON.stringify(faceOf(level)));
    expect(new Set(faces).size).toBe(faces.length);
    expect(faceOf('another')).toEqual(faceOf('somebody-elses'));
  });

  it.each([...LEVELS, 'another'])('have colours that exist: %s', (level) => {
    const inks = faceOf(level).flatMap(({ layers }) => layers.map(({ ink }) => ink));
    expect(inks.filter((ink) => !tokens.includes(`--enamel-${ink}:`))).toEqual([]);
  });
});
