import { describe, expect, it } from 'vitest';

import { codeIn } from './device';

const CODE = 'Abc_defghij-klmnopqr12';

describe('codeIn', () => {
  it('accepts a code or a link with it', () => {
    expect(codeIn(` ${CODE} `)).toBe(CODE);
    expect(codeIn(`http://192.168.1.2:8954/#device=${CODE}`)).toBe(CODE);
  });

  it('refuses anything else', () => {
    expect(codeIn('')).toBeNull();
    expect(codeIn('hello')).toBeNull();
    expect(codeIn(`http://example.org/${CODE}`)).toBeNull();
  });
});
