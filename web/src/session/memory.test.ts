import { describe, expect, it } from 'vitest';

import { Memory } from './memory';
import { memoryBox } from './testing';

describe('memory', () => {
  it('keeps the notes of each table', () => {
    const box = memoryBox();
    new Memory('one', box).write('a', 1);
    new Memory('one', box).write('b', [2]);
    new Memory('two', box).write('a', 3);
    expect(new Memory('one', box).read('a')).toBe(1);
    expect(new Memory('one', box).read('b')).toEqual([2]);
    expect(new Memory('two', box).read('a')).toBe(3);
    expect(new Memory('two', box).read('b')).toBeUndefined();
  });

  it('forgets all but the last tables', () => {
    const box = memoryBox();
    for (let table = 0; table < 12; table++) new Memory(`t${table}`, box).write('a', table);
    expect(new Memory('t3', box).read('a')).toBeUndefined();
    expect(new Memory('t4', box).read('a')).toBe(4);
    expect(new Memory('t11', box).read('a')).toBe(11);
  });

  it('works without storage, or with broken or full storage', () => {
    const full = memoryBox();
    full.setItem('millebornes.tables', '{');
    full.setItem = () => {
      throw new Error('full');
    };
    for (const memory of [new Memory('t', null), new Memory('t', full)]) {
      memory.write('a', 1);
      expect(memory.read('a')).toBeUndefined();
    }
  });
});
