/** What this page sends: the answer to a decision, until the table has it, and everything else. */

import type { In, Move, Next, Rejected, TableView } from '../lib/protocol';
import type { Connection } from './connection';

/** Most messages kept while there is no connection. */
const MOST = 20;
/** Not shown: refusals of what the page sends by itself, or repeats after a break. */
const QUIET = new Set(['shuffle_moved_on', 'wrong_reveal', 'already_done', 'not_away']);

export function outboxFor(connection: Connection) {
  /** Sent again on a new connection, because a broken one may have lost it. */
  let answer = $state.raw<Move | Next | null>(null);
  let isRepeated = false;
  const waiting: In[] = [];

  /** The pending answer to what this picture asks. */
  function answerTo(table: TableView | null): Move | Next | null {
    return answer?.decision === table?.asked?.decision ? answer : null;
  }

  /** Sends at once or not at all. */
  function deliver(message: In): boolean {
    const isSent = connection.send(JSON.stringify(message));
    if (isSent) connection.expectAnswer();
    return isSent;
  }

  function flush(): void {
    for (const message of waiting.splice(0)) deliver(message);
  }

  /** Is it our answer that was refused? A move has an id; for a `next` only the code shows it. */
  function isAnswer({ id, code }: Rejected, newest: TableView | null): boolean {
    const pending = answerTo(newest);
    if (pending?.type === 'move') return id === pending.id;
    return pending?.type === 'next' && code === 'stale_decision';
  }

  return {
    answerTo,
    deliver,
    flush,

    /** Someone who leaves without a connection leaves once it is back. */
    get isLeaving(): boolean {
      return waiting.some(({ type }) => type === 'leave');
    },

    send(message: In): void {
      if (message.type === 'move' || message.type === 'next') {
        answer = message;
        isRepeated = false;
        deliver(message);
      } else if (!deliver(message) && waiting.length < MOST) {
        waiting.push(message);
      }
    },

    /** A new connection: says again what may be lost. */
    repeat(newest: TableView | null): void {
      const pending = answerTo(newest);
      if (pending !== null) {
        isRepeated = true;
        deliver(pending);
      }
      flush();
    },

    /** This picture is shown: if it asks something else, the answer has done its work. */
    settle(shown: TableView): void {
      answer = answerTo(shown);
    },

    /** The table refused something. Need the person see that? */
    refuse(rejected: Rejected, newest: TableView | null): boolean {
      const isOurs = isAnswer(rejected, newest);
      const isLate = isOurs && isRepeated && rejected.code === 'stale_decision';
      if (QUIET.has(rejected.code) || isLate) return false;
      if (isOurs) answer = null;
      return true;
    },
  };
}
