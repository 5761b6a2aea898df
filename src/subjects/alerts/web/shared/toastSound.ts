import type { AlertSound } from '#subjects/alerts/rules/alert.ts';

/** A tone: Hz, and how long it lasts, seconds. */
type Tone = readonly [hertz: number, seconds: number];

/** A bellbird's note is two short tones. */
const TONES: Readonly<Record<Exclude<AlertSound, 'none'>, readonly Tone[]>> = {
  bell: [
    [1568, 0.16],
    [2093, 0.16],
  ],
  chime: [
    [1319, 0.2],
    [1047, 0.2],
    [784, 0.3],
  ],
  knock: [
    [220, 0.07],
    [220, 0.07],
  ],
  rise: [
    [523, 0.1],
    [659, 0.1],
    [784, 0.1],
    [1047, 0.18],
  ],
  siren: [
    [880, 0.22],
    [660, 0.22],
    [880, 0.22],
    [660, 0.22],
  ],
};
const LOUDNESS = 0.22;
/** A browser that has not let it sound by then does not allow sound yet; played later it would puzzle. */
const ALLOWED_WITHIN_MS = 400;

/** The part of the browser's audio that is used, so that a test can stand in for it. */
export type Audio = Pick<
  AudioContext,
  'state' | 'currentTime' | 'destination' | 'resume' | 'close' | 'createOscillator' | 'createGain'
>;

const openAudio = (): Audio => new AudioContext();

/**
 * Plays the sound of an alert.
 * @param sound null for the usual one
 * @returns whether it could be heard: browsers allow sound only in a page that somebody has clicked or typed in
 */
export async function playAlertSound(
  sound: AlertSound | null = null,
  open: () => Audio = openAudio,
): Promise<boolean> {
  if (sound === 'none') return false;
  let audio: Audio;
  try {
    audio = open();
  } catch {
    return false; // No audio in this browser.
  }
  if (audio.state !== 'running') await Promise.race([resumed(audio), wait(ALLOWED_WITHIN_MS)]);
  if (audio.state !== 'running') {
    void audio.close();
    return false;
  }
  let after = 0;
  for (const tone of TONES[sound ?? 'bell']) {
    playTone(audio, tone, after);
    after += tone[1];
  }
  await wait(after * 1000 + 100);
  void audio.close();
  return true;
}

const wait = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

const resumed = (audio: Audio): Promise<void> => audio.resume().catch(() => undefined);

/** Fades in and out, so that it does not click. */
function playTone(audio: Audio, [hertz, seconds]: Tone, after: number): void {
  const begin = audio.currentTime + after;
  const end = begin + seconds;
  const tone = audio.createOscillator();
  const volume = audio.createGain();
  tone.frequency.value = hertz;
  volume.gain.setValueAtTime(0, begin);
  volume.gain.linearRampToValueAtTime(LOUDNESS, begin + 0.02);
  volume.gain.linearRampToValueAtTime(0, end);
  tone.connect(volume);
  volume.connect(audio.destination);
  tone.start(begin);
  tone.stop(end);
}
