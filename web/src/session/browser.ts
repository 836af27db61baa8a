/** What a session needs from the browser; tests pass a fake. */

import { randomBytes } from '@noble/hashes/utils.js';

import { api } from '../lib/api';
import type { Ways } from './connection';
import { Memory } from './memory';

export interface World extends Ways {
  api: Pick<typeof api, 'look' | 'join' | 'edition' | 'isSignedOut'>;
  memory: Pick<Memory, 'read' | 'write'>;
  /** Cryptographically random bytes. */
  entropy(size: number): Uint8Array;
  /** The origin of the page, for WebSockets. */
  origin: string;
  isHidden(): boolean;
  /** Calls back for as long as the returned function is not called. */
  watch(watcher: Watcher): () => void;
}

/** What a session is told about the person and the network. */
export interface Watcher {
  /** The page is hidden. */
  left(): void;
  /** The person or the network is back; after a change of network the connection is doubtful. */
  back(isDoubtful: boolean): void;
  /** The network is gone. */
  offline(): void;
  /** The person has touched the page or pressed a key. */
  touched(): void;
}

export function browserWorld(table: string): World {
  return {
    api,
    memory: new Memory(table),
    origin: location.origin.replace(/^http/, 'ws'),
    open: (url) => new WebSocket(url),
    later(milliseconds, call) {
      const timer = setTimeout(call, milliseconds);
      return () => clearTimeout(timer);
    },
    random: Math.random,
    now: () => performance.now(),
    entropy: (size) => randomBytes(size),
    isHidden: () => document.hidden,
    watch({ left, back, offline, touched }) {
      const until = new AbortController();
      const { signal } = until;
      const seen = () => (document.hidden ? left() : back(false));
      document.addEventListener('visibilitychange', seen, { signal });
      // On another network, old connections are dead without notice.
      window.addEventListener('online', () => back(true), { signal });
      window.addEventListener('offline', offline, { signal });
      // After the page's own listeners: a button that takes the seat back comes first.
      window.addEventListener('pointerup', touched, { signal });
      window.addEventListener('keyup', touched, { signal });
      return () => until.abort();
    },
  };
}
