/** Finds the id of a table in typed or pasted text: a link, or only its last part. */

import { tablePath } from '../lib/router.svelte';

const CODE = /^[A-Za-z0-9_-]{22}$/;
const LINK = new RegExp(`${tablePath('([A-Za-z0-9_-]{22})')}(?![A-Za-z0-9_-])`);

export function tableIn(text: string): string | null {
  const trimmed = text.trim();
  if (CODE.test(trimmed)) return trimmed;
  return LINK.exec(trimmed)?.[1] ?? null;
}
