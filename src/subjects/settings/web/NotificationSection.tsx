import { useEffect, useState } from 'react';
import { BriefPanel } from '#subjects/brief/web/shared/BriefPanel.tsx';
import { DevicesPanel } from '#subjects/devices/web/shared/DevicesPanel.tsx';
import { QuietHoursPanel } from '#subjects/quietHours/web/shared/QuietHoursPanel.tsx';
import {
  alertPreferences,
  followAlertPreferences,
  preferAlerts,
  type AlertPreferences,
  askForDesktop,
  type DesktopState,
  desktopState,
  showDesktopNotification,
  playAlertSound,
} from '#subjects/alerts/web/shared/alertPreferences.ts';
import { Button } from '#ui/Button.tsx';
import { RadioGroup } from '#ui/Field.tsx';
import { setUps } from '#web/shared/settings.ts';

const notify = (silent: boolean): boolean =>
  showDesktopNotification({
    title: 'Bellbird test',
    body: 'This is what an alert looks like here.',
    tag: 'bellbird-test',
    silent,
    onClick: () => undefined,
  });

/** Plays and shows what an alert would, once. @returns the result in words */
async function testAlert({ sound, desktop }: AlertPreferences): Promise<string> {
  const isShown = desktop && notify(sound);
  const isReceived = sound && (await playAlertSound());
  const problems = [
    desktop && !isShown ? 'This browser blocked the notification.' : '',
    sound && !isReceived ? 'This browser blocked the sound.' : '',
  ].filter((problem) => problem !== '');
  const done = [isShown ? 'a notification was sent' : '', isReceived ? 'the sound was played' : ''].filter(
    (part) => part !== '',
  );
  const sent = done.length === 0 ? [] : [`Done: ${done.join(' and ')}.`];
  const hint = isShown ? ['If you don’t see it, check your system’s settings for this browser.'] : [];
  return [...sent, ...problems, ...hint].join(' ');
}

type OnOff = 'on' | 'off';

const ON_OFF: readonly { id: OnOff; label: string }[] = [
  { id: 'off', label: 'Off' },
  { id: 'on', label: 'On' },
];

/** Why the browser shows no notifications; null if it does, or has not asked yet. */
const REFUSALS: Readonly<Record<DesktopState, string | null>> = {
  granted: null,
  default: null,
  denied:
    'This browser blocks notifications from this page. Allow them in its settings for this site (the icon left of the address), then switch them on here.',
  unsupported: 'Notifications need an https address and, on some phones, the installed app.',
};

function useNotifications() {
  const { sound, desktop } = alertPreferences.value;
  const [state, setState] = useState(desktopState);
  const [result, setResult] = useState<string | null>(null);
  useEffect(followAlertPreferences, []);
  useBrowserState(setState);

  const chooseDesktop = async (choice: OnOff) => {
    setResult(null);
    if (choice === 'off') return preferAlerts({ desktop: false });
    const now = await askForDesktop();
    setState(now);
    preferAlerts({ desktop: now === 'granted' });
    if (now === 'default') setResult('You did not answer the browser’s question, so notifications stay off.');
  };
  const chooseSound = (choice: OnOff) => {
    setResult(null);
    preferAlerts({ sound: choice === 'on' });
    if (choice === 'on') void playAlertSound();
  };
  const isDesktopOn = desktop && state === 'granted';
  const test = async () => setResult(await testAlert({ sound, desktop: isDesktopOn }));
  return { sound, isDesktopOn, state, result, chooseDesktop, chooseSound, test };
}

export function NotificationsPanel() {
  const { sound, isDesktopOn, state, result, chooseDesktop, chooseSound, test } = useNotifications();
  return (
    <section className="panel" aria-labelledby="notifications-panel">
      <h2 id="notifications-panel">Notifications</h2>
      <p className="muted">
        What this browser does when an alert fires, in addition to showing it. With several windows open, only
        one does it. Browsers play no sound until you click or type in the page.
      </p>
      <RadioGroup label="Sound" value={sound ? 'on' : 'off'} options={ON_OFF} onChoose={chooseSound} />
      <RadioGroup
        label="Desktop notifications"
        value={isDesktopOn ? 'on' : 'off'}
        options={ON_OFF}
        onChoose={(choice) => void chooseDesktop(choice)}
      />
      {REFUSALS[state] && <p className="muted">{REFUSALS[state]}</p>}
      <div className="row gap-3">
        <Button disabled={!sound && !isDesktopOn} onClick={() => void test()}>
          Test
        </Button>
        <p className="muted" role="status">
          {result ?? (!sound && !isDesktopOn ? 'Switch one on to test it.' : '')}
        </p>
      </div>
    </section>
  );
}

/** Calls back with the permission on focus, because it may change outside the page. */
function useBrowserState(changed: (state: DesktopState) => void): void {
  useEffect(() => {
    const check = () => changed(desktopState());
    window.addEventListener('focus', check);
    return () => window.removeEventListener('focus', check);
  }, [changed]);
}

/** Where and when alerts are sent. */
export const NotificationSection = () => (
  <>
    <DevicesPanel key={`devices ${setUps.value}`} />
    <BriefPanel key={`brief ${setUps.value}`} />
    <QuietHoursPanel key={`quiet ${setUps.value}`} />
    <NotificationsPanel />
  </>
);
