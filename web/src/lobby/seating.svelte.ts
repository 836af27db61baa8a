/** Seats the bots that a new table was opened for, and starts it. A level that is still warming up
 * is asked for again until it is ready. */

import { untrack } from 'svelte';

import { AGAIN } from '../bots/catalogue.svelte';
import { takePlan, type Plan } from '../lib/plan';
import { WARMING_UP, type Session } from '../session/session.svelte';

/** Follows a session for as long as the calling component lives. */
export function seatingAt(session: Session) {
  const made = takePlan(session.id);
  let plan = $state.raw<Plan | null>(made);
  let isStarting = $state(made?.start ?? false);
  /** The bots of the plan, each with its seat. */
  let wanted: { seat: number; level: string }[] | null = null;
  /** Have they been asked for, since the last refusal? */
  let isAsked = $state(false);
  let cold = $state<string | null>(null);

  function finish(): void {
    plan = wanted = cold = null;
    isAsked = false;
  }

  function giveUp(): void {
    finish();
    isStarting = false;
  }

  function go({ bots, start }: Plan): void {
    const seats = session.newest?.seats ?? [];
    const free = seats.flatMap(({ kind }, seat) => (kind === 'empty' ? [seat] : []));
    wanted ??= free.slice(0, bots.length).map((seat, bot) => ({ seat, level: bots[bot] ?? '' }));
    const missing = wanted.filter(({ seat }) => free.includes(seat));
    if (missing.length === 0) {
      finish();
      if (start) session.send({ type: 'start' });
    } else if (!isAsked) {
      isAsked = true;
      for (const bot of missing) session.send({ type: 'add_bot', ...bot });
    }
  }

  $effect(() => {
    const isLive = session.status === 'live' && session.newest !== null;
    const now = plan;
    void isAsked;
    if (now !== null && isLive) untrack(() => go(now));
  });
  $effect(() => {
    const { refusal } = session;
    if (session.status === 'lost') untrack(giveUp);
    if (refusal === null) return undefined;
    if (refusal.code !== WARMING_UP) {
      untrack(giveUp);
      return undefined;
    }
    untrack(() => {
      const isEmpty = (seat: number) => session.newest?.seats[seat]?.kind === 'empty';
      cold = wanted?.find(({ seat }) => isEmpty(seat))?.level ?? null;
    });
    const timer = setTimeout(() => (isAsked = false), AGAIN);
    return () => clearTimeout(timer);
  });

  return {
    /** Does the game start by itself? Until then there is no lobby to see. */
    get isStarting() {
      return isStarting;
    },
    /** Are bots being seated? */
    get isBusy() {
      return plan !== null;
    },
    /** The level that all wait for. */
    get cold() {
      return cold;
    },
    /** Seats a bot of each of these levels, and starts. */
    fill(levels: string[]): void {
      finish();
      plan = { bots: levels, start: true };
    },
  };
}
