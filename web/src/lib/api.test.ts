import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';

import { memoryBox } from '../session/testing';
import type { ApiError } from './api';

interface Asked {
  method: string;
  path: string;
  body: unknown;
  language: string;
}

let asked: Asked[];
let isGuest: boolean;
let answer: (path: string) => Response | Error;

let api: typeof import('./api').api;
let prefs: typeof import('./prefs.svelte').prefs;
let guest: typeof import('./guest.svelte').guest;
let Failure: typeof ApiError;

beforeEach(async () => {
  vi.stubGlobal('localStorage', memoryBox());
  vi.stubGlobal('sessionStorage', memoryBox());
  // The page of someone who comes for the first time.
  vi.resetModules();
  const { learn } = await import('./words.svelte');
  await learn('en');
  ({ prefs } = await import('./prefs.svelte'));
  ({ api, ApiError: Failure } = await import('./api'));
  ({ guest } = await import('./guest.svelte'));
  prefs.language = 'en';
  asked = [];
  isGuest = true;
  answer = () => Response.json([]);
  vi.stubGlobal('fetch', async (path: string, init: RequestInit) => {
    const headers = init.headers as Record<string, string>;
    const body: unknown = typeof init.body === 'string' ? JSON.parse(init.body) : null;
    asked.push({
      method: String(init.method),
      path,
      body,
      language: String(headers['Accept-Language']),
    });
    await Promise.resolve();
    if (path === '/api/guests') {
      isGuest = true;
      return Response.json({ token: null }, { status: 201 });
    }
    if (!isGuest) return Response.json({ code: 'no_guest', sentence: '…' }, { status: 401 });
    const found = answer(path);
    if (found instanceof Error) throw found;
    return found;
  });
});
afterEach(() => vi.unstubAllGlobals());

async function errorOf(promise: Promise<unknown>): Promise<ApiError> {
  const found = await promise.then(
    () => null,
    (error: unknown) => error,
  );
  expect(found).toBeInstanceOf(Failure);
  return found as ApiError;
}

describe('the REST interface', () => {
  it('sends the chosen language', async () => {
    prefs.language = 'fr';
    await api.editions();
    expect(asked).toEqual([{ method: 'GET', path: '/api/editions', body: null, language: 'fr' }]);
  });

  it('opens a table and returns its id', async () => {
    answer = () => Response.json({ table: 'abc' }, { status: 201 });
    expect(await api.open({ name: 'Ann', players: 3 })).toBe('abc');
    expect(asked.at(-1)?.body).toEqual({ name: 'Ann', players: 3 });
  });

  it('returns records as text', async () => {
    answer = () => new Response('[Edition "article"]');
    expect(await api.record('a/b')).toBe('[Edition "article"]');
    expect(asked[0]?.path).toBe('/api/tables/a%2Fb/record');
  });

  it('needs no guest to look around', async () => {
    expect(await api.games()).toEqual({ running: [], recent: [] });
    await api.lobby(2);
    expect(asked.map(({ path }) => path)).toEqual(['/api/lobby?page=2']);
  });

  it('becomes one guest before requests that need a guest', async () => {
    isGuest = false;
    answer = () => Response.json({ code: 'abc' }, { status: 201 });
    await Promise.all([api.link(), api.link()]);
    await api.games();
    expect(asked.map(({ path }) => path)).toEqual([
      '/api/guests',
      '/api/guests/link',
      '/api/guests/link',
      '/api/games',
    ]);
  });

  it('becomes a guest before house rules are checked', async () => {
    isGuest = false;
    answer = () => Response.json({ id: 'house-1' });
    expect(await api.checkRules('x')).toEqual({ id: 'house-1' });
    expect(asked.map(({ path }) => path)).toEqual(['/api/guests', '/api/house-rules']);
  });

  it('notes at a table that it is a guest', async () => {
    answer = (path) => Response.json(path === '/api/games' ? { running: [1] } : { member: 0 });
    await api.look('t');
    expect(await api.games()).toEqual({ running: [1] });
  });

  it('becomes a new guest if the server forgot the old one, and retries', async () => {
    localStorage.setItem('millebornes.guest', '1');
    isGuest = false;
    await Promise.all([api.games(), api.games()]);
    const paths = asked.map(({ path }) => path);
    expect(paths.filter((path) => path === '/api/guests')).toHaveLength(1);
    expect(paths.filter((path) => path === '/api/games')).toHaveLength(4);
    expect(guest.isSignedOut).toBe(true);
  });

  it('lists no devices without a guest, and creates none to find out', async () => {
    expect(await api.devices()).toEqual([]);
    isGuest = false;
    expect(await api.isSignedOut()).toBe(true);
    isGuest = true;
    expect(await api.isSignedOut()).toBe(false);
    expect(asked.map(({ path }) => path)).toEqual(['/api/guests/devices', '/api/guests/devices']);
    expect(guest.isSignedOut).toBe(false);
  });

  it('is no guest after signing out, and the next page knows', async () => {
    guest.note();
    answer = () => Response.json({});
    const device = { device: 'a/b', label: null, created: 0, seen: 0, is_this: false };
    await api.signOut(device);
    expect([guest.isKnown, guest.isSignedOut]).toEqual([true, false]);
    await api.signOut({ ...device, is_this: true });
    expect([guest.isKnown, guest.isSignedOut]).toEqual([false, true]);
    expect(asked.map(({ method, path }) => [method, path])).toEqual([
      ['DELETE', '/api/guests/devices/a%2Fb'],
      ['DELETE', '/api/guests/devices/a%2Fb'],
    ]);
    vi.stubGlobal('location', { assign: vi.fn() });
    guest.startAgain();
    expect(location.assign).toHaveBeenCalledWith('/');
    for (const isTold of [true, false]) {
      vi.resetModules();
      const { guest: next } = await import('./guest.svelte');
      expect(next.isSignedOut).toBe(isTold);
    }
  });

  it('passes on the server’s error', async () => {
    answer = () => Response.json({ code: 'seat_taken', sentence: 'Not free.' }, { status: 409 });
    const error = await errorOf(api.join('t', { name: 'Ann' }));
    expect(error).toMatchObject({ status: 409, code: 'seat_taken', sentence: 'Not free.' });
  });

  it('has its own sentence if there is no response', async () => {
    answer = () => new TypeError('failed to fetch');
    const error = await errorOf(api.lobby(1));
    expect(error).toMatchObject({ status: 0, code: 'no_answer' });
    expect(error.sentence).toMatch(/does not answer/);
  });

  it('has its own sentence if something else responds', async () => {
    answer = () => new Response('<h1>Bad gateway</h1>', { status: 502 });
    expect(await errorOf(api.lobby(1))).toMatchObject({ status: 502, code: 'bad_answer' });
    answer = () => new Response('<h1>Welcome to this hotel</h1>');
    expect(await errorOf(api.lobby(1))).toMatchObject({ code: 'bad_answer' });
  });
});
