/** What both forms of the score sheet of a match show: the hands as rows, or as columns. */

import type { Sheet } from '../lib/protocol';
import type { Line } from './scoring';

export interface Ruled {
  /** Of every hand, the sheet of every side. */
  sheets: Sheet[][];
  /** Of every hand, what it is called. */
  titles: string[];
  /** The sides in the order of the columns: the viewer's first. */
  sides: number[];
  own: number | null;
  lines: Line[];
  /** Points of every side after each hand. */
  totals: number[][];
  winner: number | null;
  /** The hand that is drawn in pencil: it can still change. */
  pencilled: number | null;
  /** Is that because it is being played? Otherwise it is being entered. */
  isPlayed: boolean;
}
