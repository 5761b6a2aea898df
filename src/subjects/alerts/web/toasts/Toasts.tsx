import './Toasts.css';
import BellIcon from 'lucide-react/icons/bell-ring';
import XIcon from 'lucide-react/icons/x';
import { type KeyboardEvent, type RefObject, useEffect, useRef, useState } from 'react';
import type { AlertTrigger } from '../shared/alertStream.ts';
import { WATCHLIST_PATH } from '../../../../../web/router/routes.ts';
import { Button, IconButton } from '../../../../../web/ui/Button.tsx';
import { focusNeighbour } from '../../../../../web/ui/focusNeighbour.ts';
import { useWidthQuery } from '../../../../../web/ui/useWidthQuery.ts';
import {
  onDismissed,
  tellDismissed,
  dropToast,
  dropToasts,
  moreToasts,
  passToastTime,
  toasts,
} from './toasts.ts';
import { showAlert } from '../shared/showAlert.ts';
import { ToastActions } from './ToastActions.tsx';

/** What fired, in a few words: 'BHP: Breakout', 'BHP', 'Alert'. */
export const triggerTitle = ({ symbol, name }: AlertTrigger): string =>
  [symbol, name].filter((part) => part !== null).join(': ') || 'Alert';

/** What a screen reader is told. */
export const triggerSentence = (trigger: AlertTrigger): string =>
  `Alert fired. ${triggerTitle(trigger)}. ${triggerValues(trigger) ?? ''}`.trim();

/** The values that it saw, without the symbol, which stands before them already. */
export function triggerValues({ symbol, text }: AlertTrigger): string | null {
  return symbol !== null && text?.startsWith(`${symbol} `) ? text.slice(symbol.length + 1) : text;
}

/** As many as leave room on a phone. */
const MAX_ON_PHONE = 2;
const CLOCK_MS = 1000;

/** The alerts that fired, in a corner of whatever screen is shown; F6 leads there and back. */
export function Toasts() {
  useEffect(() => onDismissed((key) => (key === null ? dropToasts() : dropToast(key))), []);
  return toasts.value.length > 0 && <Region />;
}

/** The toasts, and what had the focus before F6 led into them. */
type Places = { region: RefObject<HTMLElement | null>; cameFrom: RefObject<HTMLElement | null> };

function Region() {
  const region = useRef<HTMLElement>(null);
  const cameFrom = useRef<HTMLElement>(null);
  const places: Places = { region, cameFrom };
  // Pointed at, or with the focus in it.
  const [isHeld, setHeld] = useState(false);
  const isPhone = useWidthQuery('phone');
  useToastClock(!isHeld);
  useFocusKey(places);
  const all = toasts.value;
  const shown = isPhone ? all.slice(0, MAX_ON_PHONE) : all;
  const more = moreToasts.value + all.length - shown.length;
  return (
    <section
      ref={region}
      className="toasts stack"
      aria-label="Alerts that fired"
      onPointerEnter={() => setHeld(true)}
      onPointerLeave={() => setHeld(false)}
      onFocus={() => setHeld(true)}
      onBlur={() => setHeld(false)}
      onKeyDown={(event) => dismissByKey(event, places)}
    >
      <ul className="stack">
        {shown.map((trigger) => (
          <Toast key={trigger.key} trigger={trigger} onDismiss={() => dismiss(trigger.key, places)} />
        ))}
      </ul>
      {(more > 0 || all.length > 1) && <Foot more={more} />}
    </section>
  );
}

type ToastProps = { trigger: AlertTrigger; onDismiss(): void };

function Toast({ trigger, onDismiss }: ToastProps) {
  const { key, name, deactivated } = trigger;
  const values = triggerValues(trigger);
  return (
    <li className="toast" data-toast={key}>
      <BellIcon size={16} aria-hidden />
      <p className="toast-title">
        <ToastLink trigger={trigger} onDismiss={onDismiss} />
        {name !== null && <span className="toast-name">{name}</span>}
      </p>
      <IconButton label={`Dismiss ${triggerTitle(trigger)}`} onClick={onDismiss}>
        <XIcon size={16} aria-hidden />
      </IconButton>
      {values !== null && <p className="toast-text">{values}</p>}
      {deactivated && <p className="toast-note">It fired once and is off now.</p>}
      <ToastActions trigger={trigger} />
    </li>
  );
}

/** Leads to the alert of one stock, else to the watchlist. It goes with that: it would lie over what it led to. */
function ToastLink({ trigger: { of, alertId, symbol }, onDismiss }: ToastProps) {
  if (of === 'scan' || symbol === null) {
    return (
      <a
        className={symbol === null ? undefined : 'toast-symbol'}
        href={`#${WATCHLIST_PATH}`}
        title={of === 'scan' ? 'Show the alerts on scans' : undefined}
        onClick={onDismiss}
      >
        {symbol ?? 'Alert fired'}
      </a>
    );
  }
  return (
    <a
      className="toast-symbol"
      href={`#${WATCHLIST_PATH}`}
      title={`Show ${symbol} in the watchlist`}
      onClick={(event) => {
        event.preventDefault();
        showAlert(symbol, alertId);
        onDismiss();
      }}
    >
      {symbol}
    </a>
  );
}

function Foot({ more }: { more: number }) {
  const dismissAll = () => {
    dropToasts();
    tellDismissed(null);
  };
  return (
    <div className="toasts-foot">
      {more > 0 && (
        <a href={`#${WATCHLIST_PATH}`}>
          {more} more {more === 1 ? 'alert' : 'alerts'}
        </a>
      )}
      <Button variant="quiet" onClick={dismissAll}>
        Dismiss all
      </Button>
    </div>
  );
}

/** Lets their time pass while they can be seen. */
function useToastClock(isRunning: boolean): void {
  useEffect(() => {
    if (!isRunning) return;
    const timer = setInterval(() => {
      if (!document.hidden) passToastTime(CLOCK_MS);
    }, CLOCK_MS);
    return () => clearInterval(timer);
  }, [isRunning]);
}

const linksIn = (region: HTMLElement): NodeListOf<HTMLElement> => region.querySelectorAll('.toast a');

/** F6 goes to the newest toast, and from the toasts back to where the focus was. */
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
  // A dialog below it would close too.
  event.stopPropagation();
  dismiss(toast.dataset.toast, places);
}

/**
 * Here and in the other windows; the focus of a keyboard goes to the toast that takes its place, and from the last to
 * where it came from.
 */
function dismiss(key: string, { region, cameFrom }: Places): void {
  const toast = document.querySelector(':focus-visible')?.closest('[data-toast]') ?? null;
  const index = [...(region.current?.querySelectorAll('[data-toast]') ?? [])].findIndex(
    (one) => one === toast,
  );
  const before = cameFrom.current;
  dropToast(key);
  tellDismissed(key);
  if (index < 0) return;
  // After the toast has gone from the page.
  setTimeout(() => {
    const fallback = before?.isConnected ? before : document.getElementById('main');
    if (region.current) focusNeighbour(linksIn(region.current), index, fallback);
    else fallback?.focus();
  }, 0);
}
