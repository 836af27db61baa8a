/** Notes on the most recent tables that survive a reload. */

const KEY = 'millebornes.tables';
/** How many tables are remembered. */
const MOST = 8;

/** The part of `localStorage` that is used; a browser may forbid it. */
export type Box = Pick<Storage, 'getItem' | 'setItem'>;

type Notes = Record<string, unknown>;

/** The notes on one table. */
export class Memory {
  constructor(
    private readonly table: string,
    private readonly box: Box | null = localBox(),
  ) {}

  read(name: string): unknown {
    const notes = this.#all().find(([table]) => table === this.table)?.[1];
    return notes?.[name];
  }

  write(name: string, value: unknown): void {
    const all = this.#all();
    const notes = all.find(([table]) => table === this.table)?.[1] ?? {};
    const others = all.filter(([table]) => table !== this.table).slice(1 - MOST);
    try {
      const kept = [...others, [this.table, { ...notes, [name]: value }]];
      this.box?.setItem(KEY, JSON.stringify(kept));
    } catch {
      // Full or forbidden: a reload loses the note, and everything else works.
    }
  }

  #all(): [string, Notes][] {
    try {
      const found: unknown = JSON.parse(this.box?.getItem(KEY) ?? '[]');
      return Array.isArray(found) ? (found as [string, Notes][]) : [];
    } catch {
      return [];
    }
  }
}

function localBox(): Box | null {
  try {
    return globalThis.localStorage ?? null;
  } catch {
    return null;
  }
}
