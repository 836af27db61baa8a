/**
 * Frames as they arrive: their numbers, the server's clock, the shuffle they reveal. Frames missed
 * during a break are taken in at one go.
 */

import type { Frame, In, TableView } from '../lib/protocol';
import type { World } from './browser';
import type { Verdict } from './log.svelte';
import type { Pictures, Step } from './pictures.svelte';
import { Shuffler } from './shuffler';

/** Missed frames come in a burst; this long a pause ends it. */
const CAUGHT_UP = 100;
/** The note on where the hand began, for a reloaded page. */
const HAND_BEGAN = 'handBegan';

export class Frames {
  readonly #world: World;
  readonly #pictures: Pictures;
  readonly #ontake: (steps: Step[]) => void;
  /** By hand: did the shuffle check out? Unset if this page could not check it. */
  verified = $state.raw<Record<number, boolean>>({});
  readonly #shuffler: Shuffler;
  /** The number of the last frame. */
  #seq: number | null = null;
  /** Server time minus our own clock. */
  #offset: number | null = null;
  /** Is the next frame the first on its connection? */
  #isFirst = true;
  #missed: Step[] = [];
  #catchingUp: (() => void) | null = null;

  constructor(world: World, pictures: Pictures, ontake: (steps: Step[]) => void) {
    this.#world = world;
    this.#pictures = pictures;
    this.#ontake = ontake;
    this.#shuffler = new Shuffler(world.memory, (size) => world.entropy(size));
  }

  /** Null until a first frame has come. */
  get seq(): number | null {
    return this.#seq;
  }

  /** The frame to resume after: the last one, or where the hand began before a reload. */
  get after(): number | null {
    const after = this.#seq ?? this.#world.memory.read(HAND_BEGAN);
    return typeof after === 'number' ? after : null;
  }

  /** The server's time, for deadlines. */
  serverNow(): number {
    return this.#offset === null ? Date.now() : this.#world.now() + this.#offset;
  }

  get isCatchingUp(): boolean {
    return this.#catchingUp !== null;
  }

  /** A new connection: first comes what was missed. */
  startAgain(): void {
    this.#isFirst = true;
    this.#shuffler.startAgain();
    this.#catchUp();
  }

  receive(frame: Frame): void {
    const isFirst = this.#isFirst;
    this.#isFirst = false;
    // The highest offset is the least delayed one; missed frames arrive late.
    this.#offset = Math.max(this.#offset ?? -Infinity, frame.now - this.#world.now());
    if (this.#seq !== null && frame.seq <= this.#seq) {
      // A server that knows less than we do was restored from a backup: follow it.
      if (!isFirst || frame.seq === this.#seq) return;
      this.#shuffler.loseTrack();
    }
    this.#seq = frame.seq;
    const before = this.#missed.at(-1)?.table ?? this.#pictures.newest;
    const verdict = this.#follow(frame);
    const isMissed = this.isCatchingUp;
    const step = { table: frame.table, frame, before, verdict, isMissed };
    if (isMissed) {
      this.#missed.push(step);
      this.#catchUp();
    } else {
      this.#ontake([step]);
    }
  }

  /** What the shuffle needs from this seat now. */
  shuffleAnswer(table: TableView): In | null {
    return this.#shuffler.answer(table);
  }

  end(): void {
    this.#catchingUp?.();
  }

  /** Notes what a frame means beyond its picture. Returns the verdict on a revealed shuffle. */
  #follow(frame: Frame): Verdict {
    let verdict: Verdict = null;
    for (const event of frame.events) {
      this.#shuffler.follow(event);
      if (event.type === 'dealt') {
        this.#world.memory.write(HAND_BEGAN, frame.seq - 1);
        if (event.number === 1) this.verified = {};
      } else if (event.type === 'fair_revealed') {
        verdict = this.#shuffler.check(event.hand, event.transcript);
        const hand = frame.table.hand?.number;
        if (verdict !== null && hand !== undefined) {
          this.verified = { ...this.verified, [hand]: verdict };
        }
      }
    }
    this.#shuffler.see(frame.table);
    return verdict;
  }

  #catchUp(): void {
    this.#catchingUp?.();
    this.#catchingUp = this.#world.later(CAUGHT_UP, () => {
      this.#catchingUp = null;
      this.#pictures.skip();
      this.#ontake(this.#missed.splice(0));
    });
  }
}
