/** A list that grows at its end: the newest line stays in sight, unless someone has scrolled up. */

/** Closer to the end than this many pixels counts as being there. */
const NEAR = 40;

/**
 * For as long as the calling component lives.
 * @param changed reads whatever makes the list longer.
 */
export function stayAtEnd(box: () => HTMLElement | undefined, changed: () => unknown) {
  let isAtEnd = true;
  $effect(() => {
    changed();
    const list = box();
    if (list && isAtEnd) list.scrollTop = list.scrollHeight;
  });
  return {
    /** The list has been scrolled. */
    scrolled(): void {
      const list = box();
      if (list) isAtEnd = list.scrollHeight - list.scrollTop - list.clientHeight < NEAR;
    },
    /** The next line is to be seen in any case. */
    goToEnd(): void {
      isAtEnd = true;
    },
  };
}
