/** The log and the chat at a table in play: whether they are visible, and unread messages. */

import { untrack } from 'svelte';
import { MediaQuery } from 'svelte/reactivity';

import type { Session } from '../session/session.svelte';

/** Follows a session for as long as the calling component lives. */
export function talkAt(session: Session) {
  const wide = new MediaQuery('(min-width: 960px) and (min-height: 560px)');
  let isOpen = $state(false);
  /** The id of the first unread line. */
  let unseen = $state(0);
  const isShown = $derived(wide.current || isOpen);
  const said = $derived(
    session.log.filter(({ kind, mine }) => (kind === 'chat' || kind === 'emote') && !mine),
  );
  $effect(() => {
    const last = said.at(-1)?.id ?? -1;
    if (isShown) untrack(() => (unseen = last + 1));
  });

  return {
    /** Is it open over the table? */
    get isOpen() {
      return isOpen;
    },
    set isOpen(open) {
      isOpen = open;
    },
    /** Is there room for it beside the table? */
    get isBeside() {
      return wide.current;
    },
    get isShown() {
      return isShown;
    },
    /** How many messages from others came while the chat was hidden. */
    get unread() {
      return said.filter(({ id }) => id >= unseen).length;
    },
  };
}
