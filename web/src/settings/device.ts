/** The link that makes another device the same player. The code is in the fragment:
 * fragments are never sent, so no server or proxy logs it. */

import { ApiError, troubleIn } from '../lib/api';
import { say } from '../lib/words.svelte';

const CODE = /^[A-Za-z0-9_-]{22}$/;
const MARK = '#device=';

export function deviceLink(code: string): string {
  return `${location.origin}/${MARK}${code}`;
}

/** Finds the code in typed or pasted text: the code itself, or a link with it. */
export function codeIn(text: string): string | null {
  const trimmed = text.trim();
  const at = trimmed.indexOf(MARK);
  const code = at < 0 ? trimmed : trimmed.slice(at + MARK.length);
  return CODE.test(code) ? code : null;
}

/** Why a code could not be claimed. */
export function claimTrouble(error: unknown): string {
  const isGone = error instanceof ApiError && error.status === 404;
  return isGone ? say('settings', 'claim_failed') : troubleIn(error);
}
