/**
 * MB-FAIR-1, the shuffle that nobody can control alone: see `docs/protocol.md`.
 *
 * It uses a hash library, because browsers hide `crypto.subtle` on plain HTTP.
 */

import { hmac } from '@noble/hashes/hmac.js';
import { sha256, sha512 } from '@noble/hashes/sha2.js';
import { bytesToHex, concatBytes, hexToBytes, utf8ToBytes } from '@noble/hashes/utils.js';

import { FAMILIES } from '../lib/protocol';

const SERVER_SEED_SIZE = 64;
export const ENTROPY_SIZE = 32;
const WORD = 2 ** 32;

/** What one person's seat contributed to a shuffle. */
export interface Contribution {
  seat: number;
  /** K in hex; empty if none came in time. */
  commit: string;
  /** E in hex; null if it was not revealed in time. */
  entropy: string | null;
}

/** Everything that determined one shuffle. */
export interface Transcript {
  ctx: string;
  /** S in hex. */
  seed: string;
  /** C in hex. */
  commit: string;
  clients: Contribution[];
  /** Indices into the canonical deck, the first card dealt first. */
  deck: number[];
}

function lengthPrefixed(...items: Uint8Array[]): Uint8Array {
  const parts = items.flatMap((item) => {
    const length = new Uint8Array(4);
    new DataView(length.buffer).setUint32(0, item.length);
    return [length, item];
  });
  return concatBytes(...parts);
}

function hash(...items: Uint8Array[]): string {
  return bytesToHex(sha256(lengthPrefixed(...items)));
}

/** C: what the server publishes before anyone else commits. */
export function serverCommit(ctx: string, seed: string): string {
  return hash(utf8ToBytes('server'), utf8ToBytes(ctx), hexToBytes(seed));
}

/** K: what a seat sends before it reveals its entropy. */
export function clientCommit(ctx: string, seat: number, commit: string, entropy: string): string {
  const items = ['client', ctx, String(seat), commit].map((text) => utf8ToBytes(text));
  return hash(...items, hexToBytes(entropy));
}

/** The order of the deck, once everything is revealed. */
export function deckOrder(
  ctx: string,
  seed: string,
  clients: readonly Contribution[],
  size: number,
): number[] {
  const items = [utf8ToBytes('key'), utf8ToBytes(ctx)];
  for (const { seat, commit, entropy } of [...clients].sort((a, b) => a.seat - b.seat)) {
    items.push(utf8ToBytes(String(seat)), utf8ToBytes(commit), hexToBytes(entropy ?? ''));
  }
  return shuffled(hmac(sha512, hexToBytes(seed), lengthPrefixed(...items)), size);
}

/** An endless stream of 32-bit words: block n is HMAC-SHA512(key, n as 8 bytes). */
function* words(key: Uint8Array): Generator<number, never> {
  for (let block = 0n; ; block++) {
    const counter = new Uint8Array(8);
    new DataView(counter.buffer).setBigUint64(0, block);
    const digest = hmac(sha512, key, counter);
    const view = new DataView(digest.buffer, digest.byteOffset, digest.length);
    for (let at = 0; at < digest.length; at += 4) yield view.getUint32(at);
  }
}

/** Fisher–Yates from the top index down; words that would favour small results are rejected. */
function shuffled(key: Uint8Array, size: number): number[] {
  const order = Array.from({ length: size }, (_, index) => index);
  const stream = words(key);
  for (let i = size - 1; i > 0; i--) {
    const bound = i + 1;
    let word = stream.next().value;
    while (word >= WORD - (WORD % bound)) word = stream.next().value;
    const j = word % bound;
    [order[i], order[j]] = [order[j] as number, order[i] as number];
  }
  return order;
}

function isHex(value: unknown): value is string {
  return typeof value === 'string' && /^([0-9a-f]{2})*$/.test(value);
}

/** Parses a transcript from the server; null if it is malformed. */
export function readTranscript(data: Record<string, unknown>): Transcript | null {
  const { ctx, server_seed: seed, server_commit: commit, clients, deck, deck_size: size } = data;
  if (typeof ctx !== 'string' || !isHex(seed) || !isHex(commit)) return null;
  if (!Array.isArray(clients) || !Array.isArray(deck) || size !== deck.length) return null;
  const brought: Contribution[] = [];
  for (const client of clients as (Record<string, unknown> | null)[]) {
    const { seat, commit: own, entropy } = client ?? {};
    if (typeof seat !== 'string' || !/^(\d|[1-9]\d)$/.test(seat) || !isHex(own)) return null;
    if (entropy !== null && !isHex(entropy)) return null;
    brought.push({ seat: Number(seat), commit: own, entropy });
  }
  return { ctx, seed, commit, clients: brought, deck: deck as number[] };
}

/** Is the transcript consistent in itself? */
export function isSound(transcript: Transcript): boolean {
  const { ctx, seed, commit, clients, deck } = transcript;
  if (seed.length !== 2 * SERVER_SEED_SIZE || serverCommit(ctx, seed) !== commit) return false;
  if (clients.some((client, at) => client.seat <= (clients[at - 1]?.seat ?? -1))) return false;
  for (const { seat, commit: own, entropy } of clients) {
    if (entropy === null) continue;
    if (entropy.length !== 2 * ENTROPY_SIZE) return false;
    if (clientCommit(ctx, seat, commit, entropy) !== own) return false;
  }
  const order = deckOrder(ctx, seed, clients, deck.length);
  return order.every((index, at) => index === deck[at]);
}

/** The full deck in canonical order. */
const COPIES: readonly (readonly [card: string, copies: number])[] = [
  ['25', 10],
  ['50', 10],
  ['75', 10],
  ['100', 12],
  ['200', 4],
  ['ACC', 3],
  ['OUT', 3],
  ['FLAT', 3],
  ['STOP', 5],
  ['LIM', 4],
  ['REP', 6],
  ['GAS', 6],
  ['SPARE', 6],
  ['ROLL', 14],
  ['EOL', 6],
  ['ACE', 1],
  ['TANK', 1],
  ['PROOF', 1],
  ['ROW', 1],
];
const HAZARDS = new Set<string>(FAMILIES.hazard);
const MOST_AUTOROUTES = 4;

function deckOf(removed: number, autoroutes: number): string[] {
  return [...COPIES, ['AUTO', autoroutes] as const].flatMap(([card, copies]) =>
    Array.from<string>({ length: copies - (HAZARDS.has(card) ? removed : 0) }).fill(card),
  );
}

/**
 * The canonical deck of a context; null if no possible deck matches.
 *
 * Editions differ in whether one hazard of each kind is left out, and in the Autoroutes. The
 * hash proves which deck it was: the server could not choose it after the shuffle.
 */
export function canonicalDeck(ctx: string): string[] | null {
  const wanted = ctx.split('|').at(-1);
  for (const removed of [0, 1]) {
    for (let autoroutes = 0; autoroutes <= MOST_AUTOROUTES; autoroutes++) {
      const deck = deckOf(removed, autoroutes);
      if (bytesToHex(sha256(utf8ToBytes(deck.join(' ')))) === wanted) return deck;
    }
  }
  return null;
}
