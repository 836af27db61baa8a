import { tick } from 'svelte';

/** What had the focus may have gone with its screen: then it goes to the heading of the new one. */
export async function refocus(): Promise<void> {
  await tick();
  if (document.activeElement !== null && document.activeElement !== document.body) return;
  const heading = document.querySelector('main h1') ?? document.querySelector('main');
  if (!(heading instanceof HTMLElement)) return;
  if (!heading.hasAttribute('tabindex')) heading.tabIndex = -1;
  heading.focus({ preventScroll: true });
}
