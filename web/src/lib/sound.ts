/** Synthesised sounds: paper, a horn, a chime. Off by default. */

import { prefs } from './prefs.svelte';

export type Sound =
  | 'draw'
  | 'card'
  | 'discard'
  | 'attack'
  | 'coup'
  | 'turn'
  | 'finish'
  | 'over'
  | 'win'
  | 'lose'
  | 'chat'
  | 'tick';

let context: AudioContext | null = null;
let hasGesture = false;

/** Browsers allow sound only after a user gesture. */
function touched(): void {
  hasGesture = true;
  if (prefs.sound) void wake()?.resume();
}
for (const gesture of ['pointerup', 'keydown']) {
  globalThis.addEventListener?.(gesture, touched, { capture: true, passive: true });
}

function wake(): AudioContext | null {
  if (context === null && hasGesture && 'AudioContext' in globalThis) {
    context = new AudioContext();
    void fetchOrchestra();
  }
  return context;
}

function fetchOrchestra() {
  // Without a connection the game stays silent; the next sound tries again.
  return import('./orchestra').catch(() => null);
}

/** Plays a sound, if sounds are on. */
export function play(sound: Sound): void {
  const audio = prefs.sound ? wake() : null;
  if (audio === null || audio.state !== 'running') return;
  void fetchOrchestra().then((orchestra) => orchestra?.perform(audio, sound));
}
