/**
 * One table, alive: the connection and how it comes back, the pictures and how they are shown one
 * after the other, the log, and this seat's part in the shuffle.
 */

import { ApiError } from '../lib/api';
import { guest } from '../lib/guest.svelte';
import { isStill, prefs } from '../lib/prefs.svelte';
import type {
  Event,
  Frame,
  Hinted,
  In,
  JoinTable,
  Move,
  Next,
  Out,
  Rejected,
  TableView,
} from '../lib/protocol';
import { namesOf, refusalText } from '../lib/words.svelte';
import { browserWorld, type World } from './browser';
import { Connection } from './connection';
import { linesOf, type LogLine, type Verdict } from './log';
import { Shuffler } from './shuffler';

export type { LogLine } from './log';

export type Status =
  | 'looking'
  /** Not a member yet. */
  | 'outside'
  | 'connecting'
  | 'live'
  | 'lost'
  /** The server restarts. */
  | 'stopping'
  /** Another window plays on. */
  | 'superseded'
  /** This device is nobody's any more. */
  | 'signed_out'
  | 'closed'
  /** The host does not want us here. */
  | 'sent_away'
  /** There is no such table. */
  | 'missing';

/** A picture on its way to the eye. */
interface Step {
  table: TableView;
  /** What led to it; null: nothing that can be told. */
  frame: Frame | null;
  before: TableView | null;
  verdict: Verdict;
  /** It came late, with others: it is only noted. */
  isMissed: boolean;
}

const SUPERSEDED = 4001;
const SENT_AWAY = 4003;
const CLOSED = 4009;
const SIGNED_OUT = 4401;
const NOT_FOUND = 4404;
const RESTART = 1012;

/** After these there is nothing to come back to. */
const FINAL = new Set([SUPERSEDED, SENT_AWAY, CLOSED, SIGNED_OUT, NOT_FOUND]);

const LOG_LENGTH = 500;
/** More pictures than this are not told one by one. */
const MOST_WAITING = 4;
/** A story that does not end must not hold up the game. */
const LONGEST_STORY = 6000;
/** What was missed comes all at once; a pause says that it was all. */
const CAUGHT_UP = 100;
/** How often someone who has not joined looks who is there, and when nobody answers. */
const LOOK_AGAIN = 4000;
const OUTBOX = 20;
/** Refusals of what the page says by itself, or says again after a break: nobody need see them. */
const QUIET = new Set(['shuffle_moved_on', 'wrong_reveal', 'already_done']);
/** The note on where the hand began, for a page that is loaded again. */
const HAND_BEGAN = 'handBegan';

export class Session {
  readonly id: string;
  /** The picture that is shown: the story has reached it. */
  table = $state.raw<TableView | null>(null);
  /** The newest picture received. */
  newest = $state.raw<TableView | null>(null);
  /** Is the newest picture shown? Then acting makes sense. */
  settled = $derived(this.table === this.newest);
  status = $state<Status>('looking');
  refusal = $state.raw<{ code: string; sentence: string; at: number } | null>(null);
  hint = $state.raw<Hinted | null>(null);
  /** Newest last; each line once. */
  log = $state.raw<LogLine[]>([]);
  /** By hand: did this page check the shuffle, and was it as promised? Unset: it could not. */
  verified = $state.raw<Record<number, boolean>>({});

  /** Animates one frame. The session waits for it, then shows the picture. */
  tellStory: ((frame: Frame, before: TableView | null, after: TableView) => Promise<void>) | null =
    null;
  /** The events of each frame, when its turn to be shown has come; not of what was missed. */
  onEvents: ((events: Event[]) => void) | null = null;

  readonly #world: World;
  readonly #connection: Connection;
  readonly #shuffler: Shuffler;
  readonly #unwatch: () => void;
  #isEnded = false;
  /** The last frame that came. */
  #seq: number | null = null;
  /** Server time less our own clock. */
  #offset: number | null = null;
  #looking: (() => void) | null = null;

  /** The answer to a decision, until the table has moved on: a broken connection may lose it. */
  #answer: Move | Next | null = null;
  #answeredTwice = false;
  #outbox: In[] = [];

  /** The next frame is the first on its connection. */
  #isFirst = true;
  #missed: Step[] = [];
  #catchingUp: (() => void) | null = null;
  #waiting: Step[] = [];
  #isTelling = false;
  #isSkipping = false;
  /** Ends the story that is being told. */
  #cut: (() => void) | null = null;
  #lines = 0;

  constructor(table: string, world: World = browserWorld(table)) {
    this.id = table;
    this.#world = world;
    this.#shuffler = new Shuffler(world.memory, (size) => world.entropy(size));
    this.#connection = new Connection(
      {
        address: () => this.#address(),
        opened: () => this.#opened(),
        heard: (data) => this.#heard(JSON.parse(data) as Out),
        closed: (code, _reason, wasOpen) => this.#closed(code, wasOpen),
      },
      world,
    );
    this.#unwatch = world.watch(
      () => this.skip(),
      (isDoubtful) => this.#wake(isDoubtful),
    );
  }

  /** Looks at the table, and takes a place at it if it is ours. */
  async begin(): Promise<void> {
    this.status = 'looking';
    await this.#look();
  }

  /** Comes to the table. Throws an `ApiError` if it refuses. */
  async join(join: JoinTable): Promise<void> {
    try {
      await this.#world.api.join(this.id, join);
    } catch (error) {
      if (!(error instanceof ApiError) || error.code !== 'sent_away') throw error;
      this.#stop('sent_away');
      return;
    }
    if (!this.#isEnded) this.#enter();
  }

  send(message: In): void {
    if (!this.#connection.isWanted) return;
    this.refusal = null;
    if (message.type === 'move' || message.type === 'next') {
      this.#answer = message;
      this.#answeredTwice = false;
      this.#deliver(message);
    } else if (!this.#deliver(message) && this.#outbox.length < OUTBOX) {
      this.#outbox.push(message);
    }
  }

  /** Answers what is asked, once, with one of the moves that there are. */
  move(token: string): void {
    const asked = this.newest?.asked;
    if (!this.settled || !asked || !this.newest?.hand?.legal_moves.includes(token)) return;
    if (this.#answer?.decision === asked.decision) return;
    const id = base64url(this.#world.entropy(12));
    this.send({ type: 'move', decision: asked.decision, id, move: token });
  }

  /** At a practice table: what would a bot play? */
  askHint(): void {
    const asked = this.newest?.asked;
    if (asked) this.send({ type: 'hint', decision: asked.decision });
  }

  /** After another window took over: play here again. */
  reclaim(): void {
    if (this.status === 'superseded') this.#enter();
  }

  /** The server's time, for deadlines. */
  serverNow(): number {
    return this.#offset === null ? Date.now() : this.#world.now() + this.#offset;
  }

  /** Ends the story: the newest picture is shown at once. */
  skip(): void {
    if (!this.#isTelling) return;
    this.#isSkipping = true;
    this.#cut?.();
  }

  /** Leaves the table's connection; the seat is kept. */
  end(): void {
    this.#isEnded = true;
    this.#unwatch();
    this.#looking?.();
    this.#catchingUp?.();
    this.#cut?.();
    this.#waiting = [];
    // Whoever leaves while the connection is lost has left once it is back.
    if (!this.#outbox.some(({ type }) => type === 'leave')) this.#connection.close();
  }

  // Coming to the table

  async #look(): Promise<void> {
    this.#looking?.();
    this.#looking = null;
    try {
      const view = await this.#world.api.look(this.id);
      if (this.#isEnded) return;
      if (view.sent_away) this.#stop('sent_away');
      else if (view.member === null) await this.#findOutside(view);
      else if (!this.#connection.isWanted) this.#enter();
    } catch (error) {
      if (this.#isEnded) return;
      if (error instanceof ApiError && error.status === 404) this.#miss();
      else if (!this.#connection.isWanted) {
        this.status = 'lost';
        this.#lookAgain();
      }
    }
  }

  #lookAgain(): void {
    this.#looking = this.#world.later(LOOK_AGAIN, () => {
      if (this.#world.isHidden()) this.#lookAgain();
      else void this.#look();
    });
  }

  #wake(isDoubtful: boolean): void {
    if (this.#looking !== null) void this.#look();
    this.#connection.wake(isDoubtful);
  }

  /** We are not of this table, or no longer: whoever sat here may have been signed out. */
  async #findOutside(view: TableView): Promise<void> {
    this.#connection.close();
    const isSignedOut = this.#seq !== null && (await this.#world.api.isSignedOut());
    if (isSignedOut) this.#stop('signed_out');
    else if (!this.#isEnded) this.#stayOutside(view);
  }

  #stayOutside(view: TableView): void {
    this.#connection.close();
    this.status = 'outside';
    this.newest = this.table = view;
    this.#lookAgain();
  }

  #miss(): void {
    this.#connection.close();
    // A table that we sat at has been closed in the meantime.
    this.status = this.#seq === null ? 'missing' : 'closed';
  }

  #enter(): void {
    this.#looking?.();
    this.#looking = null;
    if (this.#seq === null) this.newest = this.table = null;
    this.status = 'connecting';
    this.#connection.open();
  }

  // The connection

  #address(): string {
    const after = this.#seq ?? this.#world.memory.read(HAND_BEGAN);
    const since = typeof after === 'number' ? `&after=${after}` : '';
    const socket = `/api/tables/${encodeURIComponent(this.id)}/socket`;
    return `${this.#world.origin}${socket}?lang=${prefs.language}${since}`;
  }

  #opened(): void {
    if (this.#isEnded) {
      for (const message of this.#outbox.splice(0)) this.#deliver(message);
      this.#connection.close();
      return;
    }
    this.status = 'live';
    this.#isFirst = true;
    this.#shuffler.startAgain();
    this.#catchUp();
    if (this.#answer !== null) {
      this.#answeredTwice = true;
      this.#deliver(this.#answer);
    }
    for (const message of this.#outbox.splice(0)) this.#deliver(message);
  }

  #closed(code: number, wasOpen: boolean): void {
    if (this.#isEnded) {
      if (FINAL.has(code)) this.#connection.close();
      return;
    }
    if (code === SUPERSEDED) this.#stop('superseded');
    else if (code === SENT_AWAY) this.#stop('sent_away');
    else if (code === CLOSED) this.#stop('closed');
    else if (code === SIGNED_OUT) this.#stop('signed_out');
    else if (code === NOT_FOUND) this.#miss();
    else if (code === RESTART) this.status = 'stopping';
    else if (this.status !== 'stopping') this.status = 'lost';
    // A browser does not say why it could not connect.
    if (!wasOpen) void this.#look();
  }

  #stop(status: 'closed' | 'superseded' | 'sent_away' | 'signed_out'): void {
    this.#looking?.();
    this.#looking = null;
    this.#connection.close();
    if (status === 'signed_out') guest.signOut();
    this.status = status;
  }

  #deliver(message: In): boolean {
    const isSent = this.#connection.send(JSON.stringify(message));
    if (isSent) this.#connection.expectAnswer();
    return isSent;
  }

  #heard(message: Out): void {
    if (this.#isEnded) return;
    switch (message.type) {
      case 'frame':
        this.#receive(message);
        break;
      case 'rejected':
        this.#refused(message);
        break;
      case 'hinted':
        if (message.decision === this.newest?.asked?.decision) this.hint = message;
        break;
      case 'superseded':
        this.#stop('superseded');
        break;
      case 'stopping':
        this.status = 'stopping';
    }
  }

  // Frames

  #receive(frame: Frame): void {
    if (frame.table.member === null) {
      // The host has sent us away; or we were gone, and made room for somebody else.
      if (frame.table.sent_away) this.#stop('sent_away');
      else this.#stayOutside(frame.table);
      return;
    }
    const isFirst = this.#isFirst;
    this.#isFirst = false;
    // The highest is the one that was the least delayed; what was missed comes late.
    this.#offset = Math.max(this.#offset ?? -Infinity, frame.now - this.#world.now());
    if (this.#seq !== null && frame.seq <= this.#seq) {
      // A server that knows less than we do was put back to an earlier day: so are we.
      if (!isFirst || frame.seq === this.#seq) return;
      this.#shuffler.loseTrack();
    }
    this.#seq = frame.seq;
    const before = this.#missed.at(-1)?.table ?? this.newest;
    const verdict = this.#follow(frame);
    const isMissed = this.#catchingUp !== null;
    const step = { table: frame.table, frame, before, verdict, isMissed };
    if (isMissed) {
      this.#missed.push(step);
      this.#catchUp();
    } else {
      this.#take(step);
    }
  }

  /** What a frame means beyond its picture. Gives what is found about a shuffle. */
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

  /** The newest pictures there are: they are shown in their turn, and acted on at once. */
  #take(...steps: Step[]): void {
    this.#waiting.push(...steps);
    this.newest = steps.at(-1)?.table ?? this.newest;
    void this.#tellAll();
    const decision = this.newest?.asked?.decision;
    if (this.#answer !== null && decision !== this.#answer.decision) this.#answer = null;
    if (this.hint !== null && decision !== this.hint.decision) this.hint = null;
    this.#takePart();
  }

  /** Says what the shuffle needs of this seat. */
  #takePart(): void {
    const answer = this.newest && this.#shuffler.answer(this.newest);
    if (answer) this.#deliver(answer);
  }

  /** What was missed is taken in at one go, once it has all come. */
  #catchUp(): void {
    this.#catchingUp?.();
    this.#catchingUp = this.#world.later(CAUGHT_UP, () => {
      this.#catchingUp = null;
      this.skip();
      this.#take(...this.#missed.splice(0));
    });
  }

  #refused(rejected: Rejected): void {
    const isAnswer = this.#isAnswer(rejected);
    const wasTwice = isAnswer && this.#answeredTwice;
    if (isAnswer) this.#answer = null;
    // While frames are on their way, the picture that comes with a refusal may be ahead of them.
    if (rejected.table !== null && this.#catchingUp === null) {
      const { table } = rejected;
      this.#take({ table, frame: null, before: null, verdict: null, isMissed: true });
    }
    if (QUIET.has(rejected.code) || (wasTwice && rejected.code === 'stale_decision')) return;
    const table = this.newest;
    const sentence = table === null ? rejected.sentence : refusalText(rejected, namesOf(table));
    this.refusal = { code: rejected.code, sentence, at: Date.now() };
    const [seq, hand] = [this.#seq ?? 0, table?.hand?.number ?? 0];
    this.#write([{ id: this.#lines, seq, kind: 'refusal', text: sentence, mine: true, hand }]);
  }

  /** Is it our answer that was refused? A move has an id; a `next` only the code tells. */
  #isAnswer(rejected: Rejected): boolean {
    if (this.#answer?.type === 'move') return rejected.id === this.#answer.id;
    return this.#answer?.type === 'next' && rejected.code === 'stale_decision';
  }

  // The story

  async #tellAll(): Promise<void> {
    if (this.#isTelling) return;
    this.#isTelling = true;
    for (let step = this.#waiting.shift(); step; step = this.#waiting.shift()) {
      const { frame, before, table } = step;
      const tellStory = this.tellStory;
      this.#announce(step);
      if (tellStory !== null && frame !== null && this.#isWorthAStory(step)) {
        await this.#untilTold(() => tellStory(frame, before, table));
      }
      if (this.#isEnded) return;
      this.table = table;
    }
    this.#isTelling = this.#isSkipping = false;
  }

  #announce({ frame, before, verdict, isMissed }: Step): void {
    if (frame === null || frame.events.length === 0) return;
    this.#write(linesOf(frame, before, verdict, this.#lines));
    if (!isMissed) this.onEvents?.(frame.events);
  }

  #write(lines: LogLine[]): void {
    if (lines.length === 0) return;
    this.#lines += lines.length;
    this.log = [...this.log, ...lines].slice(-LOG_LENGTH);
  }

  #isWorthAStory({ frame, isMissed }: Step): boolean {
    if (isMissed || this.#isSkipping || frame?.events.length === 0) return false;
    const isCrowded = this.#waiting.length > MOST_WAITING;
    return !isCrowded && !this.#world.isHidden() && !isStill();
  }

  /** Waits for a story: until it ends, is cut short, or takes too long. */
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

function base64url(bytes: Uint8Array): string {
  const text = btoa(String.fromCharCode(...bytes));
  return text.replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', '');
}
