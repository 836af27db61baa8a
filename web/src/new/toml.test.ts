import { describe, expect, it } from 'vitest';

import { rulesIn, template, textOf, tomlValue, withRule, without, withText } from './toml';

const WRITTEN = `# Ours, since 1979
parent = "article"   # the box in the attic
name = 'At the lake'

teams_at = [
  4, # with grandma
  6,
]
"max_200s" = 1
trip.2 = 700
note = """
max_200s = 3
"""
[trip]
4 = 700
`;

describe('house rules as text', () => {
  it('writes values as TOML does', () => {
    expect(tomlValue(true)).toBe('true');
    expect(tomlValue(400)).toBe('400');
    expect(tomlValue('rolling')).toBe('"rolling"');
    expect(tomlValue([2, 3])).toBe('[2, 3]');
    expect(tomlValue({ '2': 700, '4': 1000 })).toBe('{ 2 = 700, 4 = 1000 }');
  });

  it('starts with a parent, and a name if there is one', () => {
    expect(template('article')).toBe('parent = "article"\n');
    expect(template('article', 'Our "house"')).toBe(
      'parent = "article"\nname = "Our \\"house\\""\n',
    );
  });

  it('adds a rule at the end, and changes it in its place', () => {
    const once = withRule('parent = "article"', 'max_200s', 2);
    expect(once).toBe('parent = "article"\nmax_200s = 2\n');
    const twice = withRule(`${once}hands = 1 # quick\n`, 'max_200s', 4);
    expect(twice).toBe('parent = "article"\nmax_200s = 4\nhands = 1 # quick\n');
    expect(withRule(twice, 'hands', 3)).toContain('hands = 3 # quick');
  });

  it('takes a rule away and leaves the rest', () => {
    expect(without('parent = "article"\nhands = 1\ntie = "drawn"', 'hands')).toBe(
      'parent = "article"\ntie = "drawn"',
    );
  });

  it('finds the rules that a person has written in other ways', () => {
    expect(rulesIn(WRITTEN)).toEqual(['teams_at', 'max_200s', 'trip', 'note']);
    expect(without(WRITTEN, 'teams_at')).not.toContain('grandma');
    expect(withRule(WRITTEN, 'teams_at', [])).toContain('teams_at = []\n"max_200s" = 1\n');
    expect(withRule(WRITTEN, 'max_200s', 4)).toContain('"max_200s" = 4\n');
    expect(withRule(WRITTEN, 'max_200s', 4)).toContain('max_200s = 3\n');
  });

  it('writes a rule before tables, and replaces a table', () => {
    expect(withRule(WRITTEN, 'hands', 2)).toContain('"""\nhands = 2\n[trip]\n');
    const trip = withRule(WRITTEN, 'trip', { '2': 1000 });
    expect(trip).toContain('trip = { 2 = 1000 }\n');
    expect(trip).not.toContain('700');
  });

  it('reads and writes the name and the parent', () => {
    expect(textOf(WRITTEN, 'name')).toBe('At the lake');
    expect(textOf(WRITTEN, 'parent')).toBe('article');
    expect(textOf(WRITTEN, 'max_200s')).toBeNull();
    expect(textOf('name = "half', 'name')).toBeNull();
    expect(withText(WRITTEN, 'parent', 'family')).toContain(
      'parent = "family"   # the box in the attic\n',
    );
    expect(withText('parent = "article"\nhands = 1\n', 'name', 'Chez nous')).toBe(
      'parent = "article"\nname = "Chez nous"\nhands = 1\n',
    );
    expect(withText(WRITTEN, 'name', '')).not.toContain('lake');
  });

  it('keeps a text that is no TOML as it was', () => {
    expect(rulesIn('what = [1, 2\nhands = 1')).toEqual(['what']);
    expect(without('no rules here\n= 3\n', 'hands')).toBe('no rules here\n= 3\n');
    expect(withRule('name = "half\nhands = 1\n', 'hands', 2)).toBe('name = "half\nhands = 2\n');
  });
});
