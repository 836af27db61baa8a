/**
 * Icons of our own: lines of width 2 on a grid of 24, in the colour of the text. Each stands for
 * one thing, everywhere: for what its name says, or for the comment above it.
 */

const ring = (x: number, y: number, r: number) =>
  `M${x - r} ${y}a${r} ${r} 0 1 0 ${2 * r} 0a${r} ${r} 0 1 0 ${-2 * r} 0`;

export const ICONS = {
  add: 'M12 5v14M5 12h14',
  /** The move before: take one back. */
  back: 'M8.5 5L4 9.5 8.5 14M4 9.5h9.5a5.5 5.5 0 0 1 0 11H9',
  bot: `M5 9h14v10H5zM12 9V5M2 13v3M22 13v3M9.5 15.5h5${ring(12, 4, 1)}M9 12.5v.1M15 12.5v.1`,
  /** A free seat. */
  chair: 'M7 3v18M7 13h10v8M17 13V9H7',
  chat: 'M4 5h16v11H11l-5 4v-4H4z',
  /** Done, or right. */
  check: 'M5 12.5l5 5L19.5 7',
  close: 'M6 6l12 12M18 6L6 18',
  copy: 'M9 9h11v12H9zM5 15H4V3h11v2',
  discard: 'M4 13v7h16v-7M12 3v11M7.5 10l4.5 4.5L16.5 10',
  /** Unfold; `up` folds. */
  down: 'M5 9.5l7 7 7-7',
  /** More about the lines above. */
  explain: `${ring(12, 12, 9)}M12 11.5v5M12 7.5v.1`,
  /** People who watch. */
  eye: `M2 12q4-7 10-7t10 7q-4 7-10 7T2 12z${ring(12, 12, 3)}`,
  /** The trip is completed. */
  finish: 'M6 21V4h12l-2.5 4L18 12H6',
  hint: 'M9 18h6M10 21h4M12 3a6 6 0 0 0-3.5 10.9q.5.5.5 1.6h6q0-1.1.5-1.6A6 6 0 0 0 12 3z',
  /** The host of a table: a steering wheel. */
  host: `${ring(12, 12, 9)}${ring(12, 12, 2.5)}M9.5 12H3M14.5 12H21M12 14.5V21`,
  /** How to play. */
  how: `${ring(12, 12, 9)}M9.2 9.5a2.8 2.8 0 1 1 4.3 2.4q-1.5.9-1.5 2.1M12 17v.1`,
  /** A move that the rules do not allow: no entry. */
  illegal: `${ring(12, 12, 9)}M7.5 12h9`,
  /** Send somebody away. */
  kick: `${ring(10, 8, 4)}M3 20q0-6 7-6M15 14l6 6M21 14l-6 6`,
  leave: 'M13 4H5v16h8M10 12h11M17 8l4 4-4 4',
  /** Pass a link on. */
  link: 'M10 14a4 4 0 0 0 6 .4l3-3a4.2 4.2 0 0 0-6-6l-1.5 1.5M14 10a4 4 0 0 0-6-.4l-3 3a4.2 4.2 0 0 0 6 6l1.5-1.5',
  /** The memo of the cards: a hazard card. */
  memo: 'M5 3h14v18H5zM12 8l4 7.5H8z',
  menu: 'M4 6.5h16M4 12h16M4 17.5h16',
  /** Somebody whose messages are hidden: a crossed-out bubble. */
  mute: 'M9 5h11v11h-1M15.5 16H11l-5 4v-4H4V5h1M3 2.5l18 19',
  person: `${ring(12, 8, 4)}M4.5 20q0-6 7.5-6t7.5 6`,
  /** Start a game. */
  play: 'M7 4.5v15l12-7.5z',
  /** Begin again. */
  refresh: 'M19.5 9A8 8 0 1 0 20 14M20 4v5h-5',
  remove: 'M4.5 7h15M9.5 7V4h5v3M6.5 7l1 13h9l1-13',
  /** The rules of an edition: a book. */
  rules: 'M12 6.5Q8 4 3 4.5v14q5-.5 9 2 4-2.5 9-2v-14q-5-.5-9 2zM12 6.5v14',
  /** The score sheet: columns, and a total. */
  score: 'M5 3h14v18H5zM5 8.5h14M12 8.5V21M5 16h14',
  send: 'M4 12L3 4l18 8-18 8 1-8zM4 12h8',
  settings:
    'M4 7h9M19 7h1M4 17h1M11 17h9M13 7a3 3 0 1 0 6 0a3 3 0 1 0-6 0M5 17a3 3 0 1 0 6 0a3 3 0 1 0-6 0',
  sound: 'M4 9.5v5h3.5L12 19V5L7.5 9.5zM15.5 9q2 3 0 6M18.5 6.5q4 5.5 0 11',
  'sound-off': 'M4 9.5v5h3.5L12 19V5L7.5 9.5zM16 9.5l5 5M21 9.5l-5 5',
  theme: `${ring(12, 12, 9)}M12 3v18M15 5v14M18 7.5v9`,
  /** Whose turn it is. */
  turn: 'M4 12h14M12 6l6 6-6 6',
  /** Rules that say nothing about a move. */
  unclear: 'M6 12h12',
  up: 'M5 14.5l7-7 7 7',
  warning: 'M12 4L2.5 20h19zM12 10v4.5M12 17.5v.1',
  'wifi-off':
    'M3 4l18 17M5 12.5q2-2 4.7-2.7M14 9.6q2.8.7 5 2.9M2 8.5q1.7-1.6 3.8-2.6M10 5q7-.8 12 3.5M8.5 16q3.3-2.5 6.5-.4M12 19.5v.1',
  winner: 'M4 18L3 8l5 4 4-7 4 7 5-4-1 10z',
} as const;

export type IconName = keyof typeof ICONS;
