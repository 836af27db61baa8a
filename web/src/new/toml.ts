/** House rules as a text to start from. */

/** A value as TOML writes it. */
export function tomlValue(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(tomlValue).join(', ')}]`;
  if (typeof value === 'object' && value !== null) {
    const pairs = Object.entries(value).map(([key, item]) => `${key} = ${tomlValue(item)}`);
    return `{ ${pairs.join(', ')} }`;
  }
  return JSON.stringify(value);
}

/** The beginning of house rules on top of an edition. */
export function template(parent: string, name: string): string {
  return `parent = ${tomlValue(parent)}\nname = ${tomlValue(name)}\n`;
}

/** The text on top of another edition: only the line with the parent changes. */
export function withParent(toml: string, parent: string): string {
  return toml.replace(/^parent\s*=.*$/m, () => `parent = ${tomlValue(parent)}`);
}

/** The text with one more rule at its end, as it is now; unchanged if it is there already. */
export function withRule(toml: string, rule: string, value: unknown, means: string): string {
  if (new RegExp(`^\\s*${rule}\\s*=`, 'm').test(toml)) return toml;
  const before = toml === '' || toml.endsWith('\n') ? toml : `${toml}\n`;
  return `${before}\n# ${means}\n${rule} = ${tomlValue(value)}\n`;
}
