/** The pictures of a table: each is shown once the story that leads to it has been told. */

import { isStill } from '../lib/prefs.svelte';
import type { Frame, TableView } from '../lib/protocol';
import type { World } from './browser';
import type { Verdict } from './log.svelte';

/** A picture that waits to be shown. */
export interface Step {
  table: TableView;
  /** What led to it; null if there is nothing to tell. */
  frame: Frame | null;
  before: TableView | null;
  verdict: Verdict;
  /** It came late, together with others: the log has it, but there is no story. */
  isMissed: boolean;
}

/** Animates the frame of a step. */
export type TellStory = (frame: Frame, before: TableView | null, after: TableView) => Promise<void>;

interface Audience {
  tellStory(): TellStory | null;
  /** It is this step's turn. */
  onstep(step: Step): void;
  onshown(table: TableView): void;
}

/** With more pictures waiting than this, some are shown without a story. */
const MOST_WAITING = 4;
/** A story that does not end must not hold up the game. */
const LONGEST_STORY = 6000;

export class Pictures {
  readonly #world: Pick<World, 'later' | 'isHidden'>;
  readonly #audience: Audience;
  /** The picture on screen. */
  shown = $state.raw<TableView | null>(null);
  /** The newest picture received. */
  newest = $state.raw<TableView | null>(null);
  settled = $derived(this.shown === this.newest);

  #waiting: Step[] = [];
  #isTelling = false;
  #isSkipping = false;
  #isEnded = false;
  /** Ends the story that is being told. */
  #cut: (() => void) | null = null;

  constructor(world: Pick<World, 'later' | 'isHidden'>, audience: Audience) {
    this.#world = world;
    this.#audience = audience;
  }

  /** Shows a picture at once; null for none. */
  put(table: TableView | null): void {
    this.newest = this.shown = table;
  }

  /** Shows these pictures one after the other; the last is the newest at once. */
  take(steps: Step[]): void {
    this.#waiting.push(...steps);
    this.newest = steps.at(-1)?.table ?? this.newest;
    void this.#tellAll();
  }

  /** Cuts the story short: the newest picture is shown at once. */
  skip(): void {
    if (!this.#isTelling) return;
    this.#isSkipping = true;
    this.#cut?.();
  }

  end(): void {
    this.#isEnded = true;
    this.#cut?.();
    this.#waiting = [];
  }

  async #tellAll(): Promise<void> {
    if (this.#isTelling) return;
    this.#isTelling = true;
    for (let step = this.#waiting.shift(); step; step = this.#waiting.shift()) {
      const { frame, before, table } = step;
      const tellStory = this.#audience.tellStory();
      this.#audience.onstep(step);
      if (tellStory !== null && frame !== null && this.#isWorthAStory(step)) {
        await this.#untilTold(() => tellStory(frame, before, table));
      }
      if (this.#isEnded) return;
      this.shown = table;
      this.#audience.onshown(table);
    }
    this.#isTelling = this.#isSkipping = false;
  }

  #isWorthAStory({ frame, isMissed }: Step): boolean {
    if (isMissed || this.#isSkipping || frame?.events.length === 0) return false;
    const isCrowded = this.#waiting.length > MOST_WAITING;
    return !isCrowded && !this.#world.isHidden() && !isStill();
  }

  /** Waits for a story until it ends, is cut short, or takes too long. */
  async #untilTold(story: () => Promise<void>): Promise<void> {
    const { promise: cut, resolve } = withResolver();
    const cancel = this.#world.later(LONGEST_STORY, resolve);
    this.#cut = resolve;
    try {
      await Promise.race([story(), cut]);
    } catch (error) {
      // A picture that could not be animated is shown all the same.
      console.error(error);
    }
    cancel();
    this.#cut = null;
  }
}

function withResolver(): { promise: Promise<void>; resolve: () => void } {
  let resolve = () => {};
  const promise = new Promise<void>((done) => {
    resolve = done;
  });
  return { promise, resolve };
}
