import { describe, expect, it } from 'vitest';

import { template, tomlValue, withParent, withRule } from './toml';

describe('house rules', () => {
  it('writes values as TOML does', () => {
    expect(tomlValue(true)).toBe('true');
    expect(tomlValue(400)).toBe('400');
    expect(tomlValue('rolling')).toBe('"rolling"');
    expect(tomlValue([2, 3])).toBe('[2, 3]');
    expect(tomlValue({ '2': 700, '4': 1000 })).toBe('{ 2 = 700, 4 = 1000 }');
  });

  it('starts with a parent and a name', () => {
    expect(template('article', 'Our "house"')).toBe(
      'parent = "article"\nname = "Our \\"house\\""\n',
    );
  });

  it('adds a rule once', () => {
    const once = withRule('parent = "article"', 'max_200s', 2, 'how many');
    expect(once).toBe('parent = "article"\n\n# how many\nmax_200s = 2\n');
    expect(withRule(once, 'max_200s', 4, 'how many')).toBe(once);
  });

  it('changes the parent only', () => {
    expect(withParent('# mine\nparent = "article"\ntie = "drawn"\n', 'parker-1988')).toBe(
      '# mine\nparent = "parker-1988"\ntie = "drawn"\n',
    );
  });
});
