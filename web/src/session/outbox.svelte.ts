/** What this page sends: the answer to a decision, until the table has it, and everything else. */

import type { In, Move, Next, Rejected, TableView } from '../lib/protocol';
import type { Connection } from './connection';

/** Most messages kept while there is no connection. */
const MOST = 20;
/** Refusals of what the page sends by itself, or sends again after a break: nobody need see them. */
const QUIET = new Set(['shuffle_moved_on', 'wrong_reveal', 'already_done']);

export class Outbox {
  readonly #connection: Connection;
  /** Sent again on a new connection, because a broken one may have lost it. */
  #answer = $state.raw<Move | Next | null>(null);
  #isRepeated = false;
  #waiting: In[] = [];

  constructor(connection: Connection) {
    this.#connection = connection;
  }

  /** The pending answer to what this picture asks. */
  answerTo(table: TableView | null): Move | Next | null {
    return this.#answer?.decision === table?.asked?.decision ? this.#answer : null;
  }

  /** Someone who leaves without a connection leaves once it is back. */
  get isLeaving(): boolean {
    return this.#waiting.some(({ type }) => type === 'leave');
  }

  send(message: In): void {
    if (message.type === 'move' || message.type === 'next') {
      this.#answer = message;
      this.#isRepeated = false;
      this.deliver(message);
    } else if (!this.deliver(message) && this.#waiting.length < MOST) {
      this.#waiting.push(message);
    }
  }

  /** Sends at once or not at all. */
  deliver(message: In): boolean {
    const isSent = this.#connection.send(JSON.stringify(message));
    if (isSent) this.#connection.expectAnswer();
    return isSent;
  }

  /** A new connection: says again what may be lost. */
  repeat(newest: TableView | null): void {
    const answer = this.answerTo(newest);
    if (answer !== null) {
      this.#isRepeated = true;
      this.deliver(answer);
    }
    this.flush();
  }

  flush(): void {
    for (const message of this.#waiting.splice(0)) this.deliver(message);
  }

  /** This picture is shown: if it asks something else, the answer has done its work. */
  settle(shown: TableView): void {
    if (this.answerTo(shown) === null) this.#answer = null;
  }

  /** The table refused something. Need the person see that? */
  refuse(rejected: Rejected, newest: TableView | null): boolean {
    const isAnswer = this.#isAnswer(rejected, newest);
    const isLate = isAnswer && this.#isRepeated && rejected.code === 'stale_decision';
    if (QUIET.has(rejected.code) || isLate) return false;
    if (isAnswer) this.#answer = null;
    return true;
  }

  /** Is it our answer that was refused? A move has an id; for a `next` only the code shows it. */
  #isAnswer({ id, code }: Rejected, newest: TableView | null): boolean {
    const answer = this.answerTo(newest);
    if (answer?.type === 'move') return id === answer.id;
    return answer?.type === 'next' && code === 'stale_decision';
  }
}
