import { describe, expect, it } from 'vitest';

import { commandOf, folded } from './keys';

function key(name: string, more: Partial<KeyboardEvent> = {}): KeyboardEvent {
  return { key: name, ctrlKey: false, metaKey: false, altKey: false, ...more } as KeyboardEvent;
}

describe('keys', () => {
  it('moves, plays, discards, helps', () => {
    expect(commandOf(key('ArrowLeft'))).toEqual({ do: 'step', by: -1 });
    expect(commandOf(key('End'))).toEqual({ do: 'end', last: true });
    expect(commandOf(key(' '))).toEqual({ do: 'play' });
    expect(commandOf(key('D'))).toEqual({ do: 'discard' });
    expect(commandOf(key('h'))).toEqual({ do: 'hint' });
    expect(commandOf(key('?'))).toEqual({ do: 'help' });
    expect(commandOf(key('Escape'))).toEqual({ do: 'cancel' });
    expect(commandOf(key('2'))).toEqual({ do: 'number', number: 2 });
  });

  it('finds cards by their first letter, without accents', () => {
    expect(commandOf(key('É'))).toEqual({ do: 'letter', letter: 'e' });
    expect(folded('Essence')).toBe('essence');
  });

  it('leaves browser shortcuts alone', () => {
    expect(commandOf(key('r', { ctrlKey: true }))).toBeNull();
    expect(commandOf(key('Tab'))).toBeNull();
    expect(commandOf(key('F5'))).toBeNull();
  });
});
