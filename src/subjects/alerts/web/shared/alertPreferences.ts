import { isRecord } from '#lib/json.ts';
import { readBoolean } from '#lib/read.ts';
import { createUserChoices } from '#web/shared/userChoices.ts';
import type { AlertSound } from '#subjects/alerts/answers/options.ts';

export type DesktopState = 'unsupported' | 'default' | 'granted' | 'denied';

/** The browser's permission, which may change at any time outside the page. */
export function desktopState(): DesktopState {
  // Browsers offer notifications only on secure origins: https or this machine.
  if (typeof Notification === 'undefined' || !window.isSecureContext) return 'unsupported';
  return Notification.permission;
}

/** Browsers show the prompt only in response to a click. */
export async function askForDesktop(): Promise<DesktopState> {
  if (desktopState() !== 'default') return desktopState();
  await Notification.requestPermission();
  return desktopState();
}

type DesktopNotification = {
  title: string;
  body: string;
  /** A newer notification replaces one with the same tag. */
  tag: string;
  silent: boolean;
  onClick(): void;
};

/** Shows a notification. Returns false if the browser does not show it. */
export function showDesktopNotification({ title, body, tag, silent, onClick }: DesktopNotification): boolean {
  if (desktopState() !== 'granted') return false;
  try {
    const notification = new Notification(title, { body, tag, silent, icon: '/icon.svg' });
    notification.onclick = () => {
      window.focus();
      notification.close();
      onClick();
    };
    return true;
  } catch {
    return false; // Phone browsers allow this only for installed apps.
  }
}

export type AlertPreferences = {
  sound: boolean;
  desktop: boolean;
  wasOffered?: boolean;
};

function accept(value: unknown): AlertPreferences | null {
  if (!isRecord(value)) return null;
  return {
    sound: readBoolean(value.sound) ?? false,
    desktop: readBoolean(value.desktop) ?? false,
    wasOffered: readBoolean(value.wasOffered) ?? false,
  };
}

/** Stored per user and shared by the windows of this browser. */
export const {
  chosen: alertPreferences,
  choose: preferAlerts,
  follow: followAlertPreferences,
} = createUserChoices<AlertPreferences>('alertPreferences', {
  accept,
  defaults: { sound: false, desktop: false },
  forGuests: false,
});

type Tone = readonly [hertz: number, seconds: number];

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
/** If the browser has not allowed sound within this time (ms), no sound is played: a late one would be confusing. */
const ALLOWED_WITHIN_MS = 400;

/** The used part of AudioContext, so that tests can replace it. */
export type Audio = Pick<
  AudioContext,
  'state' | 'currentTime' | 'destination' | 'resume' | 'close' | 'createOscillator' | 'createGain'
>;

/**
 * @param sound null for the browser's default
 * @returns whether it was audible: browsers allow sound only after a click or key press in the page
 */
export async function playAlertSound(
  sound: AlertSound | null = null,
  open: () => Audio = () => new AudioContext(),
): Promise<boolean> {
  if (sound === 'none') return false;
  let audio: Audio;
  try {
    audio = open();
  } catch {
    return false;
  }
  if (audio.state !== 'running')
    await Promise.race([audio.resume().catch(() => undefined), wait(ALLOWED_WITHIN_MS)]);
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

/** Plays a tone that fades in and out, so that it does not click. */
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
