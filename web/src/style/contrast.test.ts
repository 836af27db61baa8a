import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';

const read = (path: string) => readFileSync(new URL(path, import.meta.url), 'utf8');
const tokens = read('./tokens.css');
const scene = read('../cards/Scene.svelte');
const road = read('../road/Road.svelte');
const lane = read('../road/Lane.svelte');

type Theme = 'light' | 'dark';

const COLOUR = /light-dark\(\s*(#[0-9a-f]+),\s*(#[0-9a-f]+)\s*\)|(#[0-9a-f]{6})\b/;

/** The colour that a declaration names, in one theme. */
function colourIn(declaration: string, theme: Theme): string {
  const found = COLOUR.exec(declaration);
  const colour = found?.[3] ?? found?.[theme === 'light' ? 1 : 2];
  if (colour === undefined) throw new Error(`there is no colour in: ${declaration}`);
  return colour;
}

function token(name: string, theme: Theme): string {
  const found = new RegExp(`--${name}: ([^;]+);`).exec(tokens);
  if (!found?.[1]) throw new Error(`there is no --${name}`);
  return colourIn(found[1], theme);
}

/** The relative luminance of WCAG 2. */
function luminance(colour: string): number {
  const channel = (at: number) => {
    const value = parseInt(colour.slice(at, at + 2), 16) / 255;
    return value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4;
  };
  return 0.2126 * channel(1) + 0.7152 * channel(3) + 0.0722 * channel(5);
}

function contrast(one: string, other: string): number {
  const [low = 0, high = 0] = [luminance(one), luminance(other)].sort((a, b) => a - b);
  return (high + 0.05) / (low + 0.05);
}

const TEXT = 4.5;
const SHAPE = 3;
const GROUNDS = ['paper', 'surface', 'surface-2'];
const SIDES = [0, 1, 2, 3, 4, 5, 6, 7].map((side) => `side-${side}`);

const PAIRS: [string, string, number][] = [
  ...GROUNDS.flatMap((ground): [string, string, number][] => [
    ['ink', ground, 7],
    ['muted', ground, TEXT],
    ['red', ground, TEXT],
    ['yellow', ground, TEXT],
    ['green', ground, TEXT],
    ['blue', ground, TEXT],
    ['gold', ground, TEXT],
    ['edge', ground, SHAPE],
    ['focus', ground, SHAPE],
  ]),
  ...['enamel-red', 'enamel-green', 'enamel-blue', 'enamel-navy', 'asphalt'].map(
    (ground): [string, string, number] => ['on-enamel', ground, TEXT],
  ),
  ['enamel-white', 'enamel-red', TEXT],
  ['enamel-white', 'enamel-green', TEXT],
  ['enamel-white', 'enamel-navy', TEXT],
  ['enamel-white', 'enamel-blue', TEXT],
  ['enamel-gold', 'enamel-navy', TEXT],
  ['enamel-red', 'enamel-cream', TEXT],
  ['enamel-ink', 'enamel-cream', 7],
  ['enamel-ink', 'enamel-white', 7],
  ...SIDES.map((side): [string, string, number] => ['enamel-ink', side, TEXT]),
];

describe.each(['light', 'dark'] as const)('in the %s theme', (theme) => {
  test.each(PAIRS)('%s on %s has a contrast of at least %d', (front, ground, least) => {
    expect(contrast(token(front, theme), token(ground, theme))).toBeGreaterThanOrEqual(least);
  });

  test.each([
    ['distance', '--sky'],
    ['hazard', '--sky'],
    ['remedy', '--sky'],
    ['safety', '--sky'],
    ['safety', '--glow'],
    ['autoroute', '--sky'],
  ])('the label of a card of the kind %s is readable on its %s', (kind, part) => {
    const style = scene.slice(scene.indexOf(`  .${kind} {`));
    const ground = colourIn(style.slice(style.indexOf(part)), theme);
    expect(contrast(token('ink', theme), ground)).toBeGreaterThanOrEqual(7);
  });

  test.each([
    ['a card', scene, '.road {'],
    ['the race', road, '.asphalt {'],
    ['your lane', lane, '.you {'],
  ])('white letters are readable on the road of %s', (_where, source, rule) => {
    const style = source.slice(source.indexOf(rule));
    const ground = /(?:fill|background): ([^;]+);/.exec(style)?.[1] ?? '';
    const white = token('enamel-white', theme);
    expect(contrast(white, colourIn(ground, theme))).toBeGreaterThanOrEqual(TEXT);
  });
});
