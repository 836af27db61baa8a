/** Has a card that was played taken noticeably long to arrive? */

import { targetOf } from './moves';

/** What takes no longer than this needs no word. */
const NOTICEABLE = 400;

/** Follows the move that was sent for as long as the calling component lives. */
export function slowAt(sent: () => string | null) {
  let isSlow = $state(false);
  const isCard = $derived(targetOf(sent() ?? '-') !== null);
  $effect(() => {
    if (!isCard) return undefined;
    const timer = setTimeout(() => (isSlow = true), NOTICEABLE);
    return () => {
      clearTimeout(timer);
      isSlow = false;
    };
  });
  return {
    get isSlow() {
      return isSlow;
    },
  };
}
