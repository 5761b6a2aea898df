import './NotificationsPanel.css';
import { useEffect, useState } from 'react';
import {
  alertPreferences,
  followAlertPreferences,
  preferAlerts,
  type AlertPreferences,
  askForDesktop,
  type DesktopState,
  desktopState,
  showDesktopNotice,
} from '#subjects/alerts/web/shared/alertPreferences.ts';
import { playAlertSound } from '#subjects/alerts/web/shared/toastSound.ts';
import { Button } from '#ui/Button.tsx';
import { RadioGroup } from '#ui/RadioGroup.tsx';

const notify = (silent: boolean): boolean =>
  showDesktopNotice({
    title: 'Bellbird test',
    body: 'This is what an alert looks like here.',
    tag: 'bellbird-test',
    silent,
    onClick: () => undefined,
  });

/** Does once what an alert would do. @returns a sentence saying what came of it */
async function testAlert({ sound, desktop }: AlertPreferences): Promise<string> {
  const isShown = desktop && notify(sound);
  const isHeard = sound && (await playAlertSound());
  const problems = [
    desktop && !isShown ? 'This browser blocked the notification.' : '',
    sound && !isHeard ? 'This browser blocked the sound.' : '',
  ].filter((problem) => problem !== '');
  const done = [isShown ? 'a notification was sent' : '', isHeard ? 'the sound was played' : ''].filter(
    (part) => part !== '',
  );
  const sent = done.length === 0 ? [] : [`Done: ${done.join(' and ')}.`];
  const hint = isShown ? ['If you see none, check your system’s settings for this browser.'] : [];
  return [...sent, ...problems, ...hint].join(' ');
}

type OnOff = 'on' | 'off';

const ON_OFF: readonly { id: OnOff; label: string }[] = [
  { id: 'off', label: 'Off' },
  { id: 'on', label: 'On' },
];

/** Why the browser shows no notifications, and what to do; null when it does or was not asked. */
const REFUSALS: Readonly<Record<DesktopState, string | null>> = {
  granted: null,
  default: null,
  denied:
    'This browser blocks notifications from this page. Allow them in its settings for this site (the icon left of the address), then switch them on here.',
  unsupported:
    'Notifications don’t work here: they need a secure (https) address and, on some phones, an installed app.',
};

/** What the user chose of sound and notifications, and what came of choosing or testing it. */
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
    if (now === 'default') setResult('You did not answer the browser, so notifications stay off.');
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

/** How an alert makes itself known in this browser. */
export function NotificationsPanel() {
  const { sound, isDesktopOn, state, result, chooseDesktop, chooseSound, test } = useNotifications();
  return (
    <section className="panel" aria-labelledby="notifications-panel">
      <h2 id="notifications-panel">Notifications</h2>
      <p className="muted">
        What this browser does when an alert fires, besides showing it on the page. With several windows open,
        only one does it. Browsers play no sound until you click or type in the page.
      </p>
      <RadioGroup label="Sound" value={sound ? 'on' : 'off'} options={ON_OFF} onChoose={chooseSound} />
      <RadioGroup
        label="Desktop notifications"
        value={isDesktopOn ? 'on' : 'off'}
        options={ON_OFF}
        onChoose={(choice) => void chooseDesktop(choice)}
      />
      {REFUSALS[state] && <p className="muted">{REFUSALS[state]}</p>}
      <div className="notifications-test">
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

/** The user may answer the browser outside of the page. */
function useBrowserState(changed: (state: DesktopState) => void): void {
  useEffect(() => {
    const look = () => changed(desktopState());
    window.addEventListener('focus', look);
    return () => window.removeEventListener('focus', look);
  }, [changed]);
}
