import { expect, test } from 'vitest';

import { fromFragment, toFragment } from './fragment';

const TEXT = 'seat 0: Léa 🚗\nbattle 1: ROLL ACC\nmoves: 0:FLAT>1\n';

test('a link carries any text, in letters that no messenger breaks', () => {
  for (const text of [TEXT, 'a', 'ab', 'abc', 'é'.repeat(500)]) {
    const fragment = toFragment(text);
    expect(fragment).toMatch(/^[\w-]+$/);
    expect(fromFragment(fragment)).toBe(text);
    expect(fromFragment(`#${fragment}`)).toBe(text);
  }
});

test('a damaged link is none', () => {
  for (const fragment of ['', '#', '#%20', '#a', '#_w', `${toFragment(TEXT)}!`]) {
    expect(fromFragment(fragment)).toBeNull();
  }
});

test('a link that was cut short is damaged, wherever it was cut', () => {
  const whole = toFragment(TEXT);
  for (let length = 0; length < whole.length; length++) {
    expect(fromFragment(whole.slice(0, length))).toBeNull();
  }
});
