/** The signs of all cards, 200 by 200: a plate by kind, a pictogram by code. */

import { kindOf, type Kind } from '../lib/cards';
import { at, disc, fill, line, number, type Drawing, type Layer } from './shapes';

const TRIANGLE = 'M100 24L180 165H20Z';
const SHIELD =
  'M100 4C125 18 154 23 188 22V96C188 148 152 181 100 198C48 181 12 148 12 96V22C46 23 75 18 100 4Z';
const INNER_SHIELD =
  'M100 23C123 34 147 39 172 39V96C172 138 144 166 100 182C56 166 28 138 28 96V39C53 39 77 34 100 23Z';
const STONE = 'M14 198V94A86 86 0 0 1 186 94V198Z';
const CAP = 'M14 100V94A86 86 0 0 1 186 94V100Z';
const PANEL = 'M18 16H182Q198 16 198 32V168Q198 184 182 184H18Q2 184 2 168V32Q2 16 18 16Z';
const INNER_PANEL = 'M20 22H180Q192 22 192 34V166Q192 178 180 178H20Q8 178 8 166V34Q8 22 20 22Z';

/** The shape of the plate shows the kind of card. */
const PLATES: Record<Kind, Layer[]> = {
  hazard: [line('white', 40, TRIANGLE), line('red', 31, TRIANGLE), fill('cream', TRIANGLE)],
  remedy: [
    fill('white', disc(100, 100, 99)),
    fill('green', disc(100, 100, 94)),
    line('white', 4, disc(100, 100, 85)),
  ],
  safety: [
    fill('gold', SHIELD),
    line('bronze', 3, SHIELD),
    fill('navy', INNER_SHIELD),
    line('white', 4, INNER_SHIELD),
  ],
  distance: [], // a stone is a sign by itself
  autoroute: [fill('white', PANEL), fill('blue', INNER_PANEL)],
  unknown: [],
};

/** A kilometre stone with a number on it. */
export function stone(text: string, cap: string): Drawing[] {
  const height = [0, 0, 88, 76, 61][text.length] ?? 62;
  return [
    {
      layers: [
        fill('white', STONE),
        fill(cap, CAP),
        line('white', 4, 'M27 90A73 73 0 0 1 173 90'),
        fill('shadow', 'M100 8A86 86 0 0 1 186 94V198H170V94A86 86 0 0 0 100 8Z'),
        line('ink', 6, 'M14 100H186'),
        line('ink', 6, STONE),
      ],
    },
    ...number('ink', text, 149, height),
  ];
}

/** A small round car of no particular make, 100 by 54; its wheels are separate. */
export const CAR =
  'M3 42Q1 29 15 26Q23 4 46 4Q62 4 71 22Q92 24 96 38Q97 43 93 43H87A12 12 0 0 0 63 43H37A12 12 0 0 0 13 43H6Q3 43 3 42ZM24 24Q30 11 43 11V24ZM49 11Q58 12 63 24H49Z';
const CAR_WHEELS = disc(25, 44, 9) + disc(75, 44, 9);

const BURST =
  'M52 128L71 119L58 99L79 103L76 78L92 93L100 70L108 93L124 78L121 103L142 99L129 119L148 128Z';

const PUMP = 'M-38 60H22V50H16V-46Q16 -58 4 -58H-20Q-32 -58 -32 -46V50H-38ZM-21 -46H5V-20H-21Z';
const HOSE = 'M14 2H22Q30 2 30 12V32Q30 42 38 42T46 32V-22L30 -40';

/** A tyre with the white wall of the fifties. */
const WHEEL: Layer[] = [
  fill('white', disc(0, 0, 68)),
  fill('ink', disc(0, 0, 62)),
  line('white', 7, disc(0, 0, 62.5), '6 18.54'),
  fill('white', disc(0, 0, 46)),
  fill('ink', disc(0, 0, 36)),
  fill('white', disc(0, 0, 31)),
  fill(
    'ink',
    [
      [0, -20],
      [17, -10],
      [17, 10],
      [0, 20],
      [-17, 10],
      [-17, -10],
    ].reduce((holes, [x = 0, y = 0]) => holes + disc(x, y, 5), disc(0, 0, 8)),
  ),
];

const HOUSING = 'M-14 -50H14Q24 -50 24 -40V40Q24 50 14 50H-14Q-24 50 -24 40V-40Q-24 -50 -14 -50Z';

/** A traffic light. The position shows which lamp is lit. */
const light = (lit: 'red' | 'lit', edge: number): Layer[] => {
  const y = lit === 'red' ? -30 : 30;
  return [
    line('white', edge, HOUSING),
    fill('ink', HOUSING),
    fill('grey', disc(0, 0, 11) + disc(0, -y, 11)),
    fill('white', disc(0, y, 15)),
    fill(lit, disc(0, y, 12)),
  ];
};

/** The stroke that ends a limit. */
const STRUCK = 'M46 158L154 42';

const PICTOGRAMS: Record<string, Drawing[]> = {
  ACC: [
    { layers: [fill('red', BURST)] },
    {
      transform: 'translate(100 136) rotate(-7) scale(.86) translate(-50 -29)',
      layers: [line('cream', 9, CAR + CAR_WHEELS), fill('ink', CAR), fill('ink', CAR_WHEELS)],
    },
  ],
  OUT: [
    { transform: at(102, 87, 0.38), layers: [fill('ink', PUMP), line('ink', 12, HOSE)] },
    {
      layers: [
        line('ink', 10, 'M50 156A50 36 0 0 1 150 156'),
        line('red', 10, 'M101 153L68 144'),
        fill('ink', disc(101, 153, 10)),
      ],
    },
  ],
  FLAT: [
    {
      layers: [
        fill('ink', 'M66 137A43 43 0 1 1 134 137C148 141 153 151 149 160H51C47 151 52 141 66 137Z'),
        fill('cream', disc(100, 119, 30)),
        fill('ink', disc(100, 119, 23)),
        fill('cream', disc(100, 119, 18)),
        fill('ink', disc(100, 119, 7)),
      ],
    },
  ],
  STOP: [{ transform: at(100, 111, 1.02), layers: light('red', 2) }],
  LIM: number('ink', '50', 122, 68),
  REP: [
    {
      transform: at(100, 102, 1.05, 45),
      layers: [
        fill(
          'white',
          'M-15 -66A31 31 0 0 0 -15 -11V50A15 15 0 0 0 15 50V-11A31 31 0 0 0 15 -66V-38L0 -28L-15 -38Z',
        ),
        fill('green', disc(0, 48, 6)),
      ],
    },
  ],
  GAS: [{ transform: at(101, 100, 1.02), layers: [fill('white', PUMP), line('white', 9, HOSE)] }],
  SPARE: [{ transform: at(100, 100), layers: WHEEL }],
  ROLL: [{ transform: at(100, 100, 1.24), layers: light('lit', 8) }],
  EOL: [
    ...number('white', '50', 100, 84),
    { layers: [line('green', 20, STRUCK), line('white', 9, STRUCK)] },
  ],
  ACE: [
    {
      transform: at(100, 100),
      layers: [
        line('white', 15, disc(0, 0, 52)),
        line('white', 14, 'M-50 -4Q0 -16 50 -4M0 0V52'),
        fill('white', disc(0, -4, 22)),
        fill('red', 'M0 -22L5 -10L17 -10L8 -2L11 10L0 3L-11 10L-8 -2L-17 -10L-5 -10Z'),
      ],
    },
  ],
  TANK: [
    {
      transform: at(100, 104, 1.06),
      layers: [
        fill(
          'white',
          'M-52 -38H8Q20 -38 20 -26V12H-64V-26Q-64 -38 -52 -38ZM26 -24H42Q50 -24 54 -14L62 6V28H-64V18H26ZM33 -16V0H53L48 -12Q46 -16 42 -16Z',
        ),
        fill('navy', disc(-44, 31, 15) + disc(-14, 31, 15) + disc(42, 31, 15)),
        fill('white', disc(-44, 31, 11) + disc(-14, 31, 11) + disc(42, 31, 11)),
        fill('red', 'M-52 -18H8V-6H-52Z'),
      ],
    },
  ],
  PROOF: [
    { transform: at(100, 84, 0.76), layers: WHEEL },
    {
      layers: [
        fill(
          'gold',
          'M50 122L62 146H46ZM82 138L92 162H73ZM118 138L127 162H108ZM150 122L154 146H138Z',
        ),
      ],
    },
  ],
  ROW: [
    {
      layers: [
        fill('red', 'M64 132V108A36 36 0 0 1 136 108V132Z'),
        line('white', 6, 'M64 132V108A36 36 0 0 1 136 108V132Z'),
        fill('white', 'M50 132H150V150H50Z'),
        line('white', 7, 'M84 118V110Q84 96 96 92'),
        line('gold', 9, 'M100 58V40M61 72L49 58M139 72L151 58M48 104H38M152 104H162'),
      ],
    },
  ],
  AUTO: [
    {
      layers: [
        fill('white', 'M38 164L84 38H95L92 164ZM162 164L116 38H105L108 164Z'),
        fill('blue', 'M20 70H180V98H20Z'),
        fill('white', 'M24 75H176V92H167V106H156V92H44V106H33V92H24Z'),
      ],
    },
  ],
};

/** The cap of a distance's stone: the farther, the warmer. */
const STONES: Record<string, Drawing[]> = {
  '25': stone('25', 'blue'),
  '50': stone('50', 'green'),
  '75': stone('75', 'yellow'),
  '100': stone('100', 'orange'),
  '200': stone('200', 'red'),
};

/** Everything on the sign of a card. */
export function drawingsOf(card: string): Drawing[] {
  return STONES[card] ?? [{ layers: PLATES[kindOf(card)] }, ...(PICTOGRAMS[card] ?? [])];
}

/** Signs in front of a car: the speed limit, and the light for a car that needs a Roll. */
export const ROUND_50: Drawing[] = [
  {
    layers: [
      fill('white', disc(100, 100, 99)),
      fill('red', disc(100, 100, 94)),
      fill('white', disc(100, 100, 72)),
    ],
  },
  ...number('ink', '50', 100, 76),
];
export const RED_LIGHT: Drawing[] = [{ transform: at(100, 100, 1.8), layers: light('red', 7) }];
