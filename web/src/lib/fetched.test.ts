import { expect, test } from 'vitest';

import { fetched } from './fetched';

test('a part is fetched only once', async () => {
  let fetches = 0;
  const part = fetched(() => Promise.resolve(++fetches));
  expect(await Promise.all([part(), part(), part()])).toEqual([1, 1, 1]);
  expect(fetches).toBe(1);
});

test('a part that cannot be fetched is retried after a while', async () => {
  const waits: number[] = [];
  let tries = 0;
  const part = fetched(
    () => (++tries < 4 ? Promise.reject(new Error('away')) : Promise.resolve('there')),
    (ms) => {
      waits.push(ms);
      return Promise.resolve();
    },
  );
  expect(await part()).toBe('there');
  expect(waits).toEqual([2000, 2000, 2000]);
});
