/** The server's REST interface. Whoever asks becomes a guest when that is needed. */

import { prefs } from './prefs.svelte';
import type {
  BotInfo,
  Created,
  EditionInfo,
  ErrorBody,
  GuestInfo,
  JoinTable,
  MyGames,
  NewTable,
  OpenTable,
  TableView,
} from './protocol';
import { say } from './words.svelte';

/** An answer that is not a success, with a sentence for people. Status 0: no answer at all. */
export class ApiError extends Error {
  constructor(
    readonly status: number,
    readonly code: string,
    readonly sentence: string,
  ) {
    super(code);
    this.name = 'ApiError';
  }
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
    const { code, sentence } = (await response.json()) as ErrorBody;
    if (code && sentence) return new ApiError(response.status, code, sentence);
  } catch {
    // A proxy in between may answer with a page of its own.
  }
  return new ApiError(response.status, 'bad_answer', say('errors', 'bad_answer'));
}

/** The cookie that says who we are is not for scripts to see: this tells that there is one. */
const KNOWN = 'millebornes.guest';
let isKnown = false;

function isGuest(): boolean {
  try {
    return isKnown || localStorage.getItem(KNOWN) !== null;
  } catch {
    return isKnown;
  }
}

function noteGuest(): void {
  isKnown = true;
  try {
    localStorage.setItem(KNOWN, '1');
  } catch {
    // The next page asks once more than it needs to.
  }
}

let becoming: Promise<void> | null = null;

/** Becomes a guest; several requests that need it at once become one guest. */
function becomeGuest(): Promise<void> {
  becoming ??= (async () => {
    const response = await fetched('POST', '/guests', {});
    if (!response.ok) throw await errorOf(response);
    noteGuest();
  })().finally(() => {
    becoming = null;
  });
  return becoming;
}

/** What only a guest can do. */
const FOR_GUESTS = /^POST \/(tables|guests\/link)/;

async function ask(method: string, path: string, body?: object): Promise<Response> {
  if (FOR_GUESTS.test(`${method} ${path}`) && !isGuest()) await becomeGuest();
  let response = await fetched(method, path, body);
  if (response.status === 401) {
    // The server has forgotten this guest, or the browser its cookie.
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
  bots: () => json<BotInfo[]>('GET', '/bots'),
  lobby: () => json<OpenTable[]>('GET', '/lobby'),
  /** Whoever is nobody yet has no games, and need not become someone for that. */
  games: async () =>
    isGuest() ? json<MyGames>('GET', '/games') : ({ running: [], recent: [] } as MyGames),
  /** Opens a table and gives the id for its link. */
  open: async (table: NewTable) => (await json<Created>('POST', '/tables', table)).table,
  look: async (table: string) => {
    const view = await json<TableView>('GET', of(table));
    if (view.member !== null) noteGuest();
    return view;
  },
  join: (table: string, join: JoinTable) => json<TableView>('POST', `${of(table)}/join`, join),
  edition: (table: string) => json<EditionInfo>('GET', `${of(table)}/edition`),
  checkRules: (toml: string) => json<EditionInfo>('POST', '/house-rules', { toml }),
  record: (table: string) => text(`${of(table)}/record`),
  game: (game: string) => text(`/games/${encodeURIComponent(game)}`),
  /** A code that lets another device be the same guest. */
  link: async () => (await json<{ code: string }>('POST', '/guests/link')).code,
  claim: async (code: string) => {
    await json<GuestInfo>('POST', '/guests/claim', { code });
    noteGuest();
  },
};
