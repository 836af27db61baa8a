/** A list that the server returns in pages. */

import { LOBBY_PAGE, type OpenTable } from '../lib/protocol';

export interface Lobby {
  tables: OpenTable[];
  /** Is there another page? */
  hasMore: boolean;
}

/**
 * Fetches the first pages of the lobby in order, up to one that is not full. A table
 * that moved to the next page meanwhile is listed once.
 */
export async function gathered(
  fetchPage: (page: number) => Promise<OpenTable[]>,
  pages: number,
): Promise<Lobby> {
  const found = new Map<string, OpenTable>();
  for (let page = 1; page <= pages; page++) {
    const tables = await fetchPage(page);
    for (const table of tables) found.set(table.table, table);
    if (tables.length < LOBBY_PAGE) return { tables: [...found.values()], hasMore: false };
  }
  return { tables: [...found.values()], hasMore: true };
}
