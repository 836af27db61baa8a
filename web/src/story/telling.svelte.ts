/** Tells the story of a session on the table: cards that fly, sounds, and plates over the road. */

import { onMount, untrack } from 'svelte';

import { pace } from '../lib/prefs.svelte';
import type { Event } from '../lib/protocol';
import { namesOf } from '../lib/words.svelte';
import type { Session } from '../session/session.svelte';
import type { Drag } from '../table/drag.svelte';
import { Moment } from './moment.svelte';
import { Sounding } from './sounding';
import { Stage } from './stage';
import { Story } from './story';

interface Place {
  root: () => HTMLElement | undefined;
  /** Where cards fly. */
  layer: () => HTMLElement | undefined;
  drag: Drag;
}

export class Telling {
  readonly moment = new Moment();
  /** The viewer's card drawn last, until another one is played. */
  drawn = $state<string | null>(null);
  stage: Stage | null = null;
  #story: Story | null = null;
  readonly #sounding: Sounding;

  /** For as long as the calling component lives. */
  constructor(
    private readonly session: Session,
    private readonly place: Place,
  ) {
    this.#sounding = new Sounding(
      () => session.newest,
      (event) => {
        if (session.table !== null) this.moment.now(event, namesOf(session.table), pace());
      },
    );
    onMount(() => this.#begin());
    $effect(() => {
      const { table } = session;
      untrack(() => {
        if (table !== null) this.#story?.finish(table);
        this.#sounding.rest();
        if (session.settled && session.sent === null) place.drag.settle();
      });
    });
  }

  #begin(): (() => void) | undefined {
    const { session, place } = this;
    const [root, layer] = [place.root(), place.layer()];
    if (root === undefined || layer === undefined) return undefined;
    const stage = new Stage(root, layer);
    const story = new Story({
      stage,
      pace,
      ontold: (event) => this.#sounding.now(event),
      dropped: () => place.drag.takeDropped(),
    });
    this.stage = stage;
    this.#story = story;
    session.tellStory = (frame, before) => story.tell(frame, before);
    session.onEvents = (events) => this.#expect(events);
    return () => {
      session.tellStory = null;
      session.onEvents = null;
      stage.clear();
      this.moment.clear();
    };
  }

  #expect(events: Event[]): void {
    this.#sounding.expect(events);
    for (const event of events) {
      if ('seat' in event && event.seat === this.session.newest?.you && 'card' in event) {
        this.drawn = event.type === 'drawn' ? event.card : null;
      }
    }
  }
}
