/** The faces of the bots, 200 by 200: a driver on a round sign. */

import { disc, fill, line, type Drawing, type Layer } from '../cards/shapes';

const HEAD = 'M60 92a40 46 0 1 0 80 0a40 46 0 1 0-80 0z';
const EARS = disc(60, 96, 9) + disc(140, 96, 9);
const NECK = 'M84 126H116V152Q100 164 84 152Z';
const SHOULDERS = 'M39 170Q48 148 84 144L100 152L116 144Q152 148 161 170A93 93 0 0 1 39 170Z';

/** A round sign of this colour. */
const sign = (ink: string): Layer[] => [
  fill('white', disc(100, 100, 99)),
  fill(ink, disc(100, 100, 93)),
];

/** Somebody without features yet, in clothes of this colour. */
const somebody = (ground: string, clothes: string, skin: string): Layer[] => [
  ...sign(ground),
  fill(clothes, SHOULDERS),
  fill(skin, NECK + EARS),
  fill('shadow', 'M84 132Q100 146 116 132V142Q100 154 84 142Z'),
  fill(skin, HEAD),
];

const FACES: Record<string, Layer[]> = {
  // Rosy cheeks, freckles, and a bobble hat
  learner: [
    ...somebody('green', 'yellow', 'skin'),
    fill('ink', disc(82, 100, 7) + disc(118, 100, 7)),
    fill('white', disc(84.5, 97.5, 2.5) + disc(120.5, 97.5, 2.5)),
    fill('tan', disc(94, 110, 2.5) + disc(100, 113, 2.5) + disc(106, 110, 2.5)),
    fill('blush', disc(70, 113, 9) + disc(130, 113, 9)),
    line('ink', 5, 'M86 121Q100 132 114 121'),
    fill('red', disc(100, 32, 14)),
    fill('red', 'M57 78Q58 40 100 40T143 78Z'),
    line('shadow', 6, 'M80 46Q74 56 73 70M120 46Q126 56 127 70'),
    fill('white', 'M54 68H146Q154 68 154 77T146 86H54Q46 86 46 77T54 68Z'),
  ],
  // A straw hat, sunglasses, and all the time in the world
  'sunday-driver': [
    ...somebody('orange', 'navy', 'skin'),
    fill('white', 'M84 146L100 154L116 146L110 174L100 162L90 174Z'),
    fill('blush', disc(72, 120, 8) + disc(128, 120, 8)),
    fill('ink', 'M65 88H97V101Q97 113 81 113T65 101ZM103 88H135V101Q135 113 119 113T103 101Z'),
    line('ink', 6, 'M62 91H138'),
    line('grey', 4, 'M73 103L83 93M111 103L121 93'),
    line('ink', 5, 'M84 123Q100 135 116 123'),
    fill('cream', 'M66 32H134V70H66Z'),
    fill('red', 'M66 50H134V68H66Z'),
    fill('cream', 'M42 66H158Q165 66 165 73T158 80H42Q35 80 35 73T42 66Z'),
  ],
  // Spectacles, a parting and a tie
  commuter: [
    ...somebody('blue', 'ink', 'tan'),
    fill('white', 'M82 144L100 154L118 144L100 190Z'),
    fill('red', 'M94 154H106L110 184L100 192L90 184Z'),
    fill('ink', 'M58 92Q52 42 98 40Q148 38 142 92Q138 70 126 64Q104 72 82 62Q64 70 58 92Z'),
    fill('white', disc(82, 100, 15) + disc(118, 100, 15)),
    line('ink', 5, disc(82, 100, 15) + disc(118, 100, 15) + 'M97 98Q100 95 103 98'),
    fill('ink', disc(83, 101, 6) + disc(117, 101, 6)),
    line('ink', 5, 'M88 126Q104 131 114 123'),
  ],
};

/** For a bot that somebody else has written: a car, seen from the front. */
const UNKNOWN: Layer[] = [
  ...sign('grey'),
  fill('ink', 'M44 132H70V158H44ZM130 132H156V158H130Z'),
  fill('yellow', 'M56 88Q62 46 76 44H124Q138 46 144 88Q162 92 162 110V146H38V110Q38 92 56 88Z'),
  fill('navy', 'M68 84Q72 58 80 56H120Q128 58 132 84Z'),
  fill('white', disc(62, 110, 14) + disc(138, 110, 14)),
  line('ink', 4, disc(62, 110, 14) + disc(138, 110, 14)),
  line('ink', 5, 'M86 106H114M86 115H114M86 124H114'),
  line('white', 9, 'M44 142H156'),
];

export function faceOf(level: string): Drawing[] {
  return [{ layers: FACES[level] ?? UNKNOWN }];
}
