/** For tests of a session: a fresh one in a fake browser before each test. */

import { beforeAll, beforeEach } from 'vitest';

import { prefs } from '../lib/prefs.svelte';
import type { Event, Frame } from '../lib/protocol';
import { learn } from '../lib/words.svelte';
import { sessionAt, type Session } from './session.svelte';
import { asked, FakeWorld, frame, handView } from './testing';

export const DRIVE: Event = { type: 'played', seat: 1, card: '100', side: 1, cleared: [] };
export const ROLL: Event = { type: 'played', seat: 1, card: 'ROLL', side: 1, cleared: [] };
export const turn = (decision: number, moves = ['x25', 'ROLL']) => ({
  asked: asked(decision),
  hand: handView({ legal_moves: moves }),
});

export let world: FakeWorld;
export let session: Session;

beforeAll(async () => {
  prefs.language = 'en';
  await Promise.all([learn('en'), learn('fr')]);
});
beforeEach(() => {
  prefs.motion = 'full';
  prefs.language = 'en';
  open(new FakeWorld());
});

function open(next: FakeWorld): void {
  world = next;
  session = sessionAt('t', world);
}

/** Makes the session live, with this picture shown. */
export async function live(first: Frame = frame(10)): Promise<void> {
  await session.begin();
  world.socket.accept().say(first);
  await world.pass(200);
}

/** Loads the page again: a new session that finds what the old one stored. */
export function reload(): void {
  session.end();
  open(new FakeWorld(world.box));
}
