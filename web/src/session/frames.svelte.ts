/**
 * Frames as they arrive: their numbers, the server's clock, the shuffle they reveal. Frames missed
 * during a break are taken in at one go.
 */

import type { Frame, In, Sheet, TableView } from '../lib/protocol';
import type { World } from './browser';
import type { Verdict } from './log.svelte';
import type { Pictures, Step } from './pictures.svelte';
import { Shuffler } from './shuffler';

/** Missed frames come in a burst; this long a pause ends it. */
const CAUGHT_UP = 100;
/** The note on where the hand began, for a reloaded page. */
const HAND_BEGAN = 'handBegan';

export type Frames = ReturnType<typeof framesFor>;

export function framesFor(world: World, pictures: Pictures, ontake: (steps: Step[]) => void) {
  const shuffler = new Shuffler(world.memory, world.entropy);
  let verified = $state.raw<Record<number, boolean>>({});
  let sheets = $state.raw<Sheet[][]>([]);
  let seq: number | null = null;
  /** Server time minus our own clock. */
  let offset: number | null = null;
  /** Is the next frame the first on its connection? */
  let isFirst = true;
  const missed: Step[] = [];
  let catchingUp: (() => void) | null = null;

  function catchUp(): void {
    catchingUp?.();
    catchingUp = world.later(CAUGHT_UP, () => {
      catchingUp = null;
      pictures.skip();
      ontake(missed.splice(0));
    });
  }

  /** Notes what a frame means beyond its picture. Returns the verdict on a revealed shuffle. */
  function follow(frame: Frame): Verdict {
    let verdict: Verdict = null;
    for (const event of frame.events) {
      shuffler.follow(event);
      if (event.type === 'dealt') {
        world.memory.write(HAND_BEGAN, frame.seq - 1);
        if (event.number === 1) verified = {};
      } else if (event.type === 'fair_revealed') {
        verdict = shuffler.check(event.hand, event.transcript);
        const hand = frame.table.hand?.number;
        if (verdict !== null && hand !== undefined) verified = { ...verified, [hand]: verdict };
      }
    }
    if (frame.sheets) sheets = frame.sheets;
    shuffler.see(frame.table);
    return verdict;
  }

  return {
    /** By hand: did the shuffle check out? Unset if this page could not check it. */
    get verified() {
      return verified;
    },
    /** Of every finished hand of the match, the score sheet of every side. */
    get sheets() {
      return sheets;
    },
    /** The number of the last frame; null until a first one has come. */
    get seq() {
      return seq;
    },
    /** The frame to resume after: the last one, or where the hand began before a reload. */
    get after(): number | null {
      const after = seq ?? world.memory.read(HAND_BEGAN);
      return typeof after === 'number' ? after : null;
    },
    get isCatchingUp() {
      return catchingUp !== null;
    },

    /** The server's time, for deadlines. */
    serverNow(): number {
      return offset === null ? Date.now() : world.now() + offset;
    },

    /** A new connection: first comes what was missed. */
    startAgain(): void {
      isFirst = true;
      shuffler.startAgain();
      catchUp();
    },

    receive(frame: Frame): void {
      const wasFirst = isFirst;
      isFirst = false;
      // The highest offset is the least delayed one; missed frames arrive late.
      offset = Math.max(offset ?? -Infinity, frame.now - world.now());
      if (seq !== null && frame.seq <= seq) {
        // A server that knows less than we do was restored from a backup: follow it.
        if (!wasFirst || frame.seq === seq) return;
        shuffler.loseTrack();
      }
      seq = frame.seq;
      const before = missed.at(-1)?.table ?? pictures.newest;
      const verdict = follow(frame);
      const isMissed = catchingUp !== null;
      const step = { table: frame.table, frame, before, verdict, isMissed };
      if (isMissed) {
        missed.push(step);
        catchUp();
      } else {
        ontake([step]);
      }
    },

    /** What the shuffle needs from this seat now. */
    shuffleAnswer: (table: TableView): In | null => shuffler.answer(table),

    end(): void {
      catchingUp?.();
    },
  };
}
