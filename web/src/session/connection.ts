/**
 * A WebSocket that reconnects. It backs off after each failure, retries at once when the
 * network or the person returns, and replaces a connection that has fallen silent.
 */

import { CLOSE_TOO_MANY } from '../lib/protocol';

/** What a connection needs from the browser; tests pass a fake. */
export interface Ways {
  open(url: string): WebSocket;
  /** Calls back after some milliseconds. Returns what cancels it. */
  later(milliseconds: number, call: () => void): () => void;
  /** From 0 to 1. */
  random(): number;
  /** Milliseconds of a monotonic clock. */
  now(): number;
  isHidden(): boolean;
}

/** The listener of a connection. */
export interface Ears {
  /** Where to connect to now. */
  address(): string;
  /** It is open; the first message comes next. */
  opened(): void;
  heard(data: string): void;
  /** It was closed; `wasOpen` is false if it never opened. */
  closed(code: number, reason: string, wasOpen: boolean): void;
}

const SHORTEST = 250;
const LONGEST = 8000;
/** `WebSocket.OPEN`. */
const OPEN = 1;

const ABNORMAL = 1006;
/** A connection that lasted this long resets the backoff. */
const GOOD = 5000;
/** If nothing arrives for this long while the page is visible, ask whether the line is alive. */
const QUIET = 5000;
const PING = '{"type":"ping"}';
/** Without an answer within this time it is not. */
const PONG = 4000;
/** Reconnect a hidden page if nothing arrives for this long: the connection may be dead. */
const SILENCE = 60_000;
/** The same while an answer is due, … */
const ANSWER = 6000;
/** … or when the person comes back after a while, … */
const DOUBT = 20_000;
/** … and while opening; each failure allows more time, for slow networks. */
const OPENING = 5000;
const MOST_PATIENCE = 4;

export class Connection {
  #socket: WebSocket | null = null;
  /** Kept until its replacement is open, so that the seat never looks disconnected. */
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

  /** True between `open` and `close`, whatever the network does. */
  get isWanted(): boolean {
    return this.#isWanted;
  }

  get isOpen(): boolean {
    return this.#openedAt !== null;
  }

  /** Connects, and reconnects until `close`. */
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
    // A closing socket accepts messages and drops them.
    if (!this.isOpen || this.#socket?.readyState !== OPEN) return false;
    this.#socket.send(data);
    return true;
  }

  /** An answer is due: if none comes soon, the connection is dead. */
  expectAnswer(): void {
    if (this.isOpen) this.#watchFor(ANSWER);
  }

  /** The network is gone: so is the connection, which does not notice by itself. */
  lose(): void {
    if (this.isOpen) this.#giveUp();
  }

  /** The network or the person is back: reconnect if the connection may be dead. */
  wake(isDoubtful: boolean): void {
    if (!this.#isWanted) return;
    const isWaiting = this.#retry !== null;
    if (isWaiting) this.#failures = 0;
    if (isWaiting || (this.isOpen && (isDoubtful || this.#isSilent()))) this.#renew();
  }

  #isSilent(): boolean {
    return this.ways.now() - this.#heardAt >= DOUBT;
  }

  /** Replaces a connection that may be dead. */
  #renew(): void {
    this.#letOldGo();
    this.#old = this.#socket;
    this.#connect();
  }

  /** Watches over a line on which nothing is due. */
  #watchSilence(): void {
    if (this.ways.isHidden()) this.#watchFor(SILENCE);
    else this.#watchFor(QUIET, () => this.#ping());
  }

  #ping(): void {
    if (this.ways.isHidden() || !this.send(PING)) this.#watchFor(SILENCE - QUIET);
    else this.#watchFor(PONG, () => this.#giveUp());
  }

  /** Closes a connection that is dead, and tries again soon. */
  #giveUp(): void {
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
    this.#watchFor(patience, () => this.#giveUp());
    const isCurrent = () => this.#socket === socket;
    socket.onopen = () => {
      if (!isCurrent()) return;
      this.#openedAt = this.#heardAt = this.ways.now();
      this.#letOldGo();
      this.#watchSilence();
      this.ears.opened();
    };
    socket.onmessage = (event) => {
      if (!isCurrent()) return;
      this.#heardAt = this.ways.now();
      this.#watchSilence();
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
    this.#failures += code === CLOSE_TOO_MANY ? 5 : 1;
    const wait = Math.min(LONGEST, SHORTEST * 2 ** (this.#failures - 1));
    // Jitter, so that not all clients reconnect to a restarted server at once.
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
