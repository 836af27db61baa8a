/** The shapes of the drawings, and our own numerals. */

/** One shape: filled, or drawn as a line of some width. Its colour is an enamel of tokens.css. */
export interface Layer {
  d: string;
  ink: string;
  line?: number;
  dash?: string;
}

/** Layers that move together, from the back to the front. */
export interface Drawing {
  layers: Layer[];
  transform?: string;
}

export const fill = (ink: string, d: string): Layer => ({ ink, d });

export const line = (ink: string, width: number, d: string, dash?: string): Layer => ({
  ink,
  d,
  line: width,
  dash,
});

export const disc = (x: number, y: number, r: number) =>
  `M${x - r} ${y}a${r} ${r} 0 1 0 ${2 * r} 0a${r} ${r} 0 1 0 ${-2 * r} 0z`;

export const at = (x: number, y: number, scale = 1, turn = 0) =>
  `translate(${x} ${y}) rotate(${turn}) scale(${scale})`;

/** Numerals as on kilometre stones, 100 high: `[width, path]`. Only those the signs need. */
const NUMERALS: Record<string, [number, string]> = {
  '0': [
    62,
    'M31 0C50 0 62 13 62 35V65C62 87 50 100 31 100S0 87 0 65V35C0 13 12 0 31 0ZM31 20C25 20 22 25 22 35V65C22 75 25 80 31 80S40 75 40 65V35C40 25 37 20 31 20Z',
  ],
  '1': [36, 'M14 100V31L0 35V14L20 0H36V100Z'],
  '2': [
    60,
    'M0 100V83L27 54C35 45 38 39 38 31C38 24 35 20 30 20S22 24 22 32V36H0V32C0 12 11 0 30 0S60 11 60 30C60 43 55 52 46 62L29 80H60V100Z',
  ],
  '5': [
    60,
    'M4 0H56V20H24V36C27 34 31 33 35 33C51 33 60 45 60 66C60 88 49 100 30 100S0 90 0 69H22C22 77 25 81 30 81C36 81 38 76 38 66S36 52 30 52C27 52 25 53 24 56H4Z',
  ],
  '7': [58, 'M0 0H58V17L33 100H10L35 20H0Z'],
};
const GAP = 7;

/** A number centred on a sign, `height` high, around `y`. */
export function number(ink: string, text: string, y: number, height: number): Drawing[] {
  const glyphs = [...text].flatMap((digit) => {
    const glyph = NUMERALS[digit];
    return glyph ? [glyph] : [];
  });
  const width = glyphs.reduce((sum, [advance]) => sum + advance + GAP, -GAP);
  const scale = height / 100;
  let x = 100 - (scale * width) / 2;
  return glyphs.map(([advance, d]) => {
    const transform = at(x, y - height / 2, scale);
    x += scale * (advance + GAP);
    return { transform, layers: [fill(ink, d)] };
  });
}
