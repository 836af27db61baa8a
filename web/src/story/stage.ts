/** The layer above the table on which cards fly. */

import { mount, unmount } from 'svelte';

import Card from '../cards/Card.svelte';

export interface Box {
  left: number;
  top: number;
  width: number;
  height: number;
}

export interface Flight {
  card: string;
  from: Box;
  to: Box;
  ms: number;
  delay?: number;
  /** Degrees at the end: a coup fourré lies crosswise. */
  turn?: number;
  /** Scale of the card half-way. */
  rise?: number;
  easing?: string;
  /** Does the card fade out at the end? */
  fades?: boolean;
}

/** A card in the air. */
export interface Flying {
  element: HTMLElement;
  remove: () => void;
}

/** A card's box, centred in a place of any shape. */
export function cardBox(place: Box): Box {
  const width = Math.min(place.width, place.height / 1.4);
  const height = width * 1.4;
  return {
    left: place.left + (place.width - width) / 2,
    top: place.top + (place.height - height) / 2,
    width,
    height,
  };
}

/** The transform that shows a card lying at `to` as if it were at `from`. */
export function moved(from: Box, to: Box): string {
  const x = from.left + from.width / 2 - (to.left + to.width / 2);
  const y = from.top + from.height / 2 - (to.top + to.height / 2);
  return `translate(${x}px, ${y}px) scale(${from.width / Math.max(1, to.width)})`;
}

export class Stage {
  readonly #layer: HTMLElement;
  readonly #root: HTMLElement;
  #flying: Flying[] = [];
  #hidden: HTMLElement[] = [];
  #running: Animation[] = [];

  /** @param root contains the places; @param layer where cards fly. */
  constructor(root: HTMLElement, layer: HTMLElement) {
    this.#root = root;
    this.#layer = layer;
  }

  /** The first of these places that is visible now. */
  place(...names: string[]): HTMLElement | null {
    for (const name of names) {
      const found = this.#root.querySelector<HTMLElement>(`[data-place="${name}"]`);
      if (found !== null && found.getClientRects().length > 0) return found;
    }
    return null;
  }

  /** Hides an element until `clear`. */
  hide(element: HTMLElement | null): void {
    if (element === null) return;
    element.style.opacity = '0';
    this.#hidden.push(element);
  }

  /** A card on the layer; the caller removes it. */
  make(card: string, at: Box): Flying {
    const element = document.createElement('div');
    element.className = 'flying';
    element.style.left = `${at.left}px`;
    element.style.top = `${at.top}px`;
    element.style.width = `${at.width}px`;
    this.#layer.append(element);
    const mounted = mount(Card, { target: element, props: { card, label: false } });
    const remove = () => {
      void unmount(mounted);
      element.remove();
    };
    return { element, remove };
  }

  /** A card on the layer until `clear`. */
  put(card: string, at: Box): HTMLElement {
    const flying = this.make(card, at);
    this.#flying.push(flying);
    return flying.element;
  }

  /** Flies a card; it stays where it lands until `clear`. */
  async fly(flight: Flight): Promise<void> {
    const to = cardBox(flight.to);
    const from = cardBox(flight.from);
    const element = this.put(flight.card, to);
    const start = moved(from, to);
    const turn = `rotate(${flight.turn ?? 0}deg)`;
    const middle = moved(
      {
        left: (from.left + to.left) / 2,
        top: (from.top + to.top) / 2,
        width: ((from.width + to.width) / 2) * (flight.rise ?? 1.06),
        height: ((from.height + to.height) / 2) * (flight.rise ?? 1.06),
      },
      to,
    );
    const end = `translate(0, 0) scale(1) ${turn}`;
    await this.run(
      element,
      [
        { transform: `${start} rotate(0deg)`, opacity: 1 },
        { transform: `${middle} rotate(${(flight.turn ?? 0) / 2}deg)`, opacity: 1 },
        { transform: end, opacity: flight.fades ? 0 : 1 },
      ],
      {
        duration: flight.ms,
        delay: flight.delay ?? 0,
        easing: flight.easing ?? 'cubic-bezier(0.3, 0.1, 0.25, 1)',
        fill: 'both',
      },
    );
  }

  /** Runs an animation until it ends or is cut short. */
  async run(element: Element, frames: Keyframe[], timing: KeyframeAnimationOptions): Promise<void> {
    const animation = element.animate(frames, timing);
    this.#running.push(animation);
    await animation.finished.catch(() => undefined);
  }

  /** Ends all animations: nothing flies, nothing is hidden. */
  clear(): void {
    for (const animation of this.#running) animation.cancel();
    for (const { remove } of this.#flying) remove();
    for (const element of this.#hidden) element.style.opacity = '';
    this.#running = [];
    this.#flying = [];
    this.#hidden = [];
  }
}
