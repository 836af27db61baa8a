/** The highlights of a hand, announced in large letters on a plate. */

import { figure, type Rules } from '../lib/figures';
import { number } from '../lib/format';
import type { Event } from '../lib/protocol';
import { say, tell, type Names } from '../lib/words.svelte';

const SHOWN = 1600;
/** A plate is not replaced sooner: a hand and its match end together. */
const LEAST = 800;

export interface Plate {
  /** `coup`: a coup fourré; `finish`: a trip completed; `win`: a match won; `news`: the rest. */
  kind: 'coup' | 'finish' | 'win' | 'news';
  title: string;
  /** What it scores: "+400". */
  figure: string | null;
  /** Whose it is, unless it is the viewer's own. */
  who: string | null;
  /** The side whose cards must stay in sight, because something happens there. */
  side: number | null;
}

/** What the plate says of an event; null if it is not a highlight. */
export function plateOf(event: Event, names: Names, rules: Rules | null): Plate | null {
  const own = names.you === null ? null : names.you % names.sides.length;
  const sentence = () => tell(event, names)[0] ?? '';
  const news: Plate = { kind: 'news', title: '', figure: null, who: null, side: null };
  switch (event.type) {
    case 'countered': {
      const { seat, side } = event;
      return {
        kind: 'coup',
        title: say('table', 'coup_fourre'),
        figure: rules && scored(coupPoints(rules)),
        who: seat === names.you ? null : (names.seats[seat] ?? null),
        side,
      };
    }
    case 'extended':
      return { ...news, title: sentence() };
    case 'hand_ended': {
      const side = event.completed_by;
      if (side === null) return { ...news, title: sentence() };
      const shutOut = event.sheets[side]?.shut_out ?? 0;
      return {
        kind: 'finish',
        title: say('table', shutOut > 0 ? 'shut_out' : 'trip_completed'),
        figure: scored(shutOut),
        who: side === own ? null : (names.sides[side] ?? null),
        side: null,
      };
    }
    case 'match_ended': {
      const isWon = event.winner !== null && (own === null || event.winner === own);
      return { ...news, kind: isWon ? 'win' : 'news', title: sentence() };
    }
    default:
      return null;
  }
}

/** The safety and the coup fourré together. */
function coupPoints(rules: Rules): number {
  return figure(rules, 'safety_points') + figure(rules, 'coup_fourre_points');
}

function scored(points: number): string | null {
  return points > 0 ? `+${number(points)}` : null;
}

export class Moment {
  plate = $state.raw<Plate | null>(null);
  #timers: ReturnType<typeof setTimeout>[] = [];
  /** When the plate shown may go. */
  #free = 0;

  /** Shows an event, if it is a highlight. */
  now(event: Event, names: Names, rules: Rules | null, pace: number): void {
    const plate = plateOf(event, names, rules);
    if (plate === null) return;
    const now = Date.now();
    // Without animations it still stays long enough to read.
    const slow = pace || 1;
    const wait = Math.max(0, this.#free - now);
    this.#stop();
    this.#free = now + wait + LEAST * slow;
    if (wait === 0) this.plate = plate;
    else this.#timers.push(setTimeout(() => (this.plate = plate), wait));
    this.#timers.push(setTimeout(() => (this.plate = null), wait + SHOWN * slow));
  }

  clear(): void {
    this.#stop();
    this.#free = 0;
    this.plate = null;
  }

  #stop(): void {
    for (const timer of this.#timers) clearTimeout(timer);
    this.#timers = [];
  }
}
