/** Playing by keyboard: where the focus goes, and what a key does there. */

import { tick, untrack } from 'svelte';

import { cardName } from '../lib/words.svelte';
import type { Session } from '../session/session.svelte';
import type { Acting } from './acting.svelte';
import type { Decision } from './decision.svelte';
import { commandOf, folded, type Command } from './keys';

/** What the list of cards in hand can do. */
export interface HandList {
  focused(): string | null;
  focus(key?: string | null): void;
  focusPlayable(): void;
  step(by: number): void;
  end(last: boolean): void;
  find(isIt: (card: string) => boolean): void;
}

export interface Surroundings {
  session: Session;
  acting: Acting;
  decision: Decision;
  root: () => HTMLElement | undefined;
  hand: () => HandList | undefined;
  onhelp: () => void;
  oncancel: () => void;
}

export class Keyboard {
  /** Is this person playing by keys just now? Then the focus is led to what is asked. */
  isUsed = false;
  readonly #around: Surroundings;

  constructor(around: Surroundings) {
    this.#around = around;
    $effect(() => {
      void around.decision.number;
      void around.acting.isAsked;
      untrack(() => void this.#lead());
    });
  }

  press(event: KeyboardEvent): void {
    this.isUsed = true;
    if (isHeldDown(event)) event.preventDefault();
    const command = isElsewhere(event) ? null : commandOf(event);
    if (command === null) return;
    // A key that is held down must not play one card after the other.
    if (event.repeat && command.do !== 'step') return;
    this.#around.session.skip();
    if (this.#obey(command)) event.preventDefault();
  }

  /** Leads to what is asked, unless the focus is somewhere of the person's own choice. */
  async #lead(): Promise<void> {
    if (!this.isUsed) return;
    await tick();
    const { root, hand, acting } = this.#around;
    const active = document.activeElement;
    const isNowhere = active === null || active === document.body;
    // A button that answers nothing that is asked of this seat keeps the focus.
    const isAtButtons = Boolean(active?.closest('.actions :not([data-stay]), [data-first]'));
    const isInPlay = isNowhere || isAtButtons || Boolean(active?.closest('.hand'));
    if (!isInPlay || hasDialog()) return;
    const first = root()?.querySelector<HTMLElement>('[data-first]:not(:disabled)');
    if (first) first.focus();
    else if (isNowhere || isAtButtons) {
      if (acting.isTurn) hand()?.focusPlayable();
      else hand()?.focus();
    }
  }

  /** Does what a key means here; false if it means nothing here, and the browser may have it. */
  #obey(command: Command): boolean {
    const { session, acting, onhelp, oncancel } = this.#around;
    const hand = this.#around.hand();
    const held = hand?.focused() ?? null;
    switch (command.do) {
      case 'step':
        return this.#step(command.by);
      case 'end':
        if (held === null) return false;
        hand?.end(command.last);
        return true;
      case 'play':
        // Any other button does what it says.
        if (held === null) return false;
        void this.#play(held);
        return true;
      case 'discard':
        this.#discard(held ?? acting.selected);
        return true;
      case 'hint':
        if (session.table?.practice && acting.isAsked) {
          acting.lookUp();
          session.askHint();
        }
        return true;
      case 'help':
        onhelp();
        return true;
      case 'cancel':
        oncancel();
        return true;
      case 'number':
        this.#number(command.number);
        return true;
      case 'letter':
        hand?.find((card) => folded(cardName(card)).startsWith(command.letter));
        return true;
    }
  }

  /** The targets of the chosen card. */
  #aims(): HTMLButtonElement[] {
    const found = this.#around.root()?.querySelectorAll<HTMLButtonElement>('[data-side] .aim');
    return [...(found ?? [])];
  }

  #step(by: number): boolean {
    const aims = this.#aims();
    const at = aims.indexOf(document.activeElement as HTMLButtonElement);
    if (at >= 0) {
      aims.at((at + by) % aims.length)?.focus();
      return true;
    }
    // In the log and the chat arrows scroll.
    if (document.activeElement?.closest('aside')) return false;
    this.#around.hand()?.step(by);
    return true;
  }

  /** Plays a card at once where that is clear; otherwise the focus goes to its targets. */
  async #play(key: string): Promise<void> {
    const { acting } = this.#around;
    const [first, second] = acting.plays(acting.cardOf(key));
    acting.selected = second === undefined ? null : key;
    if (first === undefined) return;
    if (second === undefined) {
      acting.act(first.token);
      return;
    }
    await tick();
    this.#aims()[0]?.focus();
  }

  #discard(key: string | null): void {
    const { acting } = this.#around;
    const token = key === null ? null : acting.discard(acting.cardOf(key));
    if (token !== null) acting.act(token);
  }

  /** A number is a side while a card is chosen for one, and a distance otherwise. */
  #number(number: number): void {
    const { acting, hand } = this.#around;
    const token = acting.drops(acting.card)[`side-${number - 1}`];
    if (token !== undefined) acting.act(token);
    else hand()?.find((card) => card.startsWith(`${number}`));
  }
}

/** A key held down presses one button, not also the one that comes in its place. */
function isHeldDown(event: KeyboardEvent): boolean {
  const target = event.target as Element | null;
  return (
    event.repeat &&
    (event.key === 'Enter' || event.key === ' ') &&
    target?.closest('button') !== null
  );
}

function hasDialog(): boolean {
  return document.querySelector('dialog[open]') !== null;
}

function isElsewhere(event: KeyboardEvent): boolean {
  const target = event.target as Element | null;
  return hasDialog() || Boolean(target?.closest('input, textarea, select, [contenteditable]'));
}
