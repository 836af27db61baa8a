import { readFileSync } from 'node:fs';

import { describe, expect, it } from 'vitest';

import fixture from '../lib/fixtures/shuffle.json';
import transcripts from '../lib/fixtures/transcripts.json';
import {
  canonicalDeck,
  clientCommit,
  deckOrder,
  isSound,
  readTranscript,
  serverCommit,
  type Transcript,
} from './fair';

/** The vector that every implementation of MB-FAIR-1 is held to. */
const file = `${import.meta.dirname}/../../../tests/fixtures/mb-fair-1.json`;
const vector = JSON.parse(readFileSync(file, 'utf8')) as Record<string, unknown>;

function transcript(): Transcript {
  const found = readTranscript(structuredClone(vector));
  if (found === null) throw new Error('the vector cannot be read');
  return found;
}

describe('MB-FAIR-1', () => {
  it('computes the commitments of the test vector', () => {
    const { ctx, seed, commit, clients } = transcript();
    expect(serverCommit(ctx, seed)).toBe(commit);
    const opened = clients.filter((client) => client.entropy !== null);
    expect(opened.length).toBeGreaterThan(1);
    for (const { seat, commit: own, entropy } of opened) {
      expect(clientCommit(ctx, seat, commit, entropy ?? '')).toBe(own);
    }
  });

  it('computes the deck of the test vector', () => {
    const { ctx, seed, clients, deck } = transcript();
    expect(deckOrder(ctx, seed, clients, deck.length)).toEqual(deck);
    expect(deckOrder(ctx, seed, [...clients].reverse(), deck.length)).toEqual(deck);
    const canonical = canonicalDeck(ctx) ?? [];
    expect(deck.map((index) => canonical[index])).toEqual(vector.cards);
  });

  it('knows the canonical deck of every edition', () => {
    for (const { ctx, deck } of fixture.decks) expect(canonicalDeck(ctx)?.join(' ')).toBe(deck);
    expect(canonicalDeck(`MB-FAIR-1|game|1|article|${'0'.repeat(64)}`)).toBeNull();
  });

  it('verifies the test vector', () => {
    expect(isSound(transcript())).toBe(true);
  });

  it.each(transcripts.cases)('judges as Python does: $about', ({ sound, transcript: sent }) => {
    const found = readTranscript(sent);
    expect(found !== null && isSound(found)).toBe(sound);
  });

  it.each<[string, (found: Transcript) => void]>([
    ['another seed', (found) => (found.seed = `00${found.seed.slice(2)}`)],
    ['a short seed', (found) => (found.seed = found.seed.slice(2))],
    ['another context', (found) => (found.ctx = found.ctx.replace('|1|', '|2|'))],
    ['another commitment', (found) => (found.commit = found.commit.replace(/^../, '00'))],
    ['two cards exchanged', ({ deck }) => deck.push(...deck.splice(0, 1))],
    ['a card less', ({ deck }) => deck.pop()],
    ['entropy that nobody committed to', ({ clients: [first] }) => (first!.entropy = '0a')],
    ['entropy left out', ({ clients: [first] }) => (first!.entropy = null)],
    ['a seat twice', ({ clients }) => clients.push({ ...clients.at(-1)! })],
    ['a seat left out', ({ clients }) => clients.pop()],
  ])('finds %s', (_what, change) => {
    const found = transcript();
    change(found);
    expect(isSound(found)).toBe(false);
  });

  it.each<[string, unknown]>([
    ['ctx', 1],
    ['server_seed', 'XY'],
    ['server_commit', null],
    ['clients', {}],
    ['clients', [{ seat: 0, commit: '', entropy: null }]],
    ['clients', [{ seat: '0', commit: 'no hex', entropy: null }]],
    ['clients', [{ seat: '0', commit: '', entropy: 1 }]],
    ['clients', [null]],
    ['deck', 'abc'],
    ['deck_size', 1],
  ])('reads nothing with a wrong %s', (field, value) => {
    expect(readTranscript({ ...structuredClone(vector), [field]: value })).toBeNull();
  });
});
