/** The bots of the server: what they are called, how strong they are, and whether they can play. */

import { api } from '../lib/api';
import { LEVELS, type BotInfo } from '../lib/protocol';

/** The pause before bots that were warming up are asked for again. */
export const AGAIN = 1500;

/** Until the server has answered: every level, so that the page has its final shape. */
const EXPECTED = LEVELS.map((level) => ({
  level,
  ready: true,
  against: null,
  wins: null,
  outside: false,
}));

let known = $state.raw<BotInfo[] | null>(null);

export const catalogue = {
  /** Weakest first, and then those that the operator of the server has added. */
  get bots(): BotInfo[] {
    return known ?? EXPECTED;
  },
  /** Has the server answered? */
  get isKnown(): boolean {
    return known !== null;
  },
  /** A bot by its level. A table may have one that the server no longer offers. */
  bot(level: string): BotInfo {
    const found = catalogue.bots.find((bot) => bot.level === level);
    return found ?? { level, ready: true, against: null, wins: null, outside: false };
  },
  async load(): Promise<BotInfo[]> {
    return (known = await api.bots());
  },
};

/** Fetches the bots, and again until none is warming up, while the page can be seen. Follows them
 * for as long as the calling component lives. */
export function followBots(): void {
  $effect(() => {
    let timer: ReturnType<typeof setTimeout> | undefined;
    let isOver = false;
    async function ask(): Promise<void> {
      const isDone =
        !document.hidden &&
        (await catalogue.load().then(
          (bots) => bots.every(({ ready }) => ready),
          () => false,
        ));
      if (!isDone && !isOver) timer = setTimeout(() => void ask(), AGAIN);
    }
    void ask();
    return () => {
      isOver = true;
      clearTimeout(timer);
    };
  });
}
