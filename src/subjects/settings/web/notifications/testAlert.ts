import type { AlertPreferences } from '../../../alerts/web/shared/alertPreferences.ts';
import { playAlertSound } from '../../../alerts/web/shared/alertSound.ts';
import { showDesktopNotice } from '../../../alerts/web/shared/desktopNotifications.ts';

const notify = (silent: boolean): boolean =>
  showDesktopNotice({
    title: 'Bellbird test',
    body: 'This is what an alert looks like here.',
    tag: 'bellbird-test',
    silent,
    onClick: () => undefined,
  });

/** Does once what an alert would do. @returns a sentence saying what came of it */
export async function testAlert({ sound, desktop }: AlertPreferences): Promise<string> {
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
