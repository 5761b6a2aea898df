import { afterEach, beforeEach, describe, expect, test } from 'bun:test';
import { act, cleanup, render, screen, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { NotificationsPanel } from '../../../../src/subjects/settings/web/notifications/NotificationsPanel.tsx';
import {
  alertPreferences,
  preferAlerts,
  showDesktopNotice,
} from '../../../../src/subjects/alerts/web/shared/alertPreferences.ts';
import { type Audio, playAlertSound } from '../../../../src/subjects/alerts/web/shared/toastSound.ts';
import { endSession, startSession } from '../../../../src/subjects/accounts/web/shared/session/session.ts';
import { tokenOf } from '../../../support/alertWindow.ts';
import { findings } from '../../../support/axe.ts';

type Shown = { title: string; options: NotificationOptions; onclick?: () => void; close(): void };
const shown: Shown[] = [];
let asked = 0;
let answer: NotificationPermission = 'granted';
const real = { Notification: globalThis.Notification, AudioContext: globalThis.AudioContext };

/** The browser's notifications, with the user's answer. */
function giveNotifications(permission: NotificationPermission): void {
  class FakeNotification {
    static permission = permission;
    static async requestPermission() {
      asked += 1;
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
/** The browser's audio: `allowed` false keeps it back, as before the first click. */
function fakeAudio(allowed: boolean) {
  const param = { value: 0, setValueAtTime() {}, linearRampToValueAtTime() {} };
  let state: AudioContextState = 'suspended';
  const audio = {
    get state() {
      return state;
    },
    currentTime: 0,
    destination: {},
    resume: () => {
      if (!allowed) return new Promise<void>(() => undefined);
      state = 'running';
      return Promise.resolve();
    },
    close: async () => {
      state = 'closed';
    },
    createOscillator: () => ({
      frequency: param,
      connect() {},
      start: (at: number) => tones.push(at),
      stop() {},
    }),
    createGain: () => ({ gain: param, connect() {} }),
  };
  return audio as unknown as Audio;
}

beforeEach(() => {
  localStorage.clear();
  [shown.length, asked, answer, tones] = [0, 0, 'granted', []];
  Object.defineProperty(window, 'isSecureContext', { configurable: true, value: true });
  giveNotifications('default');
  Object.assign(globalThis, {
    AudioContext: function FakeAudioContext() {
      return fakeAudio(true);
    },
  });
  startSession({ accessToken: tokenOf(1), accessLevel: 1 });
  preferAlerts({ sound: false, desktop: false, wasOffered: false });
});
afterEach(() => {
  cleanup();
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
  test('has both off at first, asks for nothing, and offers no test', async () => {
    render(<NotificationsPanel />);
    expect([isOn('Sound'), isOn(DESKTOP)]).toEqual([false, false]);
    expect(screen.getByRole<HTMLButtonElement>('button', { name: 'Test' }).disabled).toBe(true);
    expect(asked).toBe(0);
    expect(await findings(document.body)).toEqual([]);
  });

  test('keeps the choice per user, in every window of the browser', async () => {
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

  test('asks the browser when notifications are switched on, and only then', async () => {
    render(<NotificationsPanel />);
    await choose(DESKTOP, 'On');
    expect(asked).toBe(1);
    expect(isOn(DESKTOP)).toBe(true);
    await choose(DESKTOP, 'Off');
    await choose(DESKTOP, 'On');
    expect(asked).toBe(1);
  });

  test('says what to do when the browser refuses, and stays off', async () => {
    answer = 'denied';
    render(<NotificationsPanel />);
    await choose(DESKTOP, 'On');
    expect(screen.getByText(/Allow them in its settings for this site/)).toBeTruthy();
    expect(isOn(DESKTOP)).toBe(false);
    expect(alertPreferences.value.desktop).toBe(false);
  });

  test('says that the question was not answered', async () => {
    answer = 'default';
    render(<NotificationsPanel />);
    await choose(DESKTOP, 'On');
    expect(screen.getByText(/did not answer/)).toBeTruthy();
    expect(isOn(DESKTOP)).toBe(false);
  });

  test('says where there are none', () => {
    Object.defineProperty(window, 'isSecureContext', { configurable: true, value: false });
    render(<NotificationsPanel />);
    expect(screen.getByText(/they need a secure \(https\) address/)).toBeTruthy();
  });

  test('notices what the user told the browser outside of the page', async () => {
    render(<NotificationsPanel />);
    await choose(DESKTOP, 'On');
    giveNotifications('denied');
    act(() => void window.dispatchEvent(new Event('focus')));
    expect(isOn(DESKTOP)).toBe(false);
    expect(screen.getByText(/Allow them in its settings/)).toBeTruthy();
  });

  test('Test does once what is on, and says what came of it', async () => {
    render(<NotificationsPanel />);
    await choose('Sound', 'On');
    await choose(DESKTOP, 'On');
    tones = [];
    await userEvent.click(screen.getByRole('button', { name: 'Test' }));
    await screen.findByText(/^Done: a notification was sent and the sound was played\./);
    expect(tones).toHaveLength(2);
    expect(shown).toMatchObject([{ title: 'Bellbird test', options: { silent: true } }]);
  });

  test('Test says what the browser kept back', async () => {
    Object.assign(globalThis, {
      AudioContext: function FakeAudioContext() {
        return fakeAudio(false);
      },
    });
    render(<NotificationsPanel />);
    await choose('Sound', 'On');
    await userEvent.click(screen.getByRole('button', { name: 'Test' }));
    await screen.findByText('This browser blocked the sound.');
    expect(tones).toEqual([]);
  });
});

describe('the sound', () => {
  test('is not played later when the browser keeps it back, and never throws', async () => {
    expect(await playAlertSound(null, () => fakeAudio(false))).toBe(false);
    expect(tones).toEqual([]);
    const none = (): never => {
      throw new Error('No audio here');
    };
    expect(await playAlertSound(null, none)).toBe(false);
  });
});

describe('a notification', () => {
  const notice = { title: 'T', body: 'B', tag: 't', silent: false, onClick: () => undefined };
  test('is shown only with leave', () => {
    for (const permission of ['default', 'denied'] as const) {
      giveNotifications(permission);
      expect(showDesktopNotice(notice)).toBe(false);
    }
    giveNotifications('granted');
    expect(showDesktopNotice(notice)).toBe(true);
    expect(shown).toHaveLength(1);
  });

  test('that is clicked brings the window to the front and does what it stands for', () => {
    giveNotifications('granted');
    let clicked = 0;
    showDesktopNotice({ ...notice, onClick: () => (clicked += 1) });
    shown[0]?.onclick?.();
    expect(clicked).toBe(1);
  });

  test('that the browser refuses to make is none', () => {
    giveNotifications('granted');
    Object.assign(globalThis, {
      Notification: Object.assign(
        function Illegal() {
          throw new TypeError('Illegal constructor');
        },
        { permission: 'granted' },
      ),
    });
    expect(showDesktopNotice(notice)).toBe(false);
  });
});
