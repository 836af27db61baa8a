import { describe, expect, it } from 'vitest';

import { LOBBY_PAGE, type OpenTable } from '../lib/protocol';
import { gathered } from './paging';

function tables(from: number, count: number): OpenTable[] {
  return Array.from({ length: count }, (_, at) => ({
    table: `t${from + at}`,
    edition: 'article',
    edition_name: 'Web article',
    players: 2,
    names: ['Ada'],
    free: 1,
    clock: null,
  }));
}

/** A server with this many tables; it notes which pages were requested. */
function server(count: number): { ask: (page: number) => Promise<OpenTable[]>; asked: number[] } {
  const all = tables(0, count);
  const asked: number[] = [];
  return {
    asked,
    ask: (page) => {
      asked.push(page);
      return Promise.resolve(all.slice((page - 1) * LOBBY_PAGE, page * LOBBY_PAGE));
    },
  };
}

describe('gathered', () => {
  it('fetches one page if it is not full', async () => {
    const { ask, asked } = server(LOBBY_PAGE - 1);
    const found = await gathered(ask, 3);
    expect(found.tables).toHaveLength(LOBBY_PAGE - 1);
    expect(found.hasMore).toBe(false);
    expect(asked).toEqual([1]);
  });

  it('offers more if the last fetched page is full', async () => {
    const { ask } = server(2 * LOBBY_PAGE + 50);
    expect(await gathered(ask, 1)).toMatchObject({ hasMore: true });
    const two = await gathered(ask, 2);
    expect(two.tables).toHaveLength(2 * LOBBY_PAGE);
    expect(two.hasMore).toBe(true);
    const three = await gathered(ask, 3);
    expect(three.tables).toHaveLength(2 * LOBBY_PAGE + 50);
    expect(three.hasMore).toBe(false);
  });

  it('ends with an empty page', async () => {
    const { ask, asked } = server(LOBBY_PAGE);
    expect(await gathered(ask, 2)).toMatchObject({ hasMore: false });
    expect(asked).toEqual([1, 2]);
  });

  it('lists a table once that moved to the next page', async () => {
    const pages = [tables(0, LOBBY_PAGE), tables(LOBBY_PAGE - 1, 2)];
    const found = await gathered((page) => Promise.resolve(pages[page - 1] ?? []), 2);
    const ids = found.tables.map(({ table }) => table);
    expect(new Set(ids).size).toBe(ids.length);
    expect(ids).toHaveLength(LOBBY_PAGE + 1);
  });
});
