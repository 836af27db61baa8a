/** The geometry of the chart of running totals, in pixels. */

/** Room for the circle with a side's number. */
export const ROOM = 18;
/** Room above the highest point, for the label of the target. */
const ABOVE = 16;
const BELOW = 18;
const BEFORE = 6;

export interface Chart {
  /** Of every side, its points after 0, 1, 2… hands. */
  lines: [x: number, y: number][][];
  /** Where the number of every side stands, at the end of its line. */
  marks: { x: number; y: number }[];
  /** The middle of every hand's step, and its number. */
  hands: { x: number; number: number }[];
  /** The height of zero, and of the target. */
  floor: number;
  goal: number | null;
}

interface Size {
  width: number;
  height: number;
  /** The points that win the match; null: it has a number of hands. */
  target: number | null;
  /** As many hands as the match will have at least. */
  hands?: number;
}

export function chartOf(totals: readonly number[][], size: Size): Chart {
  const { width, height, target } = size;
  const sides = totals[0]?.length ?? 0;
  const steps = Math.max(1, totals.length, size.hands ?? 0);
  const top = Math.max(1, target ?? 0, ...totals.flat());
  const floor = height - BELOW;
  const right = width - ROOM - BEFORE;
  const x = (step: number) => BEFORE + ((right - BEFORE) * step) / steps;
  const y = (points: number) => floor - ((floor - ABOVE) * points) / top;

  const lines = Array.from({ length: sides }, (_, side) =>
    [0, ...totals.map((sums) => sums[side] ?? 0)].map((points, step): [number, number] => [
      x(step),
      y(points),
    ]),
  );
  const ends = lines.map((line) => line.at(-1)?.[1] ?? floor);
  const beside = x(totals.length) + BEFORE + ROOM / 2;
  return {
    lines,
    marks: apart(ends, height - ROOM / 2).map((at) => ({ x: beside, y: at })),
    hands: totals.map((_, step) => ({ x: x(step + 0.5), number: step + 1 })),
    floor,
    goal: target === null ? null : y(target),
  };
}

/** Moves heights apart so that no two numbers overlap, none lower than the last place. */
export function apart(heights: readonly number[], last: number, room = ROOM): number[] {
  const order = heights.map((_, at) => at).sort((a, b) => (heights[a] ?? 0) - (heights[b] ?? 0));
  const moved = [...heights];
  let free = room / 2;
  for (const at of order) {
    moved[at] = Math.max(free, moved[at] ?? 0);
    free = moved[at] + room;
  }
  free = last;
  for (const at of order.reverse()) {
    moved[at] = Math.min(free, moved[at] ?? 0);
    free = moved[at] - room;
  }
  return moved;
}
