// Short sounds made of tones; none before the person has touched the page.

import type { Sound } from "../state/events.ts";

/** Frequency in Hz, start and length in seconds. */
type Note = readonly [number, number, number];

const NOTES: Readonly<Record<Sound, readonly Note[]>> = {
  turn: [
    [660, 0, 0.14],
    [880, 0.15, 0.2],
  ],
  talk: [[520, 0, 0.06]],
  vote: [
    [440, 0, 0.12],
    [440, 0.18, 0.12],
  ],
  time: [[330, 0, 0.3]],
};

const LOUDNESS = 0.08;

let context: AudioContext | undefined;

/** The end of the last tone, by the clock of the context. */
let silent = 0;

/** Play a sound, if the browser permits it. Between sounds no audio device is held. */
export function play(sound: Sound): void {
  if (!navigator.userActivation.hasBeenActive) return;
  context ??= new AudioContext();
  void context.resume();
  const start = context.currentTime;
  for (const [frequency, begin, length] of NOTES[sound]) {
    const tone = context.createOscillator();
    const volume = context.createGain();
    tone.frequency.value = frequency;
    volume.gain.setValueAtTime(LOUDNESS, start + begin);
    volume.gain.exponentialRampToValueAtTime(0.0001, start + begin + length);
    tone.connect(volume).connect(context.destination);
    tone.start(start + begin);
    tone.stop(start + begin + length);
    tone.onended = rest;
    silent = Math.max(silent, start + begin + length);
  }
}

function rest(): void {
  if (context !== undefined && context.currentTime >= silent) void context.suspend();
}
