import { describe, expect, it } from 'vitest';

import { tableIn } from './link';

const ID = 'k3J9_abcdefghij-lmnop0';

describe('tableIn', () => {
  it('accepts a code', () => {
    expect(tableIn(ID)).toBe(ID);
    expect(tableIn(`  ${ID}\n`)).toBe(ID);
  });

  it('accepts a link with text around it', () => {
    expect(tableIn(`http://127.0.0.1:8954/t/${ID}`)).toBe(ID);
    expect(tableIn(`Come: https://example.org/t/${ID}?x=1 now`)).toBe(ID);
    expect(tableIn(`/t/${ID}`)).toBe(ID);
  });

  it('refuses anything else', () => {
    expect(tableIn('')).toBeNull();
    expect(tableIn('https://example.org/')).toBeNull();
    expect(tableIn(`https://example.org/t/${ID}x`)).toBeNull();
    expect(tableIn('too short')).toBeNull();
  });
});
