/** The edition that a table plays. */

import { rulesOf } from '../lib/figures';
import type { EditionInfo } from '../lib/protocol';

export class TableEdition {
  readonly #load: () => Promise<EditionInfo>;
  /** Null until it has come. */
  info = $state.raw<EditionInfo | null>(null);
  rules = $derived(this.info && rulesOf(this.info));
  #fetched: Promise<EditionInfo> | null = null;

  constructor(load: () => Promise<EditionInfo>) {
    this.#load = load;
  }

  /** Fetches it once. After a failure the next call tries again. */
  fetch(): Promise<EditionInfo> {
    this.#fetched ??= this.#load().then(
      (info) => (this.info = info),
      (error) => {
        this.#fetched = null;
        throw error;
      },
    );
    return this.#fetched;
  }

  /** The same where nobody waits for it: a page stands without the edition. */
  prefetch(): void {
    this.fetch().catch(() => undefined);
  }
}
