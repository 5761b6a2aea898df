import { type KeyboardEvent, lazy, type RefObject, Suspense, useEffect, useRef, useState } from 'react';
import { withStyles } from '#web/shared/lateStyles.ts';
import { Button } from '#ui/Button.tsx';
import { focusNeighbour } from '#ui/focusNeighbour.ts';
import {
  onDismissed,
  tellDismissed,
  dropToast,
  dropToasts,
  isListOpen,
  MAX_LINES,
  passToastTime,
  showList,
  toasts,
} from './toasts.ts';
import { ToastLine } from './ToastLine.tsx';

const ToastList = lazy(() =>
  withStyles(import('./ToastList.tsx')).then((code) => ({ default: code.ToastList })),
);

const CLOCK_MS = 1000;

/** The alerts that fired, below whatever screen is shown; F6 leads there and back. */
export function Toasts() {
  useEffect(() => onDismissed((key) => (key === null ? dropToasts() : dropToast(key))), []);
  if (isListOpen.value) {
    return (
      <Suspense fallback={null}>
        <ToastList />
      </Suspense>
    );
  }
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
    tellDismissed(null);
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

/** Tells dialogs and the like how much of the window's end is taken, so that they end above it. */
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

/** Lets their time pass while they can be seen and none is read in full. */
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
