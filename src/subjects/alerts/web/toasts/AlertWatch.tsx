import { signal } from '@preact/signals-react';
import { useEffect } from 'react';
import { alertPreferences, showDesktopNotice } from '../shared/alertPreferences.ts';
import { playAlertSound } from '../shared/toastSound.ts';
import type { AlertTrigger } from '../shared/alertStream.ts';
import { startNewsMarks } from '#subjects/announcements/web/shared/newsMarks.ts';
import { followDevice } from '#subjects/devices/web/shared/followDevice.ts';
import { isPopup } from '#web/popup/popup.ts';
import { navigate } from '#web/router/navigate.ts';
import { WATCHLIST_PATH } from '#web/router/routes.ts';
import { serveShowAlert, showAlert } from '../shared/showAlert.ts';
import { type AlertSigns, startAlerts } from './startAlerts.ts';
import { addToast, clearList, showList } from './toasts.ts';
import { Toasts } from './Toasts.tsx';
import { createAnnouncements } from './announcements.ts';
import { triggerTitle, triggerValues } from './triggerWords.ts';
import { createRowMarks } from '#web/shared/rowMarks.ts';

/** So long the row of a symbol whose alert fired is marked. */
const ALERT_MARKED_MS = 60_000;

/** A bell before the code. A phone's name column has room for a code and the mark of news, so it is smaller there. */
const ALERT_MARKS = createRowMarks({
  at: ' .name-cell-code::before',
  mark: `
    content: '' / 'Alert fired, ';
    display: inline-block;
    width: 12px;
    height: 12px;
    margin-right: 4px;
    vertical-align: -1px;
    background: var(--accent);
    clip-path: path('M6 0a4 4 0 0 1 4 4v3l1.5 2h-11L2 7V4a4 4 0 0 1 4-4zM4.5 10h3a1.5 1.5 0 0 1-3 0z');
  `,
  onPhone: 'scale: 0.75; transform-origin: left; margin-right: -2px;',
});

/** Of several triggers at once one sounds. */
const SOUND_EVERY_MS = 2000;

function later(ms: number, run: () => void): () => void {
  const timer = setTimeout(run, ms);
  return () => clearTimeout(timer);
}

const announced = signal('');
const announcements = createAnnouncements((sentence) => {
  announced.value = sentence;
}, later);
let soundedAt = Number.NEGATIVE_INFINITY;

const SIGNS: AlertSigns = {
  show: (trigger) => {
    addToast(trigger);
    if (trigger.symbol !== null) ALERT_MARKS.mark([[trigger.symbol, ALERT_MARKED_MS]]);
    announcements.add(trigger);
  },
  sound: (trigger) => {
    const { sound, desktop } = alertPreferences.peek();
    const own = trigger.sound ?? null;
    if (sound && own !== 'none' && performance.now() - soundedAt >= SOUND_EVERY_MS) {
      soundedAt = performance.now();
      void playAlertSound(own);
    }
    // Anyone who looks at this window sees the toast.
    if (desktop && !document.hasFocus()) notify(trigger, sound || own === 'none');
  },
  clear: () => {
    showList(false);
    clearList();
    ALERT_MARKS.clear();
    announcements.clear();
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
    const stops = [startAlerts(SIGNS), serveShowAlert(), startNewsMarks(), followDevice()];
    return () => {
      for (const stop of stops) stop();
    };
  }, []);
  return (
    <>
      <p className="visually-hidden alert-announcement" aria-live="polite" aria-atomic="true">
        {announced.value}
      </p>
      <Toasts />
    </>
  );
}
