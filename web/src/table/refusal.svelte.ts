/** The latest refusal, shown for a few seconds. */

import { untrack } from 'svelte';

import type { Session } from '../session/session.svelte';

const SHOWN = 6000;

/** Follows a session for as long as the calling component lives. */
export function refusalOf(session: Session, onrefused: () => void) {
  let sentence = $state<string | null>(null);
  $effect(() => {
    sentence = session.refusal?.sentence ?? null;
    if (session.refusal === null) return undefined;
    untrack(onrefused);
    const timer = setTimeout(() => (sentence = null), SHOWN);
    return () => clearTimeout(timer);
  });
  return {
    get sentence() {
      return sentence;
    },
  };
}
