/**
 * One live table, as the screens use it. Each job is a module: entering and losing the table,
 * incoming frames, the pictures on screen, outgoing messages, and the log.
 */

import { prefs } from '../lib/prefs.svelte';
import type {
  Event,
  Frame,
  Hinted,
  In,
  Out,
  Past,
  Rejected,
  Sheet,
  TableView,
} from '../lib/protocol';
import { namesOf, refusalText } from '../lib/words.svelte';
import { coupFourreIn } from '../table/moves';
import { browserWorld, type World } from './browser';
import { Connection } from './connection';
import { TableEdition } from './edition.svelte';
import { enteringFor, type Status } from './entering.svelte';
import { framesFor } from './frames.svelte';
import { Log, type LogLine } from './log.svelte';
import { outboxFor } from './outbox.svelte';
import { drawnIn } from './past';
import { picturesFor, type Step, type TellStory } from './pictures.svelte';
import { Returning } from './returning';

export type { LogLine } from './log.svelte';

/** The code of the refusal of a bot that cannot play yet. */
export const WARMING_UP = 'level_warming_up';

export type Session = ReturnType<typeof sessionAt>;

export function sessionAt(id: string, world: World = browserWorld(id)) {
  let refusal = $state.raw<{ code: string; sentence: string } | null>(null);
  let hint = $state.raw<Hinted | null>(null);
  let isEnded = false;
  let isPastKnown = $state(false);
  /** The last input that this page got no events of: those are in the past. */
  let knownUntil = 0;
  /** The window in which the viewer could last call a coup fourré, by its decision. */
  let answerable = $state<number | null>(null);
  /** The card that the viewer drew last; null: used since; undefined: not known. */
  let drawn = $state<string | null>();

  const log = new Log();
  const edition = new TableEdition(() => world.api.edition(id));
  const connection = new Connection({ address, opened, heard, closed }, world);
  const outbox = outboxFor(connection);
  const pictures = picturesFor(world, {
    tellStory: () => session.tellStory,
    onstep: announce,
    onshown: outbox.settle,
  });
  const frames = framesFor(world, pictures, take);
  const entering = enteringFor(id, world, { connection, frames, pictures, edition });
  const returning = new Returning(() => send({ type: 'return' }), world.isHidden);
  const unwatch = world.watch({
    left: pictures.skip,
    back(isDoubtful) {
      entering.wake();
      connection.wake(isDoubtful);
      returning.back();
    },
    offline: () => connection.lose(),
    touched: () => returning.touch(),
  });

  function address(): string {
    const { after } = frames;
    const since = after === null ? '' : `&after=${after}`;
    const past = isPastKnown ? '' : '&past=1';
    const socket = `/api/tables/${encodeURIComponent(id)}/socket`;
    return `${world.origin}${socket}?lang=${prefs.language}${since}${past}`;
  }

  function opened(): void {
    if (isEnded) {
      outbox.flush();
      connection.close();
      return;
    }
    entering.status = 'live';
    edition.prefetch();
    frames.startAgain();
    outbox.repeat(pictures.newest);
  }

  function closed(code: number, _reason: string, wasOpen: boolean): void {
    entering.lose(code, wasOpen);
    returning.lose();
  }

  function heard(data: string): void {
    if (isEnded) return;
    const message = JSON.parse(data) as Out;
    switch (message.type) {
      case 'frame':
        receive(message);
        break;
      case 'rejected':
        refuse(message);
        break;
      case 'hinted':
        if (message.decision === pictures.newest?.asked?.decision) hint = message;
        break;
      case 'past':
        recall(message);
        break;
      case 'superseded':
        entering.stop('superseded');
        break;
      case 'stopping':
        entering.status = 'stopping';
    }
  }

  function receive(frame: Frame): void {
    const { table } = frame;
    if (table.member !== null) {
      if (frames.seq === null) knownUntil = frames.after === null ? frame.seq : frame.seq - 1;
      frames.receive(frame);
    }
    // The host has sent us away; or we were gone, and made room for somebody else.
    else if (table.sent_away) entering.stop('sent_away');
    else entering.stayOutside(table);
  }

  /** New pictures are shown in their turn, and acted on at once. */
  function take(steps: Step[]): void {
    pictures.take(steps);
    const { newest } = pictures;
    if (hint?.decision !== newest?.asked?.decision) hint = null;
    const answer = newest && frames.shuffleAnswer(newest);
    if (answer) outbox.deliver(answer);
    if (newest) returning.see(newest);
  }

  function announce({ table, frame, before, verdict, isMissed }: Step): void {
    if (before !== null) noteAnswer(before);
    const hadAnswer = answerable !== null && answerable === before?.asked?.decision;
    noteAnswer(table);
    session.latest = isMissed ? [] : (frame?.events ?? []);
    if (frame === null || frame.events.length === 0) return;
    log.tell(frame, before, verdict, hadAnswer);
    const last = drawnIn(frame.events, frame.table.you);
    if (last !== undefined) drawn = last;
    if (!isMissed) session.onEvents?.(frame.events);
  }

  /** Once the viewer has answered, the table no longer says what the answer could have been. */
  function noteAnswer({ asked, hand }: TableView): void {
    const moves = hand?.legal_moves ?? [];
    if (asked?.what !== 'window' || moves.length === 0) return;
    answerable = coupFourreIn(moves) === null ? null : asked.decision;
  }

  /** What happened before this page was opened. */
  function recall(past: Past): void {
    if (isPastKnown) return;
    log.recall(past, knownUntil, pictures.newest?.member ?? null);
    isPastKnown = true;
    if (drawn !== undefined) return;
    const { you = null, inputs = [] } = past.matches.at(-1) ?? {};
    drawn = drawnIn(
      inputs.flatMap(({ events }) => events),
      you,
    );
  }

  function refuse(rejected: Rejected): void {
    const isNews = outbox.refuse(rejected, pictures.newest);
    // While frames are on their way, the picture that comes with a refusal may be ahead of them.
    if (rejected.table !== null && !frames.isCatchingUp) {
      const { table } = rejected;
      take([{ table, frame: null, before: null, verdict: null, isMissed: true }]);
    }
    if (!isNews) return;
    const table = pictures.newest;
    const sentence = table === null ? rejected.sentence : refusalText(rejected, namesOf(table));
    refusal = { code: rejected.code, sentence };
    // The lobby asks again by itself.
    if (rejected.code !== WARMING_UP)
      log.refuse(sentence, frames.seq ?? 0, table?.hand?.number ?? 0);
  }

  function send(message: In): void {
    if (!connection.isWanted) return;
    refusal = null;
    outbox.send(message);
  }

  const session = {
    id,
    edition,
    /** Animates one frame. The session waits for it, then shows the picture. */
    tellStory: null as TellStory | null,
    /** What led to the picture shown now, if it came while the page was watched. */
    latest: [] as Event[],
    /** Called with the events of each frame when its turn comes; not for missed frames. */
    onEvents: null as ((events: Event[]) => void) | null,

    get status(): Status {
      return entering.status;
    },
    /** The picture on screen: the story has reached it. */
    get table(): TableView | null {
      return pictures.shown;
    },
    /** The newest picture received. */
    get newest(): TableView | null {
      return pictures.newest;
    },
    /** Is the newest picture on screen? Only then can this seat act. */
    get settled(): boolean {
      return pictures.settled;
    },
    get refusal() {
      return refusal;
    },
    get hint() {
      return hint;
    },
    /** Newest last; each line once. */
    get log(): LogLine[] {
      return log.lines;
    },
    /** By hand: did the shuffle check out? Unset if this page could not check it. */
    get verified(): Record<number, boolean> {
      return frames.verified;
    },
    /** Of every finished hand of the match, the score sheet of every side. */
    get sheets(): Sheet[][] {
      return frames.sheets;
    },
    /** The card that the viewer drew last, until they use one. */
    get drawn(): string | null {
      return drawn ?? null;
    },
    /** In the window shown: does or did the viewer hold the safety that answers it? */
    get hasAnswer(): boolean {
      const { shown } = pictures;
      const isNow = coupFourreIn(shown?.hand?.legal_moves ?? []) !== null;
      return isNow || (answerable !== null && answerable === shown?.asked?.decision);
    },
    /** Has the log what happened before this page was opened? */
    get isPastKnown(): boolean {
      return isPastKnown;
    },
    /** The move that was sent, until the table shown has confirmed or refused it. */
    get sent(): string | null {
      const answer = outbox.answerTo(pictures.shown);
      return answer?.type === 'move' ? answer.move : null;
    },

    /** Looks at the table, and takes our place if we have one. */
    begin: entering.look,
    /** Comes to the table. Throws an `ApiError` if it refuses. */
    join: entering.join,
    /** After another window took over: play here again. */
    reclaim: entering.reclaim,
    /** The server's time, for deadlines. */
    serverNow: frames.serverNow,
    /** Cuts the story short: the newest picture is shown at once. */
    skip: pictures.skip,
    send,

    /** Answers the decision, once, with one of the legal moves. */
    move(token: string): void {
      const { newest, settled } = pictures;
      const asked = newest?.asked;
      if (!settled || !asked || !newest.hand?.legal_moves.includes(token)) return;
      if (outbox.answerTo(newest) !== null) return;
      const moveId = base64url(world.entropy(12));
      send({ type: 'move', decision: asked.decision, id: moveId, move: token });
    },

    /** At a practice table: asks what a bot would play. */
    askHint(): void {
      const asked = pictures.newest?.asked;
      if (asked) send({ type: 'hint', decision: asked.decision });
    },

    /** Ready for the next hand. */
    next(): void {
      const asked = pictures.shown?.asked;
      if (asked?.what === 'next') send({ type: 'next', decision: asked.decision });
    },

    rematch(): void {
      send({ type: 'rematch' });
    },

    /** Leaves the table's connection; the seat is kept. */
    end(): void {
      isEnded = true;
      unwatch();
      entering.end();
      frames.end();
      pictures.end();
      if (!outbox.isLeaving) connection.close();
    },
  };
  return session;
}

function base64url(bytes: Uint8Array): string {
  const text = btoa(String.fromCharCode(...bytes));
  return text.replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', '');
}
