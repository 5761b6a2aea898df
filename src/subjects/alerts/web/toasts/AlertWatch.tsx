import { signal } from '@preact/signals-react';
import { useEffect } from 'react';
import { alertPreferences } from '../shared/alertPreferences.ts';
import { playAlertSound } from '../shared/alertSound.ts';
import type { AlertTrigger } from '../shared/alertStream.ts';
import { showDesktopNotice } from '../shared/desktopNotifications.ts';
import { ALERT_MARKS, ALERT_MARKED_MS } from './alertMarks.ts';
import { startNewsMarks } from '../../../announcements/web/shared/newsMarks.ts';
import { isPopup } from '../../../../../web/popup/popup.ts';
import { navigate } from '../../../../../web/router/navigate.ts';
import { WATCHLIST_PATH } from '../../../../../web/router/routes.ts';
import { serveShowAlert, showAlert } from '../shared/showAlert.ts';
import { type AlertSigns, startAlerts } from './startAlerts.ts';
import { addToast, dropToasts, toasts } from './toasts.ts';
import { Toasts } from './Toasts.tsx';
import { triggerSentence, triggerTitle, triggerValues } from './triggerWords.ts';

/** Of several triggers at once one sounds. */
const SOUND_EVERY_MS = 2000;

const announced = signal('');
let soundedAt = Number.NEGATIVE_INFINITY;

const SIGNS: AlertSigns = {
  show: (trigger) => {
    addToast(trigger);
    if (trigger.symbol !== null) ALERT_MARKS.mark([[trigger.symbol, ALERT_MARKED_MS]]);
    announced.value = triggerSentence(trigger);
  },
  sound: (trigger) => {
    const { sound, desktop } = alertPreferences.peek();
    if (sound && performance.now() - soundedAt >= SOUND_EVERY_MS) {
      soundedAt = performance.now();
      void playAlertSound();
    }
    // Whoever looks at this window sees the toast.
    if (desktop && !document.hasFocus()) notify(trigger, sound);
  },
  clear: () => {
    dropToasts();
    ALERT_MARKS.clear();
    announced.value = '';
  },
};

function notify(trigger: AlertTrigger, silent: boolean): void {
  const { key, of, symbol, alertId } = trigger;
  showDesktopNotice({
    title: triggerTitle(trigger),
    body: triggerValues(trigger) ?? 'Alert fired',
    tag: `bellbird-alert-${key}`,
    silent,
    onClick() {
      if (of === 'stock' && symbol !== null) showAlert(symbol, alertId);
      else if (!isPopup) navigate(WATCHLIST_PATH);
    },
  });
}

/** Watches the signed-in user's alerts and the news, and shows in this window what fires and what comes. */
export function AlertWatch() {
  useEffect(() => {
    const stops = [startAlerts(SIGNS), serveShowAlert(), startNewsMarks()];
    return () => {
      for (const stop of stops) stop();
    };
  }, []);
  return (
    <>
      <p className="visually-hidden" aria-live="assertive" aria-atomic="true">
        {toasts.value.length > 0 && announced.value}
      </p>
      <Toasts />
    </>
  );
}
