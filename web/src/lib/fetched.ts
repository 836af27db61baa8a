/** Parts of the program that are fetched when they are needed. */

const PATIENCE = 2000;

/**
 * A loader that fetches once, however often it is asked. Where that fails it goes on trying: the
 * server may only be starting again.
 */
export function fetched<T>(
  load: () => Promise<T>,
  wait: (ms: number) => Promise<void> = (ms) => new Promise((done) => setTimeout(done, ms)),
): () => Promise<T> {
  let found: Promise<T> | null = null;
  async function untilThere(): Promise<T> {
    for (;;) {
      try {
        return await load();
      } catch {
        await wait(PATIENCE);
      }
    }
  }
  return () => (found ??= untilThere());
}

/** Does something once the page has settled. */
export function whenIdle(work: () => void): void {
  if ('requestIdleCallback' in window) requestIdleCallback(work);
  else setTimeout(work, 500);
}
