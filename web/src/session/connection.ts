/**
 * A WebSocket that comes back. It waits longer after each failure, tries at once when the
 * network or the person returns, and replaces a connection that has fallen silent.
 */

import { CLOSE } from '../lib/protocol';

/** What a connection needs of a browser; tests bring their own. */
export interface Ways {
  open(url: string): WebSocket;
  /** Calls back after some milliseconds, unless it is cancelled by what this gives. */
  later(milliseconds: number, call: () => void): () => void;
  /** From 0 to 1. */
  random(): number;
  /** Milliseconds of a clock that never jumps. */
  now(): number;
}

/** Who listens to it. */
export interface Ears {
  /** Where to connect to now. */
  address(): string;
  /** It is open; the first message comes next. */
  opened(): void;
  heard(data: string): void;
  /** It was closed; `wasOpen` is false if it could not even be opened. */
  closed(code: number, reason: string, wasOpen: boolean): void;
}

const SHORTEST = 250;
const LONGEST = 8000;
/** The state of a WebSocket that sends. */
const OPEN = 1;

const ABNORMAL = 1006;
/** A connection that held so long was a good one: the next failure is a first one again. */
const GOOD = 5000;
/** An open connection on which nothing comes may have died without a word. */
const SILENCE = 60_000;
/** The same when an answer is due, … */
const ANSWER = 6000;
/** … or when nobody was looking for a while, … */
const DOUBT = 20_000;
/** … and one that takes so long to open never will; slow networks get more the next time. */
const OPENING = 5000;
const MOST_PATIENCE = 4;

export class Connection {
  #socket: WebSocket | null = null;
  /** Replaced by one that is being opened; kept until then, so that the seat is never empty. */
  #old: WebSocket | null = null;
  #failures = 0;
  #openedAt: number | null = null;
  #heardAt = 0;
  #retry: (() => void) | null = null;
  #watch: (() => void) | null = null;
  #isWanted = false;

  constructor(
    private readonly ears: Ears,
    private readonly ways: Ways,
  ) {}

  /** Between `open` and `close`, whatever the network does. */
  get isWanted(): boolean {
    return this.#isWanted;
  }

  get isOpen(): boolean {
    return this.#openedAt !== null;
  }

  /** Connects, and stays so until `close`. */
  open(): void {
    if (this.#isWanted) return;
    this.#isWanted = true;
    this.#failures = 0;
    this.#connect();
  }

  close(): void {
    this.#isWanted = false;
    this.#retry?.();
    this.#watch?.();
    this.#retry = this.#watch = null;
    const sockets = [this.#socket, this.#old];
    this.#forget();
    for (const socket of sockets) socket?.close(1000);
  }

  /** Sends, if it is open. */
  send(data: string): boolean {
    // One that is being closed takes everything and sends nothing.
    if (!this.isOpen || this.#socket?.readyState !== OPEN) return false;
    this.#socket.send(data);
    return true;
  }

  /** An answer is due: if none comes soon, the connection is dead. */
  expectAnswer(): void {
    if (this.isOpen) this.#watchFor(ANSWER);
  }

  /** The network or the person is back: is the connection, too? */
  wake(isDoubtful: boolean): void {
    if (!this.#isWanted) return;
    const isWaiting = this.#retry !== null;
    if (isWaiting) this.#failures = 0;
    if (isWaiting || (this.isOpen && (isDoubtful || this.#isSilent()))) this.#renew();
  }

  #isSilent(): boolean {
    return this.ways.now() - this.#heardAt >= DOUBT;
  }

  /** Puts another connection in the place of one that may be dead. */
  #renew(): void {
    this.#letOldGo();
    this.#old = this.#socket;
    this.#connect();
  }

  #giveUpOpening(): void {
    const socket = this.#socket;
    this.#closed(ABNORMAL, '');
    socket?.close();
  }

  #connect(): void {
    this.#retry?.();
    this.#watch?.();
    this.#retry = this.#watch = null;
    this.#openedAt = null;
    const socket = this.ways.open(this.ears.address());
    this.#socket = socket;
    const patience = OPENING * Math.min(MOST_PATIENCE, 1 + this.#failures);
    this.#watchFor(patience, () => this.#giveUpOpening());
    const isCurrent = () => this.#socket === socket;
    socket.onopen = () => {
      if (!isCurrent()) return;
      this.#openedAt = this.#heardAt = this.ways.now();
      this.#letOldGo();
      this.#watchFor(SILENCE);
      this.ears.opened();
    };
    socket.onmessage = (event) => {
      if (!isCurrent()) return;
      this.#heardAt = this.ways.now();
      this.#watchFor(SILENCE);
      this.ears.heard(String(event.data));
    };
    socket.onclose = (event) => {
      if (isCurrent()) this.#closed(event.code, event.reason);
    };
  }

  #letOldGo(): void {
    const old = this.#old;
    this.#old = null;
    old?.close(1000);
  }

  #closed(code: number, reason: string): void {
    const openedAt = this.#openedAt;
    const held = openedAt === null ? 0 : this.ways.now() - openedAt;
    this.#letOldGo();
    this.#watch?.();
    this.#forget();
    if (held >= GOOD) this.#failures = 0;
    this.#failures += code === CLOSE.TOO_MANY ? 5 : 1;
    const wait = Math.min(LONGEST, SHORTEST * 2 ** (this.#failures - 1));
    // Not all clients of a server that restarts at once.
    this.#retry = this.ways.later(wait * (0.5 + this.ways.random() / 2), () => {
      this.#retry = null;
      this.#connect();
    });
    this.ears.closed(code, reason, openedAt !== null);
  }

  #forget(): void {
    this.#socket = this.#old = this.#openedAt = null;
  }

  #watchFor(patience: number, call = () => this.#renew()): void {
    this.#watch?.();
    this.#watch = this.ways.later(patience, call);
  }
}
