/**
 * House rules as TOML text. A form changes single lines of it and keeps the others as they were
 * written. What the text means is for the server to say.
 */

/** A line `key = value`, which may be several lines long, or the heading of a table. */
interface Statement {
  /** The first part of its key, or of the table that it stands in. */
  key: string;
  isNested: boolean;
  isHeading: boolean;
  start: number;
  end: number;
  valueStart: number;
  valueEnd: number;
}

const NOT_RULES = ['parent', 'name'];

/** A value in TOML syntax. */
export function tomlValue(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(tomlValue).join(', ')}]`;
  if (typeof value === 'object' && value !== null) {
    const pairs = Object.entries(value).map(([key, item]) => `${key} = ${tomlValue(item)}`);
    return `{ ${pairs.join(', ')} }`;
  }
  return JSON.stringify(value);
}

/** The text of rules that change nothing. */
export function template(parent: string, name = ''): string {
  return withText(`parent = ${tomlValue(parent)}\n`, 'name', name);
}

/** The rules that the text sets. */
export function rulesIn(toml: string): string[] {
  const keys = statements(toml).map(({ key }) => key);
  return [...new Set(keys)].filter((key) => !NOT_RULES.includes(key));
}

/** The text that stands for a key, such as the name; null if there is none. */
export function textOf(toml: string, key: string): string | null {
  const found = statements(toml).find((one) => one.key === key && !one.isNested);
  if (!found) return null;
  const written = toml.slice(found.valueStart, found.valueEnd);
  if (/^'[^']*'$/.test(written)) return written.slice(1, -1);
  try {
    const value: unknown = JSON.parse(written);
    return typeof value === 'string' ? value : null;
  } catch {
    return null;
  }
}

/** The same text with another text for a key; an empty one takes the line away. */
export function withText(toml: string, key: string, text: string): string {
  return text === '' ? without(toml, key) : withRule(toml, key, text);
}

/** The same text with this value for a rule: in its old place, or after the others. */
export function withRule(toml: string, rule: string, value: unknown): string {
  const [first, ...others] = statements(toml).filter(({ key }) => key === rule);
  if (first && others.length === 0 && !first.isNested && !first.isHeading) {
    return toml.slice(0, first.valueStart) + tomlValue(value) + toml.slice(first.valueEnd);
  }
  const rest = without(toml, rule);
  const place = placeFor(rest, rule);
  const before = rest.slice(0, place);
  const line = `${rule} = ${tomlValue(value)}\n`;
  return before + (before === '' || before.endsWith('\n') ? '' : '\n') + line + rest.slice(place);
}

/** The text without a rule. */
export function without(toml: string, rule: string): string {
  return statements(toml)
    .filter(({ key }) => key === rule)
    .reverse()
    .reduce((text, { start, end }) => text.slice(0, start) + text.slice(end), toml);
}

/** Where a new line goes: a name below the parent, a rule before any table, or it would be in it. */
function placeFor(toml: string, rule: string): number {
  const all = statements(toml);
  if (rule === 'name') return all.find(({ key }) => key === 'parent')?.end ?? 0;
  const heading = all.findIndex(({ isHeading }) => isHeading);
  return heading === -1 ? toml.length : (all[heading - 1]?.end ?? 0);
}

function statements(toml: string): Statement[] {
  const found: Statement[] = [];
  let table: string | null = null;
  let start = 0;
  while (start < toml.length) {
    const lineEnd = endOfLine(toml, start);
    const line = toml.slice(start, lineEnd);
    const heading = /^\s*\[+\s*([^\].\s]+)/.exec(line);
    const pair = /^\s*((?:"[^"\n]*"|'[^'\n]*'|[^=#"'\n])+)=[ \t]*/.exec(line);
    let end = lineEnd;
    if (heading?.[1]) {
      table = bare(heading[1]);
      const nowhere = { valueStart: start, valueEnd: start };
      found.push({ key: table, isNested: false, isHeading: true, start, end, ...nowhere });
    } else if (pair?.[1]) {
      const valueStart = start + pair[0].length;
      const value = endOfValue(toml, valueStart);
      end = endOfLine(toml, value);
      const parts = pair[1].split('.');
      const key = table ?? bare(parts[0] ?? '');
      const isNested = table !== null || parts.length > 1;
      found.push({ key, isNested, isHeading: false, start, end, valueStart, valueEnd: value });
    }
    start = end;
  }
  return found;
}

function bare(key: string): string {
  return key.trim().replace(/^(["'])(.*)\1$/, '$2');
}

function endOfLine(toml: string, from: number): number {
  const end = toml.indexOf('\n', from);
  return end === -1 ? toml.length : end + 1;
}

/** The end of a value: brackets and long strings may go on for lines, comments are no part. */
function endOfValue(toml: string, from: number): number {
  let depth = 0;
  let end = from;
  for (let at = from; at < toml.length; at++) {
    const char = toml[at] ?? '';
    if (char === '\n' && depth === 0) break;
    if (char === '#') {
      if (depth === 0) break;
      at = endOfLine(toml, at) - 1;
    } else if (char === '"' || char === "'") {
      at = endOfString(toml, at) - 1;
    } else if ('[{'.includes(char)) {
      depth++;
    } else if (']}'.includes(char)) {
      depth--;
    }
    if (!/\s/.test(toml[at] ?? ' ')) end = at + 1;
  }
  return Math.min(end, toml.length);
}

function endOfString(toml: string, from: number): number {
  const quote = toml[from] ?? '';
  const long = quote.repeat(3);
  const mark = toml.startsWith(long, from) ? long : quote;
  for (let at = from + mark.length; at < toml.length; at++) {
    if (toml[at] === '\\' && quote === '"') at++;
    else if (toml.startsWith(mark, at)) return at + mark.length;
    // A short string that does not end in its line is a mistake; the next line is none.
    else if (toml[at] === '\n' && mark === quote) return at;
  }
  return toml.length;
}
