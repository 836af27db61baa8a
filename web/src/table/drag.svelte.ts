/** Dragging a card from the hand with mouse, pen or finger. */

import { pace } from '../lib/prefs.svelte';
import { moved, type Box, type Flying, type Stage } from '../story/stage';
import type { Acting } from './acting.svelte';

/** Pixels that a pointer must move before a press becomes a drag. */
const SLACK = 7;
const SNAP = 180;

interface Held {
  key: string;
  pointer: number;
  x: number;
  y: number;
  box: Box;
  ghost: Flying | null;
}

export class Drag {
  /** The card being dragged, or dropped and waiting for the table's answer. */
  key = $state<string | null>(null);
  /** The drop zone under the card, if the card may go there. */
  over = $state<string | null>(null);
  #held: Held | null = null;
  #dropped: Flying | null = null;
  #wasDragged = false;
  readonly #acting: Acting;
  readonly #stage: () => Stage | null;

  constructor(acting: Acting, stage: () => Stage | null) {
    this.#acting = acting;
    this.#stage = stage;
  }

  get card(): string | null {
    return this.key === null ? null : this.#acting.cardOf(this.key);
  }

  /** Was the last press a drag? Then ignore its click. */
  get wasDragged(): boolean {
    return this.#wasDragged;
  }

  press(event: PointerEvent, key: string): void {
    this.#wasDragged = false;
    if (event.button !== 0 || !event.isPrimary || !this.#acting.isTurn) return;
    this.abandon();
    const button = event.currentTarget as Element;
    // At once: a fast pointer leaves the card before its first move event.
    button.setPointerCapture(event.pointerId);
    const { left, top, width, height } = button.getBoundingClientRect();
    this.#held = {
      key,
      pointer: event.pointerId,
      x: event.clientX,
      y: event.clientY,
      box: { left, top, width, height },
      ghost: null,
    };
  }

  move(event: PointerEvent): void {
    const held = this.#held;
    if (held === null || held.pointer !== event.pointerId) return;
    const x = event.clientX - held.x;
    const y = event.clientY - held.y;
    if (held.ghost === null) {
      if (Math.hypot(x, y) < SLACK) return;
      this.#lift(held);
    }
    if (held.ghost === null) return;
    held.ghost.element.style.transform = `translate(${x}px, ${y}px) scale(1.12)`;
    this.over = this.#zone(event.clientX, event.clientY);
  }

  release(event: PointerEvent): void {
    const held = this.#held;
    if (held === null || held.pointer !== event.pointerId) return;
    const token = this.over === null ? undefined : this.#acting.drops(this.card)[this.over];
    if (held.ghost === null || token === undefined) {
      this.cancel();
      return;
    }
    this.#held = null;
    this.over = null;
    this.#dropped = held.ghost;
    this.#acting.act(token);
    if (this.#acting.question !== null) this.settle();
  }

  /** Returns the card to the hand. */
  cancel(): void {
    const held = this.#held;
    this.#held = null;
    this.over = null;
    const ghost = held?.ghost ?? null;
    if (held === null || ghost === null) {
      this.key = null;
      return;
    }
    const { box } = held;
    const done = () => {
      ghost.remove();
      this.key = null;
    };
    void ghost.element
      .animate(
        [{ transform: moved(ghost.element.getBoundingClientRect(), box) }, { transform: 'none' }],
        { duration: SNAP * pace(), easing: 'ease-out', fill: 'forwards' },
      )
      .finished.then(done, done);
  }

  /** Drops the drag, because the card may have left the hand. */
  abandon(): void {
    this.#held?.ghost?.remove();
    this.#held = null;
    this.over = null;
    if (this.#dropped === null) this.key = null;
  }

  /** Where the card was dropped: its animation starts there. */
  takeDropped(): Box | null {
    const box = this.#dropped?.element.getBoundingClientRect() ?? null;
    this.#dropped?.remove();
    this.#dropped = null;
    return box;
  }

  /** The table has answered: removes a dropped card. */
  settle(): void {
    if (this.#held !== null) return;
    this.takeDropped();
    this.key = null;
  }

  #lift(held: Held): void {
    const stage = this.#stage();
    if (stage === null) return;
    held.ghost = stage.make(this.#acting.cardOf(held.key), held.box);
    held.ghost.element.classList.add('held');
    this.key = held.key;
    this.#acting.selected = null;
    this.#wasDragged = true;
  }

  #zone(x: number, y: number): string | null {
    const drops = this.#acting.drops(this.card);
    for (const element of document.elementsFromPoint(x, y)) {
      const name = element.closest<HTMLElement>('[data-drop]')?.dataset.drop;
      if (name !== undefined && name in drops) return name;
    }
    return null;
  }
}
