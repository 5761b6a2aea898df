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
import { triggerTitle, triggerValues, triggerSentence } from './triggerWords.ts';
import { createRowMarks } from '#web/shared/rowMarks.ts';
import type { Scheduler } from '#lib/scheduler.ts';

/** Between two announcements, ms: at the open twenty alerts fire in one second. */
export const ANNOUNCE_EVERY_MS = 10_000;

const sentenceOf = (triggers: readonly AlertTrigger[], newest: AlertTrigger): string =>
  triggers.length === 1
    ? triggerSentence(newest)
    : `${triggers.length} alerts fired. The newest: ${triggerTitle(newest)}.`;

/**
 * What a screen reader says of alerts that fire: the first at once, those that follow within ten seconds in one sentence.
 * @param say takes the sentence; '' for nothing
 */
export function createAnnouncements(say: (sentence: string) => void, schedule: Scheduler) {
  let waiting: AlertTrigger[] = [];
  let cancel: (() => void) | null = null;
  function announce(): void {
    const newest = waiting.at(-1);
    cancel = newest ? schedule(ANNOUNCE_EVERY_MS, announce) : null;
    if (newest) say(sentenceOf(waiting, newest));
    waiting = [];
  }
  return {
    add(trigger: AlertTrigger): void {
      waiting.push(trigger);
      if (cancel === null) announce();
    },
    clear(): void {
      cancel?.();
      cancel = null;
      waiting = [];
      say('');
    },
  };
}

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
