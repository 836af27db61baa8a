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
  | 'win'
  | 'lose'
  | 'chat'
  | 'tick';

/** One tone; times in seconds, pitches in hertz. */
interface Tone {
  at?: number;
  lasts: number;
  pitch: number;
  /** The pitch at the end. */
  to?: number;
  loud: number;
  wave?: OscillatorType;
}

/** A short noise: a card on felt. */
interface Rustle {
  at?: number;
  lasts: number;
  /** The centre of its frequency band. */
  pitch: number;
  to?: number;
  loud: number;
}

interface Score {
  tones?: Tone[];
  rustles?: Rustle[];
}

function chime(pitches: number[], step: number, lasts: number, loud: number): Tone[] {
  return pitches.flatMap((pitch, index) => {
    const at = index * step;
    // A little of the octave makes it sound like a bell.
    return [
      { at, lasts, pitch, loud },
      { at, lasts: lasts / 2, pitch: 2 * pitch, loud: loud / 4 },
    ];
  });
}

function horn(at: number, lasts: number, loud: number): Tone[] {
  return [311, 392].map((pitch) => ({ at, lasts, pitch, loud, wave: 'sawtooth' as const }));
}

const SCORES: Record<Sound, Score> = {
  draw: { rustles: [{ lasts: 0.09, pitch: 2600, to: 4200, loud: 0.1 }] },
  card: {
    rustles: [{ lasts: 0.07, pitch: 3000, to: 1800, loud: 0.12 }],
    tones: [{ at: 0.04, lasts: 0.09, pitch: 150, to: 90, loud: 0.25 }],
  },
  discard: { rustles: [{ lasts: 0.14, pitch: 2400, to: 900, loud: 0.1 }] },
  attack: { tones: [...horn(0, 0.09, 0.05), ...horn(0.13, 0.2, 0.06)] },
  coup: {
    rustles: [{ lasts: 0.12, pitch: 5000, to: 1200, loud: 0.2 }],
    tones: [
      { lasts: 0.12, pitch: 180, to: 70, loud: 0.35 },
      ...chime([784, 1047, 1319], 0.07, 0.5, 0.12).map((t) => ({ ...t, at: (t.at ?? 0) + 0.08 })),
    ],
  },
  turn: { tones: chime([659, 880], 0.11, 0.4, 0.09) },
  finish: { tones: chime([523, 659, 784, 1047], 0.09, 0.5, 0.1) },
  win: { tones: chime([523, 523, 659, 784, 1047, 1319], 0.12, 0.6, 0.11) },
  lose: { tones: chime([440, 392, 330], 0.18, 0.5, 0.08) },
  chat: { tones: [{ lasts: 0.07, pitch: 700, to: 1050, loud: 0.08 }] },
  tick: { tones: [{ lasts: 0.03, pitch: 1400, loud: 0.04, wave: 'triangle' }] },
};

/** Do not repeat a sound within this time. */
const TOGETHER = 0.06;

let context: AudioContext | null = null;
let noise: AudioBuffer | null = null;
let hasGesture = false;
const lastAt = new Map<Sound, number>();

/** Browsers allow sound only after a user gesture. */
function touched(): void {
  hasGesture = true;
  if (prefs.sound) void wake()?.resume();
}
for (const gesture of ['pointerup', 'keydown']) {
  globalThis.addEventListener?.(gesture, touched, { capture: true, passive: true });
}

function wake(): AudioContext | null {
  if (context === null && hasGesture && 'AudioContext' in globalThis) context = new AudioContext();
  return context;
}

/** Plays a sound, if sounds are on. */
export function play(sound: Sound): void {
  const audio = prefs.sound ? wake() : null;
  if (audio === null || audio.state !== 'running') return;
  const now = audio.currentTime;
  if (now - (lastAt.get(sound) ?? -1) < TOGETHER) return;
  lastAt.set(sound, now);
  for (const tone of SCORES[sound].tones ?? []) playTone(audio, tone);
  for (const rustle of SCORES[sound].rustles ?? []) playRustle(audio, rustle);
}

function playTone(audio: AudioContext, tone: Tone): void {
  const start = audio.currentTime + (tone.at ?? 0);
  const source = audio.createOscillator();
  source.type = tone.wave ?? 'sine';
  source.frequency.setValueAtTime(tone.pitch, start);
  source.frequency.exponentialRampToValueAtTime(tone.to ?? tone.pitch, start + tone.lasts);
  const soft = audio.createBiquadFilter();
  soft.type = 'lowpass';
  soft.frequency.value = 2400;
  source.connect(soft);
  fade(audio, soft, start, tone.lasts, tone.loud);
  source.start(start);
  source.stop(start + tone.lasts);
}

function playRustle(audio: AudioContext, rustle: Rustle): void {
  const start = audio.currentTime + (rustle.at ?? 0);
  const source = audio.createBufferSource();
  source.buffer = noise ??= makeNoise(audio);
  const band = audio.createBiquadFilter();
  band.type = 'bandpass';
  band.frequency.setValueAtTime(rustle.pitch, start);
  band.frequency.exponentialRampToValueAtTime(rustle.to ?? rustle.pitch, start + rustle.lasts);
  source.connect(band);
  fade(audio, band, start, rustle.lasts, rustle.loud);
  source.start(start, 0, rustle.lasts);
}

/** A quick rise and a slow fall, so that nothing clicks. */
function fade(audio: AudioContext, from: AudioNode, start: number, lasts: number, loud: number) {
  const level = audio.createGain();
  level.gain.setValueAtTime(0.0001, start);
  level.gain.exponentialRampToValueAtTime(loud, start + Math.min(0.008, lasts / 4));
  level.gain.exponentialRampToValueAtTime(0.0001, start + lasts);
  from.connect(level);
  level.connect(audio.destination);
}

function makeNoise(audio: AudioContext): AudioBuffer {
  const buffer = audio.createBuffer(1, audio.sampleRate / 2, audio.sampleRate);
  const samples = buffer.getChannelData(0);
  for (let at = 0; at < samples.length; at++) samples[at] = 2 * Math.random() - 1;
  return buffer;
}
