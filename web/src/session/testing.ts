/** A fake browser for tests, which control its time, sockets and memory. */

import { ApiError, type api } from '../lib/api';
import type {
  Asked,
  EditionInfo,
  Event,
  Frame,
  HandView,
  Out,
  SeatView,
  TableView,
} from '../lib/protocol';
import type { Watcher, World } from './browser';
import { Memory, type Box } from './memory';

interface Timer {
  at: number;
  call: () => void;
}

export class FakeSocket {
  onopen: (() => void) | null = null;
  onmessage: ((event: { data: string }) => void) | null = null;
  onclose: ((event: { code: number; reason: string }) => void) | null = null;
  readyState = 1;
  sent: Record<string, unknown>[] = [];
  /** The code with which the page closed it. */
  closedWith: number | null = null;

  constructor(readonly url: string) {}

  get after(): string | null {
    return new URL(this.url).searchParams.get('after');
  }

  send(data: string): void {
    this.sent.push(JSON.parse(data) as Record<string, unknown>);
  }

  close(code?: number): void {
    this.closedWith = code ?? 1000;
  }

  // What the server does

  accept(): this {
    this.onopen?.();
    return this;
  }

  say(message: Out | object): this {
    this.onmessage?.({ data: JSON.stringify(message) });
    return this;
  }

  drop(code = 1006): void {
    this.onclose?.({ code, reason: '' });
  }
}

export class FakeWorld implements World {
  time = 0;
  sockets: FakeSocket[] = [];
  hidden = false;
  view: TableView = tableView();
  /** The status of the server's answer to a look; 200 returns the view. */
  lookStatus = 200;
  /** The code with which the server refuses to let someone join. */
  joinCode: string | null = null;
  looks = 0;
  isSignedOut = false;
  origin = 'ws://test';
  memory: Memory;
  left = () => {};
  back: (isDoubtful: boolean) => void = () => {};
  offline = () => {};
  touched = () => {};
  #timers = new Set<Timer>();
  #drawn = 0;

  constructor(readonly box: Box = memoryBox()) {
    this.memory = new Memory('t', box);
  }

  api: Pick<typeof api, 'look' | 'join' | 'edition' | 'isSignedOut'> = {
    edition: async () => ({ rules: [] }) as unknown as EditionInfo,
    isSignedOut: async () => this.isSignedOut,
    look: async () => {
      this.looks++;
      if (this.lookStatus !== 200) throw new ApiError(this.lookStatus, 'code', 'Sentence.');
      return this.view;
    },
    join: async () => {
      if (this.joinCode !== null) throw new ApiError(409, this.joinCode, 'Sentence.');
      this.view = { ...this.view, member: 1 };
      return this.view;
    },
  };

  open = (url: string): WebSocket => {
    const socket = new FakeSocket(url);
    this.sockets.push(socket);
    return socket as unknown as WebSocket;
  };
  random = () => 1;
  now = () => this.time;
  entropy = (size: number) => new Uint8Array(size).fill(++this.#drawn);
  isHidden = () => this.hidden;
  later = (milliseconds: number, call: () => void) => {
    const timer = { at: this.time + milliseconds, call };
    this.#timers.add(timer);
    return () => this.#timers.delete(timer);
  };
  watch = ({ left, back, offline, touched }: Watcher) => {
    Object.assign(this, { left, back, offline, touched });
    return () => {
      this.left = this.back = this.offline = this.touched = () => {};
    };
  };

  /** The newest connection. */
  get socket(): FakeSocket {
    const socket = this.sockets.at(-1);
    if (!socket) throw new Error('nothing has been opened');
    return socket;
  }

  /** Advances time and runs everything that is due. */
  async pass(milliseconds: number): Promise<void> {
    const end = this.time + milliseconds;
    for (;;) {
      await settle();
      const [next] = [...this.#timers].filter(({ at }) => at <= end).sort((a, b) => a.at - b.at);
      if (!next) break;
      this.#timers.delete(next);
      this.time = Math.max(this.time, next.at);
      next.call();
    }
    this.time = end;
  }
}

/** Runs everything that waits for no time at all. */
export async function settle(): Promise<void> {
  for (let turn = 0; turn < 20; turn++) await Promise.resolve();
}

export function memoryBox(): Box & Pick<Storage, 'removeItem'> {
  const kept = new Map<string, string>();
  return {
    getItem: (key) => kept.get(key) ?? null,
    setItem: (key, text) => void kept.set(key, text),
    removeItem: (key) => void kept.delete(key),
  };
}

/** A person who is connected, unless something else is said. */
export function seatView(more: Partial<SeatView> = {}): SeatView {
  return {
    kind: 'person',
    name: 'Ann',
    member: null,
    level: null,
    connected: true,
    away: false,
    cards: 6,
    replaced_by: null,
    ...more,
  };
}

export function botSeat(level = 'sunday-driver'): SeatView {
  return seatView({ kind: 'bot', name: 'Léa', level });
}

export function tableView(more: Partial<TableView> = {}): TableView {
  return {
    phase: 'playing',
    edition: 'winning-moves',
    players: 2,
    teams: false,
    practice: false,
    is_open: false,
    clock: null,
    host: 0,
    you: 0,
    member: 0,
    seats: [seatView({ member: 0 }), botSeat()],
    watching: [],
    levels: ['sunday-driver'],
    asked: null,
    hand: null,
    fair: null,
    continued: [],
    muted: [],
    back: [],
    watchers: [],
    sent_away: false,
    muted_bots: [],
    moments: [],
    ...more,
  };
}

export function handView(more: Partial<HandView> = {}): HandView {
  return {
    number: 1,
    dealer: 1,
    trip: 700,
    caller: null,
    completed_by: null,
    began_empty: false,
    pile: 90,
    discard: [],
    sides: [],
    cards: [],
    legal_moves: [],
    refused: [],
    stakes: [],
    doubts: {},
    sheets: null,
    ...more,
  };
}

export function asked(decision: number, more: Partial<Asked> = {}): Asked {
  const nobody = { attacker: null, side: null, hazard: null, winner: null, stall: null };
  return { what: 'turn', seats: [0], decision, deadline: null, ...nobody, ...more };
}

export function frame(
  seq: number,
  table: Partial<TableView> = {},
  events: Event[] = [],
  now = 1_000_000,
): Frame {
  return { type: 'frame', seq, now, events, table: tableView(table) };
}
