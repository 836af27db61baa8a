import { describe, expect, it } from 'vitest';

import { apart, chartOf, ROOM } from './chart';

const SIZE = { width: 320, height: 150, target: 5000 };

describe('the chart of running totals', () => {
  const totals = [
    [700, 100],
    [1700, 2500],
  ];
  const chart = chartOf(totals, SIZE);

  it('has a point for the start and one after every hand', () => {
    expect(chart.lines.map((line) => line.length)).toEqual([3, 3]);
    expect(chart.lines.map((line) => line[0])).toEqual([
      [6, chart.floor],
      [6, chart.floor],
    ]);
    expect(chart.hands.map(({ number }) => number)).toEqual([1, 2]);
  });

  it('is to scale: half of the target is half way up', () => {
    const end = chart.lines[1]?.at(-1)?.[1] ?? 0;
    expect(end).toBeCloseTo((chart.floor + (chart.goal ?? 0)) / 2);
    expect(chart.lines[0]?.at(-1)?.[1]).toBeGreaterThan(end);
  });

  it('stays inside, even if somebody is far above the target', () => {
    const high = chartOf([[9000, 0]], SIZE);
    for (const [x, y] of high.lines.flat()) {
      expect(x).toBeGreaterThanOrEqual(0);
      expect(x).toBeLessThanOrEqual(SIZE.width);
      expect(y).toBeGreaterThanOrEqual(0);
      expect(y).toBeLessThanOrEqual(SIZE.height);
    }
    expect(high.goal).toBeGreaterThan(high.lines[0]?.at(-1)?.[1] ?? 0);
  });

  it('leaves room for the hands to come, and has no target if hands are counted', () => {
    const two = chartOf(totals, { ...SIZE, target: null, hands: 4 });
    expect(two.goal).toBeNull();
    const [start, , end] = two.lines[0] ?? [];
    expect((end?.[0] ?? 0) - (start?.[0] ?? 0)).toBeLessThan(SIZE.width / 2);
  });

  it('is flat as long as nobody has a point', () => {
    const none = chartOf([[0, 0]], { ...SIZE, target: null });
    expect(none.lines.flat().every(([, y]) => y === none.floor)).toBe(true);
  });

  it('shows the numbers of eight equal sides side by side', () => {
    const many = chartOf([Array<number>(8).fill(0)], SIZE);
    const heights = many.marks.map(({ y }) => y).sort((a, b) => a - b);
    for (const [at, y] of heights.entries()) {
      if (at > 0) expect(y - (heights[at - 1] ?? 0)).toBeGreaterThanOrEqual(ROOM);
    }
    expect(heights.at(-1)).toBeLessThanOrEqual(SIZE.height);
    expect(heights[0]).toBeGreaterThanOrEqual(0);
  });

  it('moves numbers no farther than needed', () => {
    expect(apart([20, 100], 140)).toEqual([20, 100]);
    expect(apart([100, 100], 140)).toEqual([100, 118]);
    expect(apart([140, 139], 140)).toEqual([140, 122]);
  });
});
