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
  /** Calls back when the page is hidden, and when the person or the network is back. */
  watch(left: () => void, back: (isDoubtful: boolean) => void): () => void;
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
    watch(left, back) {
      const seen = () => (document.hidden ? left() : back(false));
      // On another network, old connections are dead without notice.
      const online = () => back(true);
      document.addEventListener('visibilitychange', seen);
      window.addEventListener('online', online);
      return () => {
        document.removeEventListener('visibilitychange', seen);
        window.removeEventListener('online', online);
      };
    },
  };
}
