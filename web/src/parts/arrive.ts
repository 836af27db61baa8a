/** Moves the focus to the heading of a screen that has just been opened, as a new page would. */

let isFirst = true;

export function arrive(heading: HTMLElement): void {
  if (!isFirst) heading.focus({ preventScroll: true });
  isFirst = false;
}
