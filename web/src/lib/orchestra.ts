/** How the sounds are made; fetched only by those who want to hear them. */

import type { Sound } from './sound';

/** One tone; times in seconds, pitches in hertz. */
interface Tone {
  at?: number;
  lasts: number;
  pitch: number;
  /** The pitch at the end. */
  to?: number;
  loud: number;
  wave?: OscillatorType;
  /** Does it last until it ends, like a horn? Otherwise it fades from the start, like a bell. */
  holds?: boolean;
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

/** The two-tone horn of an old car: a major third, each a little out of tune with itself. */
function horn(at: number, lasts: number, loud: number): Tone[] {
  return [370, 371.5, 466, 468].map((pitch) => {
    const wave = 'sawtooth' as const;
    return { at, lasts, pitch: pitch * 0.97, to: pitch, loud: loud / 2, wave, holds: true };
  });
}

const SCORES: Record<Sound, Score> = {
  draw: { rustles: [{ lasts: 0.09, pitch: 2600, to: 4200, loud: 0.1 }] },
  card: {
    rustles: [{ lasts: 0.07, pitch: 3000, to: 1800, loud: 0.12 }],
    tones: [{ at: 0.04, lasts: 0.09, pitch: 150, to: 90, loud: 0.25 }],
  },
  discard: { rustles: [{ lasts: 0.14, pitch: 2400, to: 900, loud: 0.1 }] },
  // Brakes
  attack: {
    rustles: [{ lasts: 0.26, pitch: 3400, to: 1500, loud: 0.1 }],
    tones: [{ at: 0.03, lasts: 0.22, pitch: 1250, to: 860, loud: 0.03, wave: 'triangle' }],
  },
  // A horn, and the card that hits the table
  coup: {
    rustles: [{ at: 0.4, lasts: 0.1, pitch: 4000, to: 900, loud: 0.2 }],
    tones: [
      ...horn(0, 0.1, 0.07),
      ...horn(0.16, 0.42, 0.08),
      { at: 0.4, lasts: 0.14, pitch: 170, to: 65, loud: 0.35 },
    ],
  },
  turn: { tones: chime([659, 880], 0.11, 0.4, 0.09) },
  finish: { tones: chime([523, 659, 784, 1047], 0.09, 0.5, 0.1) },
  over: { tones: chime([587, 494, 440], 0.12, 0.45, 0.08) },
  win: {
    tones: [
      ...chime([523, 659, 784, 1047, 784, 1047], 0.11, 0.5, 0.1),
      ...chime([1319], 0, 0.9, 0.08).map((tone) => ({ ...tone, at: 0.66 })),
      ...horn(0.72, 0.08, 0.04),
      ...horn(0.86, 0.28, 0.04),
    ],
  },
  lose: { tones: chime([440, 392, 330], 0.18, 0.5, 0.08) },
  chat: { tones: [{ lasts: 0.07, pitch: 700, to: 1050, loud: 0.08 }] },
  tick: { tones: [{ lasts: 0.03, pitch: 1400, loud: 0.04, wave: 'triangle' }] },
};

/** Do not repeat a sound within this time. */
const TOGETHER = 0.06;

let noise: AudioBuffer | null = null;
const lastAt = new Map<Sound, number>();

export function perform(audio: AudioContext, sound: Sound): void {
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
  fade(audio, soft, start, tone.lasts, tone.loud, tone.holds);
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
function fade(
  audio: AudioContext,
  from: AudioNode,
  start: number,
  lasts: number,
  loud: number,
  holds = false,
) {
  const level = audio.createGain();
  level.gain.setValueAtTime(0.0001, start);
  level.gain.exponentialRampToValueAtTime(loud, start + Math.min(0.008, lasts / 4));
  if (holds) level.gain.setValueAtTime(loud, start + lasts * 0.75);
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
