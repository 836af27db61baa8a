import { describe, expect, it } from 'vitest';

import type { EditionInfo } from '../lib/protocol';
import { TableEdition } from './edition.svelte';

const INFO = { rules: [{ name: 'target', value: 5000 }] } as unknown as EditionInfo;

describe('the edition of a table', () => {
  it('is fetched once, and again only after a failure', async () => {
    const answers = [Promise.reject(new Error('no answer')), Promise.resolve(INFO)];
    let asked = 0;
    const edition = new TableEdition(() => answers[asked++] ?? Promise.resolve(INFO));
    await expect(edition.fetch()).rejects.toThrow('no answer');
    expect([edition.info, edition.rules]).toEqual([null, null]);
    edition.prefetch();
    expect(await edition.fetch()).toBe(INFO);
    expect(edition.rules?.get('target')).toBe(5000);
    expect(asked).toBe(2);
  });
});
