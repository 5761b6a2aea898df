import { isRecord } from '#lib/json.ts';
import { readBoolean } from '#lib/read.ts';
import { createUserChoices } from '#web/shared/userChoices.ts';

/** Whether the browser shows notifications of this page: `default` until the user was asked. */
export type DesktopState = 'unsupported' | 'default' | 'granted' | 'denied';

/** The browser's answer as it stands. It may change outside of the page at any time. */
export function desktopState(): DesktopState {
  // Browsers offer them on secure addresses only: https, or this machine.
  if (typeof Notification === 'undefined' || !window.isSecureContext) return 'unsupported';
  return Notification.permission;
}

/** Asks the user. Browsers ask only in answer to a click. */
export async function askForDesktop(): Promise<DesktopState> {
  if (desktopState() !== 'default') return desktopState();
  await Notification.requestPermission();
  return desktopState();
}

type DesktopNotice = {
  title: string;
  body: string;
  /** A newer notice with the same tag takes the place of the older. */
  tag: string;
  /** Does not sound by itself. */
  silent: boolean;
  onClick(): void;
};

/** Shows a notification. @returns whether the browser took it */
export function showDesktopNotice({ title, body, tag, silent, onClick }: DesktopNotice): boolean {
  if (desktopState() !== 'granted') return false;
  try {
    const notice = new Notification(title, { body, tag, silent, icon: '/icon.svg' });
    notice.onclick = () => {
      window.focus();
      notice.close();
      onClick();
    };
    return true;
  } catch {
    return false; // Browsers of phones let only installed applications show them.
  }
}

/** How an alert makes itself known in this browser, besides on the page. */
export type AlertPreferences = {
  sound: boolean;
  desktop: boolean;
  /** The sound was offered once already. */
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

/** What the signed-in user chose, changed and followed over the windows of this browser. */
export const {
  chosen: alertPreferences,
  choose: preferAlerts,
  follow: followAlertPreferences,
} = createUserChoices<AlertPreferences>('alertPreferences', {
  accept,
  defaults: { sound: false, desktop: false },
  forGuests: false,
});
