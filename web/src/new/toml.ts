/** House rules as TOML text. */

/** A value in TOML syntax. */
export function tomlValue(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(tomlValue).join(', ')}]`;
  if (typeof value === 'object' && value !== null) {
    const pairs = Object.entries(value).map(([key, item]) => `${key} = ${tomlValue(item)}`);
    return `{ ${pairs.join(', ')} }`;
  }
  return JSON.stringify(value);
}

/** The text that new house rules start from. */
export function template(parent: string, name: string): string {
  return `parent = ${tomlValue(parent)}\nname = ${tomlValue(name)}\n`;
}

/** The same text for another parent edition. */
export function withParent(toml: string, parent: string): string {
  return toml.replace(/^parent\s*=.*$/m, () => `parent = ${tomlValue(parent)}`);
}

/** The text with this rule appended at its current value; unchanged if it is already there. */
export function withRule(toml: string, rule: string, value: unknown, means: string): string {
  if (new RegExp(`^\\s*${rule}\\s*=`, 'm').test(toml)) return toml;
  const before = toml === '' || toml.endsWith('\n') ? toml : `${toml}\n`;
  return `${before}\n# ${means}\n${rule} = ${tomlValue(value)}\n`;
}
