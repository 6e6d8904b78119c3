/**
 * Synthesizes the sounds of the game: a knock of wood, a step on gravel, a small bell.
 *
 * Browsers allow sound only after the user has interacted with the page; until then nothing is played.
 */
import type { Cue, Sound } from "../game/sounds";

/** Gain at full volume. */
const MAX_GAIN = 0.5;
const GRAVEL_SECONDS = 0.08;

export class AudioPlayer {
  private context: AudioContext | null = null;
  private gravel: AudioBuffer | null = null;

  /** `volume` is from 0 to 1, read for each sound. */
  constructor(private readonly volume: () => number) {
    for (const touch of ["pointerdown", "keydown"] as const)
      addEventListener(touch, this.unlock, { capture: true, passive: true });
  }

  play(cues: readonly Cue[]): void {
    const loud = this.volume() * MAX_GAIN;
    if (this.context?.state !== "running" || loud <= 0) return;
    const { context } = this;
    // Creating a sound takes milliseconds, so drawing goes first.
    setTimeout(() => {
      for (const { sound, after } of cues) this.sound(context, sound, after / 1000, loud);
    });
  }

  /** Browsers allow sound only after the user has interacted with the page. */
  private readonly unlock = (): void => {
    if (this.volume() <= 0 || typeof AudioContext === "undefined") return;
    this.context ??= new AudioContext();
    if (this.context.state === "suspended") void this.context.resume();
  };

  private sound(context: AudioContext, sound: Sound, after: number, loud: number): void {
    const at = context.currentTime + after;
    if (sound === "knock") {
      this.tone(context, { at, loud, from: 190, to: 95, duration: 0.11 });
      this.scrape(context, { at, loud: loud * 0.4, pitch: 1400, duration: 0.03 });
    } else if (sound === "step") {
      this.scrape(context, { at, loud: loud * 0.35, pitch: 750, duration: GRAVEL_SECONDS });
    } else {
      // The partials of a small bell: none is a whole multiple of another.
      for (const [ratio, part] of [
        [1, 0.4],
        [2.76, 0.16],
        [5.4, 0.06],
      ] as const)
        this.tone(context, {
          at,
          loud: loud * part,
          from: 784 * ratio,
          to: 784 * ratio,
          duration: 1.3 / ratio,
        });
    }
  }

  /** A tone that falls from one pitch to another and dies away. */
  private tone(
    context: AudioContext,
    tone: { at: number; loud: number; from: number; to: number; duration: number },
  ) {
    const source = context.createOscillator();
    source.frequency.setValueAtTime(tone.from, tone.at);
    source.frequency.exponentialRampToValueAtTime(tone.to, tone.at + tone.duration);
    source.connect(fadingGain(context, tone));
    source.start(tone.at);
    source.stop(tone.at + tone.duration);
  }

  /** Noise around a pitch, as of small stones. */
  private scrape(
    context: AudioContext,
    noise: { at: number; loud: number; pitch: number; duration: number },
  ) {
    const source = context.createBufferSource();
    source.buffer = this.gravel ??= createGravelNoise(context);
    const around = context.createBiquadFilter();
    around.type = "bandpass";
    around.frequency.value = noise.pitch;
    source.connect(around).connect(fadingGain(context, noise));
    source.start(noise.at);
    source.stop(noise.at + noise.duration);
  }
}

/** A gain that rises at once and then fades. */
function fadingGain(
  context: AudioContext,
  { at, loud, duration }: { at: number; loud: number; duration: number },
): GainNode {
  const gain = context.createGain();
  gain.gain.setValueAtTime(0.0001, at);
  gain.gain.exponentialRampToValueAtTime(loud, at + 0.004);
  gain.gain.exponentialRampToValueAtTime(0.0001, at + duration);
  gain.connect(context.destination);
  return gain;
}

function createGravelNoise(context: AudioContext): AudioBuffer {
  const buffer = context.createBuffer(1, Math.ceil(context.sampleRate * GRAVEL_SECONDS), context.sampleRate);
  const samples = buffer.getChannelData(0);
  for (let index = 0; index < samples.length; index++) samples[index] = Math.random() * 2 - 1;
  return buffer;
}
