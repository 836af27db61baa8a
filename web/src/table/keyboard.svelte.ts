/** Playing by keyboard: moving the focus, and running commands. */

import { tick, untrack } from 'svelte';

import { cardName } from '../lib/words.svelte';
import type { Session } from '../session/session.svelte';
import type { Acting } from './acting.svelte';
import type { Decision } from './decision.svelte';
import { commandOf, folded, type Command } from './keys';

/** The methods of the hand's list. */
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
  /** Is this person using the keyboard? Then the focus moves to what is asked. */
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
    // Holding a key down must not play several cards.
    if (event.repeat && command.do !== 'step') return;
    this.#around.session.skip();
    if (this.#obey(command)) event.preventDefault();
  }

  /** Moves the focus to what is asked, unless the person has moved it elsewhere. */
  async #lead(): Promise<void> {
    if (!this.isUsed) return;
    await tick();
    const { root, hand, acting } = this.#around;
    const active = document.activeElement;
    const isNowhere = active === null || active === document.body;
    // A button that does not answer the decision keeps the focus.
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

  /** Runs a command; false if it does nothing here and the browser should handle the key. */
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
        // Leave the key to any other button.
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
    // In the log and the chat, arrow keys scroll.
    if (document.activeElement?.closest('aside')) return false;
    this.#around.hand()?.step(by);
    return true;
  }

  /** Plays a card at once if it has one target; otherwise focuses its targets. */
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

  /** A digit means a side while a card needs a target, and a distance otherwise. */
  #number(number: number): void {
    const { acting, hand } = this.#around;
    const token = acting.drops(acting.card)[`side-${number - 1}`];
    if (token !== undefined) acting.act(token);
    else hand()?.find((card) => card.startsWith(`${number}`));
  }
}

/** Is the key held down? It must not also press the button that replaces the first. */
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
