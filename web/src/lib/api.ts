/** The server's REST interface. It creates a guest when a request needs one. */

import { guest } from './guest.svelte';
import { prefs } from './prefs.svelte';
import type {
  ArgumentInfo,
  BotInfo,
  Created,
  DeviceInfo,
  EditionInfo,
  ErrorBody,
  GuestInfo,
  JoinTable,
  JudgeAnswer,
  MyGames,
  NewTable,
  OpenTable,
  PadScores,
  PresetInfo,
  RuleGroup,
  ScorePad,
  TableView,
} from './protocol';
import { say } from './words.svelte';

/** An error response, with a sentence for people. Status 0 means no response at all. */
export class ApiError extends Error {
  constructor(
    readonly status: number,
    readonly code: string,
    readonly sentence: string,
    /** The key of the house rules that it is about. */
    readonly rule: string | null = null,
  ) {
    super(code);
    this.name = 'ApiError';
  }
}

/** What went wrong, as a sentence for people. */
export function troubleIn(error: unknown): string {
  return error instanceof ApiError ? error.sentence : say('home', 'trouble');
}

async function fetched(method: string, path: string, body?: object): Promise<Response> {
  const headers: Record<string, string> = { 'Accept-Language': prefs.language };
  if (body) headers['Content-Type'] = 'application/json';
  try {
    return await fetch(`/api${path}`, {
      method,
      headers,
      credentials: 'same-origin',
      cache: 'no-store',
      body: body ? JSON.stringify(body) : null,
    });
  } catch {
    throw new ApiError(0, 'no_answer', say('errors', 'no_answer'));
  }
}

async function errorOf(response: Response): Promise<ApiError> {
  try {
    const { code, sentence, rule } = (await response.json()) as ErrorBody;
    if (code && sentence) return new ApiError(response.status, code, sentence, rule ?? null);
  } catch {
    // A proxy may have answered with its own page.
  }
  return new ApiError(response.status, 'bad_answer', say('errors', 'bad_answer'));
}

let becoming: Promise<void> | null = null;

/** Becomes a guest; concurrent requests share one. */
function becomeGuest(): Promise<void> {
  becoming ??= (async () => {
    const response = await fetched('POST', '/guests', {});
    if (!response.ok) throw await errorOf(response);
    guest.note();
  })().finally(() => {
    becoming = null;
  });
  return becoming;
}

/** Requests that need a guest. */
const FOR_GUESTS = /^POST \/(tables|house-rules|score-pad|judge|guests\/link)/;

async function ask(method: string, path: string, body?: object): Promise<Response> {
  if (FOR_GUESTS.test(`${method} ${path}`) && !guest.isKnown) await becomeGuest();
  let response = await fetched(method, path, body);
  if (response.status === 401) {
    // Signed out from another device, or the server lost this guest, or the browser lost its
    // cookie.
    if (guest.isKnown) guest.signOut();
    await becomeGuest();
    response = await fetched(method, path, body);
  }
  if (!response.ok) throw await errorOf(response);
  return response;
}

async function json<T>(method: string, path: string, body?: object): Promise<T> {
  const response = await ask(method, path, body);
  try {
    return (await response.json()) as T;
  } catch {
    throw new ApiError(response.status, 'bad_answer', say('errors', 'bad_answer'));
  }
}

async function text(path: string): Promise<string> {
  return (await ask('GET', path)).text();
}

const of = (table: string) => `/tables/${encodeURIComponent(table)}`;

export const api = {
  editions: () => json<EditionInfo[]>('GET', '/editions'),
  presets: () => json<PresetInfo[]>('GET', '/presets'),
  /** Every rule that house rules can change, for forms. */
  rules: () => json<RuleGroup[]>('GET', '/rules'),
  bots: () => json<BotInfo[]>('GET', '/bots'),
  /** Open tables, the newest first, `LOBBY_PAGE` on a page. */
  lobby: (page: number) => json<OpenTable[]>('GET', `/lobby?page=${page}`),
  /** A visitor without a guest token has no games, and needs no guest for that. */
  games: async () =>
    guest.isKnown ? json<MyGames>('GET', '/games') : ({ running: [], recent: [] } as MyGames),
  /** Opens a table and returns its id. */
  open: async (table: NewTable) => (await json<Created>('POST', '/tables', table)).table,
  look: async (table: string) => {
    const view = await json<TableView>('GET', of(table));
    if (view.member !== null) guest.note();
    return view;
  },
  join: (table: string, join: JoinTable) => json<TableView>('POST', `${of(table)}/join`, join),
  edition: (table: string) => json<EditionInfo>('GET', `${of(table)}/edition`),
  checkRules: (toml: string) => json<EditionInfo>('POST', '/house-rules', { toml }),
  /** Verdicts by an edition, or the one that the text names, and by every printed one. */
  judge: (text: string, edition: string | null) =>
    json<JudgeAnswer>('POST', '/judge', { text, edition }),
  arguments: () => json<ArgumentInfo[]>('GET', '/arguments'),
  /** Scores a match played with the box; nothing is stored. */
  scorePad: (pad: ScorePad) => json<PadScores>('POST', '/score-pad', pad),
  record: (table: string) => text(`${of(table)}/record`),
  game: (game: string) => text(`/games/${encodeURIComponent(game)}`),
  /** A code that lets another device be the same guest. */
  link: async () => (await json<{ code: string }>('POST', '/guests/link')).code,
  claim: async (code: string) => {
    await json<GuestInfo>('POST', '/guests/claim', { code });
    guest.note();
  },
  /** Where this guest is signed in, the newest first. */
  devices: async () => (guest.isKnown ? json<DeviceInfo[]>('GET', '/guests/devices') : []),
  signOut: async ({ device, is_this }: DeviceInfo) => {
    await json<DeviceInfo>('DELETE', `/guests/devices/${encodeURIComponent(device)}`);
    if (is_this) guest.signOut();
  },
  /** Has this device been signed out? Does not create a guest. */
  isSignedOut: async () => (await fetched('GET', '/guests/devices')).status === 401,
};
