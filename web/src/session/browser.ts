/** What a session needs of the browser; tests bring a world of their own. */

import { randomBytes } from '@noble/hashes/utils.js';

import { api } from '../lib/api';
import type { Ways } from './connection';
import { Memory } from './memory';

export interface World extends Ways {
  api: Pick<typeof api, 'look' | 'join' | 'edition' | 'isSignedOut'>;
  memory: Pick<Memory, 'read' | 'write'>;
  /** Random bytes that nobody can guess. */
  entropy(size: number): Uint8Array;
  /** Where the page came from, for WebSockets. */
  origin: string;
  isHidden(): boolean;
  /** Tells when the page is left, and when the person or the network is back; until it is ended. */
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
      // Another network: connections of the old one are dead, and nobody tells.
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
