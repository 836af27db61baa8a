/** Code that is loaded on demand. */

const PATIENCE = 2000;

/**
 * A loader that fetches once and then caches. It retries until it succeeds: the
 * server may be restarting.
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

/** Does something when the page is idle. */
export function whenIdle(work: () => void): void {
  if ('requestIdleCallback' in window) requestIdleCallback(work);
  else setTimeout(work, 500);
}
