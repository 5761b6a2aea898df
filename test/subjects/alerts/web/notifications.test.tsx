import { afterEach, beforeEach, describe, expect, test } from 'bun:test';
import { act, render, screen, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { NotificationsPanel } from '#subjects/settings/web/NotificationSection.tsx';
import {
  alertPreferences,
  preferAlerts,
  showDesktopNotification,
  type Audio,
} from '#subjects/alerts/web/shared/alertPreferences.ts';
import { endSession, startSession } from '#subjects/accounts/web/shared/session/session.ts';
import { tokenOf } from '#support/alertWindow.ts';

type Shown = { title: string; options: NotificationOptions; onclick?: () => void; close(): void };
const shown: Shown[] = [];
let answer: NotificationPermission = 'granted';
const real = { Notification: globalThis.Notification, AudioContext: globalThis.AudioContext };

/** A browser that supports notifications, with the user’s answer. */
function giveNotifications(permission: NotificationPermission): void {
  class FakeNotification {
    static permission = permission;
    static async requestPermission() {
      FakeNotification.permission = answer;
      return answer;
    }
    close() {}
    constructor(title: string, options: NotificationOptions) {
      shown.push(Object.assign(this, { title, options }));
    }
  }
  Object.assign(globalThis, { Notification: FakeNotification });
}

let tones: number[];
/** A browser that can play audio. */
function fakeAudio() {
  const param = { value: 0, setValueAtTime() {}, linearRampToValueAtTime() {} };
  const oscillator = { frequency: param, connect() {}, start: (at: number) => tones.push(at), stop() {} };
  return {
    state: 'running',
    currentTime: 0,
    destination: {},
    resume: async () => {},
    close: async () => {},
    createOscillator: () => oscillator,
    createGain: () => ({ gain: param, connect() {} }),
  } as unknown as Audio;
}

beforeEach(() => {
  [shown.length, answer, tones] = [0, 'granted', []];
  Object.defineProperty(window, 'isSecureContext', { configurable: true, value: true });
  giveNotifications('default');
  Object.assign(globalThis, {
    AudioContext: function FakeAudioContext() {
      return fakeAudio();
    },
  });
  startSession({ accessToken: tokenOf(1), accessLevel: 1 });
  preferAlerts({ sound: false, desktop: false, wasOffered: false });
});
afterEach(() => {
  endSession();
  Object.assign(globalThis, real);
  Reflect.deleteProperty(window, 'isSecureContext');
});

const group = (name: string) => within(screen.getByRole('group', { name }));
const choose = (name: string, choice: 'On' | 'Off') =>
  userEvent.click(group(name).getByRole('radio', { name: choice }));
const isOn = (name: string) => group(name).getByRole<HTMLInputElement>('radio', { name: 'On' }).checked;
const DESKTOP = 'Desktop notifications';

describe('the panel', () => {
  test('keeps the choice per user, in all windows of the browser', async () => {
    render(<NotificationsPanel />);
    await choose('Sound', 'On');
    expect(tones.length).toBeGreaterThan(0);
    expect(alertPreferences.value).toEqual({ sound: true, desktop: false, wasOffered: false });
    act(() => startSession({ accessToken: tokenOf(2), accessLevel: 1 }));
    expect(isOn('Sound')).toBe(false);
    act(() => startSession({ accessToken: tokenOf(1), accessLevel: 1 }));
    expect(isOn('Sound')).toBe(true);
    localStorage.setItem('bellbird.alertPreferences.1', '{"sound":false,"desktop":"x"}');
    act(() => void window.dispatchEvent(new StorageEvent('storage', { key: 'bellbird.alertPreferences.1' })));
    expect(isOn('Sound')).toBe(false);
  });

  test('explains a refusal by the browser, and stays off', async () => {
    answer = 'denied';
    render(<NotificationsPanel />);
    await choose(DESKTOP, 'On');
    expect(screen.getByText(/Allow them in its settings for this site/)).toBeTruthy();
    expect(isOn(DESKTOP)).toBe(false);
    expect(alertPreferences.value.desktop).toBe(false);
  });

  test('Test runs everything that is on, and reports the result', async () => {
    render(<NotificationsPanel />);
    await choose('Sound', 'On');
    await choose(DESKTOP, 'On');
    tones = [];
    await userEvent.click(screen.getByRole('button', { name: 'Test' }));
    await screen.findByText(/^Done: a notification was sent and the sound was played\. If you don’t see it/);
    expect(tones).toHaveLength(2);
    expect(shown).toMatchObject([{ title: 'Bellbird test', options: { silent: true } }]);
  });
});

describe('a notification', () => {
  const notification = { title: 'T', body: 'B', tag: 't', silent: false, onClick: () => undefined };
  test('is shown only with permission', () => {
    for (const permission of ['default', 'denied'] as const) {
      giveNotifications(permission);
      expect(showDesktopNotification(notification)).toBe(false);
    }
    giveNotifications('granted');
    expect(showDesktopNotification(notification)).toBe(true);
    expect(shown).toHaveLength(1);
  });

  test('runs its action when clicked, and brings the window to the front', () => {
    giveNotifications('granted');
    let clicked = 0;
    showDesktopNotification({ ...notification, onClick: () => (clicked += 1) });
    shown[0]?.onclick?.();
    expect(clicked).toBe(1);
  });
});
