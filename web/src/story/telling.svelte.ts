/** Tells the story of a session on the table: cards that fly, sounds, and plates. */

import { onMount, untrack } from 'svelte';

import { pace } from '../lib/prefs.svelte';
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

/** Follows a session for as long as the calling component lives. */
export function tellStory(session: Session, { root, layer, drag }: Place) {
  let stage: Stage | null = null;
  let story: Story | null = null;
  const moment = new Moment();
  const sounding = new Sounding(
    () => session.newest,
    (event) => {
      if (session.table === null) return;
      moment.now(event, namesOf(session.table), session.edition.rules, pace());
    },
  );

  onMount(() => {
    const [within, above] = [root(), layer()];
    if (within === undefined || above === undefined) return undefined;
    stage = new Stage(within, above);
    const told = new Story({
      stage,
      pace,
      ontold: (event) => sounding.now(event),
      dropped: () => drag.takeDropped(),
    });
    story = told;
    told.begin(session.latest);
    session.tellStory = (frame, before) => told.tell(frame, before);
    session.onEvents = (events) => {
      sounding.expect(events);
    };
    return () => {
      session.tellStory = session.onEvents = null;
      stage?.clear();
      moment.clear();
    };
  });
  $effect(() => {
    const { table } = session;
    untrack(() => {
      if (table !== null) story?.finish(table);
      sounding.rest();
      if (session.settled && session.sent === null) drag.settle();
    });
  });

  return {
    moment,
    get stage() {
      return stage;
    },
  };
}
