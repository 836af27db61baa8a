/** What a pointer, a tap or the keys ask about: parts of the table with a `title`. */

import type { Session } from '../session/session.svelte';

const PARTS = ['.near', '.others', '.piles', '.trip'].map((part) => `${part} [title]`).join();

export type Pointing = ReturnType<typeof pointingAt>;

/** Follows a table for as long as the calling component lives. */
export function pointingAt(session: Session, root: () => HTMLElement | undefined) {
  let part: Element | null = null;
  let isByKeys = false;
  let text = $state<string | null>(null);
  /** Did keys lead there? Then screen readers hear it. */
  let isWalked = $state(false);

  function ask(found: Element | null, isMarked: boolean): void {
    part?.removeAttribute('data-told');
    part = found;
    if (isMarked) part?.setAttribute('data-told', '');
    text = textOf(part);
  }

  // What is asked about may change, or go.
  const table = $derived(session.table);
  const decision = $derived(table?.asked?.decision);
  $effect(() => {
    void table;
    if (part !== null) text = textOf(part);
  });
  $effect(() => {
    void decision;
    ask(null, false);
  });

  return {
    get text() {
      return text;
    },
    get isWalked() {
      return isWalked;
    },
    /** A pointer is here: above it, or pressed. */
    at(target: EventTarget | null, isPressed: boolean): void {
      const found = target instanceof Element ? target.closest(PARTS) : null;
      // A dialog may open under the pointer: the answer stays until it is closed.
      const isHere = target instanceof Node && root()?.contains(target);
      if (!isPressed && (found === part || !isHere)) return;
      isWalked = isByKeys = false;
      ask(found, isPressed);
    },
    /** Goes to the next part that has something to say; with 0 to none, for the whole of a side. */
    walk(by: number, whole = ''): void {
      const parts = [...(root()?.querySelectorAll(PARTS) ?? [])]
        .filter((one) => one.getClientRects().length > 0)
        // One's own car first.
        .sort((a, b) => Number(isOwn(b)) - Number(isOwn(a)));
      isByKeys = true;
      isWalked = by !== 0;
      const at = part === null ? (by > 0 ? -1 : 0) : parts.indexOf(part);
      ask(by === 0 ? null : (parts.at((at + by) % parts.length) ?? null), true);
      if (by === 0) text = whole || null;
    },
    /** The focus is elsewhere; a pointer may ask about something there. */
    leave(): void {
      if (isByKeys) this.forget();
    },
    forget(): void {
      isWalked = false;
      ask(null, false);
    },
  };
}

function isOwn(part: Element): boolean {
  return part.closest('.near') !== null;
}

/** What it says here: its title, unless that is too long for the line. */
function textOf(part: Element | null): string | null {
  if (!part?.isConnected) return null;
  return part.getAttribute('data-about') ?? part.getAttribute('title');
}
