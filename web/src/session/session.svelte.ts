/**
 * One table, alive, as its screens use it. Each job has a module of its own: entering and losing
 * the table, the frames that come, the pictures that are shown, what is sent, and the log.
 */

import { prefs } from '../lib/prefs.svelte';
import type { Event, Frame, Hinted, In, JoinTable, Out, Rejected } from '../lib/protocol';
import type { TableView } from '../lib/protocol';
import { namesOf, refusalText } from '../lib/words.svelte';
import { browserWorld, type World } from './browser';
import { Connection } from './connection';
import { TableEdition } from './edition.svelte';
import { Entering, type Status } from './entering.svelte';
import { Frames } from './frames.svelte';
import { Log, type LogLine } from './log.svelte';
import { Outbox } from './outbox.svelte';
import { Pictures, type Step, type TellStory } from './pictures.svelte';

export type { LogLine } from './log.svelte';

export class Session {
  readonly edition: TableEdition;
  refusal = $state.raw<{ code: string; sentence: string } | null>(null);
  hint = $state.raw<Hinted | null>(null);
  /** Animates one frame. The session waits for it, then shows the picture. */
  tellStory: TellStory | null = null;
  /** Called with the events of each frame when its turn comes; not for missed frames. */
  onEvents: ((events: Event[]) => void) | null = null;

  readonly #world: World;
  readonly #connection: Connection;
  readonly #entering: Entering;
  readonly #frames: Frames;
  readonly #pictures: Pictures;
  readonly #outbox: Outbox;
  readonly #log = new Log();
  readonly #unwatch: () => void;
  #isEnded = false;

  constructor(
    readonly id: string,
    world: World = browserWorld(id),
  ) {
    this.#world = world;
    this.edition = new TableEdition(() => world.api.edition(id));
    const connection = new Connection(
      {
        address: () => this.#address(),
        opened: () => this.#opened(),
        heard: (data) => this.#heard(JSON.parse(data) as Out),
        closed: (code, _reason, wasOpen) => this.#entering.lose(code, wasOpen),
      },
      world,
    );
    const pictures = new Pictures(world, {
      tellStory: () => this.tellStory,
      onstep: (step) => this.#announce(step),
      onshown: (table) => this.#outbox.settle(table),
    });
    const frames = new Frames(world, pictures, (steps) => this.#take(steps));
    const { edition } = this;
    this.#entering = new Entering(world, { id, connection, frames, pictures, edition });
    this.#outbox = new Outbox(connection);
    this.#connection = connection;
    this.#pictures = pictures;
    this.#frames = frames;
    this.#unwatch = world.watch(
      () => this.skip(),
      (isDoubtful) => {
        this.#entering.wake();
        connection.wake(isDoubtful);
      },
    );
  }

  get status(): Status {
    return this.#entering.status;
  }

  /** The picture on screen: the story has reached it. */
  get table(): TableView | null {
    return this.#pictures.shown;
  }

  /** The newest picture received. */
  get newest(): TableView | null {
    return this.#pictures.newest;
  }

  /** Is the newest picture on screen? Only then can this seat act. */
  get settled(): boolean {
    return this.#pictures.settled;
  }

  /** Newest last; each line once. */
  get log(): LogLine[] {
    return this.#log.lines;
  }

  /** By hand: did the shuffle check out? Unset if this page could not check it. */
  get verified(): Record<number, boolean> {
    return this.#frames.verified;
  }

  /** The move that was sent, until the table shown has confirmed or refused it. */
  get sent(): string | null {
    const answer = this.#outbox.answerTo(this.table);
    return answer?.type === 'move' ? answer.move : null;
  }

  /** Looks at the table, and takes our place if we have one. */
  async begin(): Promise<void> {
    await this.#entering.look();
  }

  /** Comes to the table. Throws an `ApiError` if it refuses. */
  async join(join: JoinTable): Promise<void> {
    await this.#entering.join(join);
  }

  /** After another window took over: play here again. */
  reclaim(): void {
    this.#entering.reclaim();
  }

  send(message: In): void {
    if (!this.#connection.isWanted) return;
    this.refusal = null;
    this.#outbox.send(message);
  }

  /** Answers the decision, once, with one of the legal moves. */
  move(token: string): void {
    const asked = this.newest?.asked;
    if (!this.settled || !asked || !this.newest?.hand?.legal_moves.includes(token)) return;
    if (this.#outbox.answerTo(this.newest) !== null) return;
    const id = base64url(this.#world.entropy(12));
    this.send({ type: 'move', decision: asked.decision, id, move: token });
  }

  /** At a practice table: asks what a bot would play. */
  askHint(): void {
    const asked = this.newest?.asked;
    if (asked) this.send({ type: 'hint', decision: asked.decision });
  }

  /** Ready for the next hand. */
  next(): void {
    const asked = this.table?.asked;
    if (asked?.what === 'next') this.send({ type: 'next', decision: asked.decision });
  }

  rematch(): void {
    this.send({ type: 'rematch' });
  }

  /** The server's time, for deadlines. */
  serverNow(): number {
    return this.#frames.serverNow();
  }

  /** Cuts the story short: the newest picture is shown at once. */
  skip(): void {
    this.#pictures.skip();
  }

  /** Leaves the table's connection; the seat is kept. */
  end(): void {
    this.#isEnded = true;
    this.#unwatch();
    this.#entering.end();
    this.#frames.end();
    this.#pictures.end();
    if (!this.#outbox.isLeaving) this.#connection.close();
  }

  #address(): string {
    const { after } = this.#frames;
    const since = after === null ? '' : `&after=${after}`;
    const socket = `/api/tables/${encodeURIComponent(this.id)}/socket`;
    return `${this.#world.origin}${socket}?lang=${prefs.language}${since}`;
  }

  #opened(): void {
    if (this.#isEnded) {
      this.#outbox.flush();
      this.#connection.close();
      return;
    }
    this.#entering.status = 'live';
    this.edition.prefetch();
    this.#frames.startAgain();
    this.#outbox.repeat(this.newest);
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
        this.#entering.stop('superseded');
        break;
      case 'stopping':
        this.#entering.status = 'stopping';
    }
  }

  #receive(frame: Frame): void {
    const { table } = frame;
    if (table.member !== null) this.#frames.receive(frame);
    // The host has sent us away; or we were gone, and made room for somebody else.
    else if (table.sent_away) this.#entering.stop('sent_away');
    else this.#entering.stayOutside(table);
  }

  /** New pictures are shown in their turn, and acted on at once. */
  #take(steps: Step[]): void {
    this.#pictures.take(steps);
    const { newest } = this;
    if (this.hint?.decision !== newest?.asked?.decision) this.hint = null;
    const answer = newest && this.#frames.shuffleAnswer(newest);
    if (answer) this.#outbox.deliver(answer);
  }

  #announce({ frame, before, verdict, isMissed }: Step): void {
    if (frame === null || frame.events.length === 0) return;
    this.#log.tell(frame, before, verdict);
    if (!isMissed) this.onEvents?.(frame.events);
  }

  #refused(rejected: Rejected): void {
    const isNews = this.#outbox.refuse(rejected, this.newest);
    // While frames are on their way, the picture that comes with a refusal may be ahead of them.
    if (rejected.table !== null && !this.#frames.isCatchingUp) {
      const { table } = rejected;
      this.#take([{ table, frame: null, before: null, verdict: null, isMissed: true }]);
    }
    if (!isNews) return;
    const table = this.newest;
    const sentence = table === null ? rejected.sentence : refusalText(rejected, namesOf(table));
    this.refusal = { code: rejected.code, sentence };
    this.#log.refuse(sentence, this.#frames.seq ?? 0, table?.hand?.number ?? 0);
  }
}

function base64url(bytes: Uint8Array): string {
  const text = btoa(String.fromCharCode(...bytes));
  return text.replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', '');
}
