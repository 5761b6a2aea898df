import { signal } from '@preact/signals-react';
import { useEffect, type KeyboardEvent, type RefObject, useRef, useState } from 'react';
import { alertPreferences, showDesktopNotification, playAlertSound } from '../shared/alertPreferences.ts';
import type { AlertTrigger } from '../shared/alertStream.ts';
import { startNewsMarks } from '#subjects/announcements/web/shared/newsMarks.ts';
import { followDevice } from '#subjects/devices/web/shared/devices.ts';
import { isPopup } from '#web/windows/popup.ts';
import { navigate } from '#web/router/navigate.ts';
import { WATCHLIST_PATH } from '#web/router/routes.ts';
import { serveShowAlert, showAlert } from '../shared/showAlert.ts';
import { type AlertSigns, startAlerts } from './startAlerts.ts';
import {
  addToast,
  clearList,
  showList,
  triggerTitle,
  triggerValues,
  triggerSentence,
  onDismissed,
  showDismissed,
  dropToast,
  dropToasts,
  isListOpen,
  MAX_LINES,
  passToastTime,
  toasts,
  ToastLine,
} from './toastLines.tsx';
import { createRowMarks } from '#web/shared/rowMarks.ts';
import type { Scheduler } from '#lib/scheduler.ts';
import { Button } from '#ui/Button.tsx';
import { focusNeighbour } from '#ui/focusNeighbour.ts';
import { late } from '#web/shared/lateStyles.ts';

const ToastList = late(() => import('./ToastList.tsx').then((code) => code.ToastList));

const CLOCK_MS = 1000;

/** Shows toasts, or their list. F6 moves the focus to the toasts and back. */
function Toasts() {
  useEffect(() => onDismissed((key) => (key === null ? dropToasts() : dropToast(key))), []);
  if (isListOpen.value) {
    return <ToastList />;
  }
  return toasts.value.length > 0 && <Region />;
}

type Places = { region: RefObject<HTMLElement | null>; cameFrom: RefObject<HTMLElement | null> };

function Region() {
  const region = useRef<HTMLElement>(null);
  const cameFrom = useRef<HTMLElement>(null);
  const places: Places = { region, cameFrom };
  const [isHeld, setHeld] = useState(false);
  useToastClock(!isHeld, region);
  useFocusKey(places);
  useInset(region);
  const all = toasts.value;
  return (
    <section
      ref={region}
      className="toasts"
      aria-label="Alerts that fired"
      onPointerEnter={() => setHeld(true)}
      onPointerLeave={() => setHeld(false)}
      onFocus={() => setHeld(true)}
      onBlur={() => setHeld(false)}
      onKeyDown={(event) => dismissByKey(event, places)}
    >
      <ul>
        {all.slice(0, MAX_LINES).map((trigger) => (
          <ToastLine
            key={trigger.key}
            trigger={trigger}
            onFollow={() => dismiss(trigger.key, places)}
            onDismiss={() => dismiss(trigger.key, places)}
          />
        ))}
      </ul>
      {all.length > 1 && <Foot more={all.length - MAX_LINES} />}
    </section>
  );
}

function Foot({ more }: { more: number }) {
  const dismissAll = () => {
    dropToasts();
    showDismissed(null);
  };
  return (
    <div className="toasts-foot cluster justify-end">
      {more > 0 && (
        <Button variant="quiet" onClick={() => showList(true)}>
          {more} more
        </Button>
      )}
      <Button variant="quiet" onClick={dismissAll}>
        Dismiss all
      </Button>
    </div>
  );
}

/** Publishes the height of the toasts, so that dialogs end above them. */
function useInset(region: RefObject<HTMLElement | null>): void {
  useEffect(() => {
    const root = document.documentElement;
    const measure = () => {
      const top = region.current?.getBoundingClientRect().top ?? window.innerHeight;
      root.style.setProperty('--toasts-inset', `${window.innerHeight - top}px`);
    };
    const observer = new ResizeObserver(measure);
    if (region.current) observer.observe(region.current);
    window.addEventListener('resize', measure);
    measure();
    return () => {
      observer.disconnect();
      window.removeEventListener('resize', measure);
      root.style.removeProperty('--toasts-inset');
    };
  }, [region]);
}

/** Counts down while the toasts are visible and none is expanded. */
function useToastClock(isRunning: boolean, region: RefObject<HTMLElement | null>): void {
  useEffect(() => {
    if (!isRunning) return;
    const timer = setInterval(() => {
      const isRead = region.current?.querySelector('.is-open') !== null;
      if (!document.hidden && !isRead) passToastTime(CLOCK_MS);
    }, CLOCK_MS);
    return () => clearInterval(timer);
  }, [isRunning, region]);
}

const linksIn = (region: HTMLElement): NodeListOf<HTMLElement> => region.querySelectorAll('.toast a');

/** F6 focuses the newest toast, or returns to the previous focus. */
function useFocusKey({ region, cameFrom }: Places): void {
  useEffect(() => {
    const press = (event: globalThis.KeyboardEvent) => {
      if (event.key !== 'F6' || event.defaultPrevented || !region.current) return;
      event.preventDefault();
      const focused = document.activeElement;
      if (!region.current.contains(focused)) {
        cameFrom.current = focused instanceof HTMLElement && focused !== document.body ? focused : null;
        linksIn(region.current)[0]?.focus();
      } else if (cameFrom.current?.isConnected) cameFrom.current.focus();
      else if (focused instanceof HTMLElement) focused.blur();
    };
    window.addEventListener('keydown', press);
    return () => window.removeEventListener('keydown', press);
  }, [region, cameFrom]);
}

function dismissByKey(event: KeyboardEvent, places: Places): void {
  const toast = event.target instanceof Element ? event.target.closest<HTMLElement>('[data-toast]') : null;
  if (event.key !== 'Escape' || !toast?.dataset.toast) return;
  event.preventDefault();
  // Stopped here, because Escape would also close a dialog below.
  event.stopPropagation();
  dismiss(toast.dataset.toast, places);
}

/** Dismisses a toast in all windows. Keyboard focus moves to its neighbour, or back to where it came from. */
function dismiss(key: string, { region, cameFrom }: Places): void {
  const toast = document.querySelector(':focus-visible')?.closest('[data-toast]') ?? null;
  const index = [...(region.current?.querySelectorAll('[data-toast]') ?? [])].findIndex(
    (one) => one === toast,
  );
  const before = cameFrom.current;
  dropToast(key);
  showDismissed(key);
  if (index < 0) return;
  setTimeout(() => {
    const fallback = before?.isConnected ? before : document.getElementById('main');
    if (region.current) focusNeighbour(linksIn(region.current), index, fallback);
    else fallback?.focus();
  }, 0);
}

/** Minimum time between announcements: at the open, twenty alerts fire in one second. */
export const ANNOUNCE_EVERY_MS = 10_000;

const sentenceOf = (triggers: readonly AlertTrigger[], newest: AlertTrigger): string =>
  triggers.length === 1
    ? triggerSentence(newest)
    : `${triggers.length} alerts fired. The newest: ${triggerTitle(newest)}.`;

/**
 * Announces alerts to screen readers: the first one immediately, those of the next ten seconds in one sentence.
 * @param show receives the sentence; '' clears it
 */
export function createAnnouncements(show: (sentence: string) => void, schedule: Scheduler) {
  let waiting: AlertTrigger[] = [];
  let cancel: (() => void) | null = null;
  function announce(): void {
    const newest = waiting.at(-1);
    cancel = newest ? schedule(ANNOUNCE_EVERY_MS, announce) : null;
    if (newest) show(sentenceOf(waiting, newest));
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
      show('');
    },
  };
}

const ALERT_MARKED_MS = 60_000;

/** Shows a bell before the code. It is smaller on phones, where the name column is narrow. */
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

/** Triggers within this time make only one sound. */
const SOUND_EVERY_MS = 2000;

const announced = signal('');
const announcements = createAnnouncements(
  (sentence) => {
    announced.value = sentence;
  },
  (ms, run) => {
    const timer = setTimeout(run, ms);
    return () => clearTimeout(timer);
  },
);
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
    // A focused window shows the toast, so it needs no notification.
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
  showDesktopNotification({
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
