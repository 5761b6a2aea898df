/** A bellbird's note: two short tones, Hz. */
const TONES = [1568, 2093];
const TONE_SECONDS = 0.16;
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
 * Plays the alert tone.
 * @returns whether it could be heard: browsers allow sound only in a page that somebody has clicked or typed in
 */
export async function playAlertSound(open: () => Audio = openAudio): Promise<boolean> {
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
  TONES.forEach((frequency, index) => playTone(audio, frequency, index * TONE_SECONDS));
  await wait(TONES.length * TONE_SECONDS * 1000 + 100);
  void audio.close();
  return true;
}

const wait = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

const resumed = (audio: Audio): Promise<void> => audio.resume().catch(() => undefined);

/** Fades in and out, so that it does not click. */
function playTone(audio: Audio, frequency: number, after: number): void {
  const begin = audio.currentTime + after;
  const end = begin + TONE_SECONDS;
  const tone = audio.createOscillator();
  const volume = audio.createGain();
  tone.frequency.value = frequency;
  volume.gain.setValueAtTime(0, begin);
  volume.gain.linearRampToValueAtTime(LOUDNESS, begin + 0.02);
  volume.gain.linearRampToValueAtTime(0, end);
  tone.connect(volume);
  volume.connect(audio.destination);
  tone.start(begin);
  tone.stop(end);
}
