/**
 * Entering a table, and losing it again: whether this guest is a member, looks on from outside, or
 * cannot come back.
 */

import { ApiError } from '../lib/api';
import { guest } from '../lib/guest.svelte';
import {
  CLOSE_RESTARTING,
  CLOSE_SENT_AWAY,
  CLOSE_SIGNED_OUT,
  CLOSE_SUPERSEDED,
  CLOSE_TABLE_CLOSED,
  type JoinTable,
  type TableView,
} from '../lib/protocol';
import type { World } from './browser';
import type { Connection } from './connection';
import type { TableEdition } from './edition.svelte';
import type { Frames } from './frames.svelte';
import type { Pictures } from './pictures.svelte';

export type Status =
  | 'looking'
  /** Not a member yet. */
  | 'outside'
  | 'connecting'
  | 'live'
  | 'lost'
  /** The server restarts. */
  | 'stopping'
  /** Another window took over. */
  | 'superseded'
  /** This device was signed out. */
  | 'signed_out'
  | 'closed'
  /** The host sent us away. */
  | 'sent_away'
  /** There is no such table. */
  | 'missing';

type End = 'closed' | 'superseded' | 'sent_away' | 'signed_out';

/** The codes after which there is nothing to reconnect to. */
export const ENDS: Record<number, End> = {
  [CLOSE_SUPERSEDED]: 'superseded',
  [CLOSE_SENT_AWAY]: 'sent_away',
  [CLOSE_TABLE_CLOSED]: 'closed',
  [CLOSE_SIGNED_OUT]: 'signed_out',
};

/** How often a page looks again while it is outside, or while nobody answers. */
const LOOK_AGAIN = 4000;

/** The parts of a session that change when a table is entered or lost. */
interface Parts {
  connection: Connection;
  frames: Frames;
  pictures: Pictures;
  edition: TableEdition;
}

export function enteringFor(
  table: string,
  world: World,
  { connection, frames, pictures, edition }: Parts,
) {
  let status = $state<Status>('looking');
  let isEnded = false;
  /** Cancels the next look. */
  let looking: (() => void) | null = null;

  function stopLooking(): void {
    looking?.();
    looking = null;
  }

  function lookAgain(): void {
    looking = world.later(LOOK_AGAIN, () => {
      if (world.isHidden()) lookAgain();
      else void look();
    });
  }

  /** Looks at the table, and connects if this guest is a member. */
  async function look(): Promise<void> {
    stopLooking();
    try {
      const view = await world.api.look(table);
      if (isEnded) return;
      if (view.sent_away) stop('sent_away');
      else if (view.member === null) await findOutside(view);
      else if (!connection.isWanted) connect();
    } catch (error) {
      if (isEnded) return;
      if (error instanceof ApiError && error.status === 404) miss();
      else if (!connection.isWanted) {
        status = 'lost';
        lookAgain();
      }
    }
  }

  function connect(): void {
    stopLooking();
    if (frames.seq === null) pictures.put(null);
    status = 'connecting';
    connection.open();
  }

  /** Leaves the connection for good, until someone reclaims it. */
  function stop(why: End): void {
    stopLooking();
    connection.close();
    if (why === 'signed_out') guest.signOut();
    status = why;
  }

  function miss(): void {
    connection.close();
    // A table that we sat at has been closed in the meantime.
    status = frames.seq === null ? 'missing' : 'closed';
  }

  /** Someone who sat here may have been signed out. */
  async function findOutside(view: TableView): Promise<void> {
    connection.close();
    if (frames.seq !== null && (await world.api.isSignedOut())) stop('signed_out');
    else if (!isEnded) stayOutside(view);
  }

  /** This guest is not a member, or no longer: shows the table as others see it. */
  function stayOutside(view: TableView): void {
    connection.close();
    status = 'outside';
    pictures.put(view);
    edition.prefetch();
    lookAgain();
  }

  return {
    get status() {
      return status;
    },
    set status(next) {
      status = next;
    },

    look,
    stop,
    stayOutside,

    /** Comes to the table. Throws an `ApiError` if it refuses. */
    async join(join: JoinTable): Promise<void> {
      try {
        await world.api.join(table, join);
      } catch (error) {
        if (!(error instanceof ApiError) || error.code !== 'sent_away') throw error;
        stop('sent_away');
        return;
      }
      if (!isEnded) connect();
    },

    /** After another window took over: play here again. */
    reclaim(): void {
      if (status === 'superseded') connect();
    },

    /** The person or the network is back. */
    wake(): void {
      if (looking !== null) void look();
    },

    /** The connection was closed with this code. */
    lose(code: number, wasOpen: boolean): void {
      const end = ENDS[code];
      if (isEnded) {
        if (end) connection.close();
        return;
      }
      if (end) stop(end);
      else if (code === CLOSE_RESTARTING) status = 'stopping';
      else if (status !== 'stopping') status = 'lost';
      // A browser does not say why it could not connect.
      if (!wasOpen) void look();
    },

    end(): void {
      isEnded = true;
      looking?.();
    },
  };
}
