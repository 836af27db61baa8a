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

export type Pictures = ReturnType<typeof picturesFor>;

export function picturesFor(world: Pick<World, 'later' | 'isHidden'>, audience: Audience) {
  let shown = $state.raw<TableView | null>(null);
  let newest = $state.raw<TableView | null>(null);
  const settled = $derived(shown === newest);

  let waiting: Step[] = [];
  let isTelling = false;
  let isSkipping = false;
  let isEnded = false;
  /** Ends the story that is being told. */
  let cut: (() => void) | null = null;

  async function tellAll(): Promise<void> {
    if (isTelling) return;
    isTelling = true;
    for (let step = waiting.shift(); step; step = waiting.shift()) {
      const { frame, before, table } = step;
      const tellStory = audience.tellStory();
      audience.onstep(step);
      if (tellStory !== null && frame !== null && isWorthAStory(step)) {
        await untilTold(() => tellStory(frame, before, table));
      }
      if (isEnded) return;
      shown = table;
      audience.onshown(table);
    }
    isTelling = isSkipping = false;
  }

  function isWorthAStory({ frame, isMissed }: Step): boolean {
    if (isMissed || isSkipping || frame?.events.length === 0) return false;
    const isCrowded = waiting.length > MOST_WAITING;
    return !isCrowded && !world.isHidden() && !isStill();
  }

  /** Waits for a story until it ends, is cut short, or takes too long. */
  async function untilTold(story: () => Promise<void>): Promise<void> {
    let cancel = () => {};
    const isCut = new Promise<void>((resolve) => {
      cancel = world.later(LONGEST_STORY, resolve);
      cut = resolve;
    });
    try {
      await Promise.race([story(), isCut]);
    } catch (error) {
      // A picture that could not be animated is shown all the same.
      console.error(error);
    }
    cancel();
    cut = null;
  }

  return {
    /** The picture on screen. */
    get shown() {
      return shown;
    },
    /** The newest picture received. */
    get newest() {
      return newest;
    },
    get settled() {
      return settled;
    },

    /** Shows a picture at once; null for none. */
    put(table: TableView | null): void {
      newest = shown = table;
    },

    /** Shows these pictures one after the other; the last is the newest at once. */
    take(steps: Step[]): void {
      waiting.push(...steps);
      newest = steps.at(-1)?.table ?? newest;
      void tellAll();
    },

    /** Cuts the story short: the newest picture is shown at once. */
    skip(): void {
      if (!isTelling) return;
      isSkipping = true;
      cut?.();
    },

    end(): void {
      isEnded = true;
      cut?.();
      waiting = [];
    },
  };
}
