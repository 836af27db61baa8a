/** Keyboard focus when the screen changes: it goes to the new heading, as on a new page. */

import { tick } from 'svelte';

let isFirst = true;

/** Attached to a heading: focuses it when its screen opens, except on the page's first screen. */
export function arrive(heading: HTMLElement): void {
  if (!isFirst) heading.focus({ preventScroll: true });
  isFirst = false;
}

/** Focuses the new screen's heading if the focused element went away with the old screen. */
export async function refocus(): Promise<void> {
  await tick();
  if (document.activeElement !== null && document.activeElement !== document.body) return;
  const heading = document.querySelector('main h1') ?? document.querySelector('main');
  if (!(heading instanceof HTMLElement)) return;
  if (!heading.hasAttribute('tabindex')) heading.tabIndex = -1;
  heading.focus({ preventScroll: true });
}
