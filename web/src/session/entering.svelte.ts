/**
 * Entering a table, and losing it again: whether this guest is a member, looks on from outside, or
 * cannot come back.
 */

import { ApiError } from '../lib/api';
import { guest } from '../lib/guest.svelte';
import { CLOSE, FINAL, type JoinTable, type TableView } from '../lib/protocol';
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
  /** Another window plays on. */
  | 'superseded'
  /** This device is nobody's any more. */
  | 'signed_out'
  | 'closed'
  /** The host does not want us here. */
  | 'sent_away'
  /** There is no such table. */
  | 'missing';

/** How often a page looks again while it is outside, or while nobody answers. */
const LOOK_AGAIN = 4000;

/** The parts of a session that change when a table is entered or lost. */
interface Parts {
  readonly id: string;
  readonly connection: Connection;
  readonly frames: Frames;
  readonly pictures: Pictures;
  readonly edition: TableEdition;
}

export class Entering {
  readonly #world: World;
  readonly #parts: Parts;
  status = $state<Status>('looking');
  #isEnded = false;
  /** Cancels the next look. */
  #looking: (() => void) | null = null;

  constructor(world: World, parts: Parts) {
    this.#world = world;
    this.#parts = parts;
  }

  /** Looks at the table, and connects if this guest is a member. */
  async look(): Promise<void> {
    this.#stopLooking();
    const { connection } = this.#parts;
    try {
      const view = await this.#world.api.look(this.#parts.id);
      if (this.#isEnded) return;
      if (view.sent_away) this.stop('sent_away');
      else if (view.member === null) await this.#findOutside(view);
      else if (!connection.isWanted) this.#connect();
    } catch (error) {
      if (this.#isEnded) return;
      if (error instanceof ApiError && error.status === 404) this.#miss();
      else if (!connection.isWanted) {
        this.status = 'lost';
        this.#lookAgain();
      }
    }
  }

  /** Comes to the table. Throws an `ApiError` if it refuses. */
  async join(join: JoinTable): Promise<void> {
    try {
      await this.#world.api.join(this.#parts.id, join);
    } catch (error) {
      if (!(error instanceof ApiError) || error.code !== 'sent_away') throw error;
      this.stop('sent_away');
      return;
    }
    if (!this.#isEnded) this.#connect();
  }

  /** After another window took over: play here again. */
  reclaim(): void {
    if (this.status === 'superseded') this.#connect();
  }

  /** The person or the network is back. */
  wake(): void {
    if (this.#looking !== null) void this.look();
  }

  /** This guest is not a member, or no longer: shows the table as others see it. */
  stayOutside(view: TableView): void {
    this.#parts.connection.close();
    this.status = 'outside';
    this.#parts.pictures.put(view);
    this.#parts.edition.prefetch();
    this.#lookAgain();
  }

  /** The connection was closed with this code. */
  lose(code: number, wasOpen: boolean): void {
    if (this.#isEnded) {
      if (FINAL.includes(code)) this.#parts.connection.close();
      return;
    }
    if (code === CLOSE.SUPERSEDED) this.stop('superseded');
    else if (code === CLOSE.SENT_AWAY) this.stop('sent_away');
    else if (code === CLOSE.TABLE_CLOSED) this.stop('closed');
    else if (code === CLOSE.SIGNED_OUT) this.stop('signed_out');
    else if (code === CLOSE.RESTARTING) this.status = 'stopping';
    else if (this.status !== 'stopping') this.status = 'lost';
    // A browser does not say why it could not connect.
    if (!wasOpen) void this.look();
  }

  /** Leaves the connection for good, until someone reclaims it. */
  stop(status: 'closed' | 'superseded' | 'sent_away' | 'signed_out'): void {
    this.#stopLooking();
    this.#parts.connection.close();
    if (status === 'signed_out') guest.signOut();
    this.status = status;
  }

  end(): void {
    this.#isEnded = true;
    this.#looking?.();
  }

  #connect(): void {
    this.#stopLooking();
    if (this.#parts.frames.seq === null) this.#parts.pictures.put(null);
    this.status = 'connecting';
    this.#parts.connection.open();
  }

  #lookAgain(): void {
    this.#looking = this.#world.later(LOOK_AGAIN, () => {
      if (this.#world.isHidden()) this.#lookAgain();
      else void this.look();
    });
  }

  #stopLooking(): void {
    this.#looking?.();
    this.#looking = null;
  }

  /** Someone who sat here may have been signed out. */
  async #findOutside(view: TableView): Promise<void> {
    this.#parts.connection.close();
    const isSignedOut = this.#parts.frames.seq !== null && (await this.#world.api.isSignedOut());
    if (isSignedOut) this.stop('signed_out');
    else if (!this.#isEnded) this.stayOutside(view);
  }

  #miss(): void {
    this.#parts.connection.close();
    // A table that we sat at has been closed in the meantime.
    this.status = this.#parts.frames.seq === null ? 'missing' : 'closed';
  }
}
