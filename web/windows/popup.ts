import { effect, type ReadonlySignal, signal } from '@preact/signals-react';
import { readRecord, readText } from '#lib/read.ts';
import { route } from '../router/router.ts';
import { CHART_PATH } from '../router/routes.ts';

export type PopupMessage =
  | { type: 'who' }
  | { type: 'here'; route: string }
  /** A popup no longer shows this route. */
  | { type: 'gone'; route: string }
  | { type: 'focus' | 'close'; route: string };

const WITH_ROUTE = ['here', 'gone', 'focus', 'close'] as const;

/** Null for an unknown message, for example of another version. */
function readPopupMessage(data: unknown): PopupMessage | null {
  const message = readRecord(data);
  if (message.type === 'who') return { type: 'who' };
  const type = WITH_ROUTE.find((known) => known === message.type);
  const route = readText(message.route);
  return type && route !== null ? { type, route } : null;
}

type Handle = Pick<Window, 'closed' | 'focus' | 'close'>;

/** An open popup: its window if this window opened it, otherwise the number of unanswered polls. */
type Entry = { handle: Handle | null; unanswered: number };

/** A popup without a handle (opened before a reload) counts as closed after this number of unanswered polls. */
const UNANSWERED_LIMIT = 4;

type PopupBook = {
  opened(route: string, handle: Handle): void;
  closed(route: string): void;
  handle(route: string): Handle | null;
  hear(message: PopupMessage): void;
  poll(): void;
};

/**
 * The main window's list of open popups. It watches popups that it opened by their handle; others are polled.
 * @param changed called with the routes of all open popups
 */
export function createPopupBook(
  send: (message: PopupMessage) => void,
  changed: (open: ReadonlySet<string>) => void,
): PopupBook {
  const entries = new Map<string, Entry>();
  const put = (route: string, handle: Handle | null) => {
    entries.set(route, { handle, unanswered: 0 });
    changed(new Set(entries.keys()));
  };
  const closed = (route: string) => {
    if (entries.delete(route)) changed(new Set(entries.keys()));
  };
  return {
    opened: put,
    closed,
    handle: (route) => entries.get(route)?.handle ?? null,
    hear: (message) => {
      if (message.type === 'here') {
        const entry = entries.get(message.route);
        if (entry) entry.unanswered = 0;
        else put(message.route, null);
      }
      // A reload sends 'gone' too, so a popup with a handle stays until a poll finds it closed.
      if (message.type === 'gone' && !entries.get(message.route)?.handle) closed(message.route);
    },
    poll: () => {
      for (const [route, entry] of [...entries]) if (isGone(entry)) closed(route);
      if ([...entries.values()].some(({ unanswered }) => unanswered > 0)) send({ type: 'who' });
    },
  };
}

/** Counts a poll of a popup without a handle. */
function isGone(entry: Entry): boolean {
  if (entry.handle) return entry.handle.closed;
  if (entry.unanswered >= UNANSWERED_LIMIT) return true;
  entry.unanswered += 1;
  return false;
}

const CHANNEL = 'bellbird-popups';
const FEATURES = 'popup=yes,width=1400,height=900';
/** Poll interval, ms (specification, section 9). */
const POLL_MS = 500;

/** True in a window that was opened by another: one screen without a header. */
export const isPopup: boolean = window.opener !== null && window.opener !== window;

const state = signal<ReadonlySet<string>>(new Set<string>());

/** Routes shown in separate windows; always empty inside a popup. */
export const poppedOut: ReadonlySignal<ReadonlySet<string>> = state;

const channel = typeof BroadcastChannel === 'undefined' ? null : new BroadcastChannel(CHANNEL);
const send = (message: PopupMessage) => channel?.postMessage(message);

function listenTo(receive: (message: PopupMessage) => void): () => void {
  const listen = ({ data }: MessageEvent<unknown>) => {
    const message = readPopupMessage(data);
    if (message) receive(message);
  };
  channel?.addEventListener('message', listen);
  return () => channel?.removeEventListener('message', listen);
}

const book = createPopupBook(send, (open) => {
  state.value = open;
});

const nameOf = (popupRoute: string) => `bellbird:${popupRoute}`;

/** Finds a popup's window. After a reload the browser still finds it by name. */
function windowOf(popupRoute: string): Handle | null {
  return (
    book.handle(popupRoute) ?? (state.peek().has(popupRoute) ? window.open('', nameOf(popupRoute)) : null)
  );
}

/** Opens a popup of 1400 × 900 without browser controls, or focuses it. @returns false if the browser blocked it */
export function openPopup(popupRoute: string): boolean {
  if (state.peek().has(popupRoute)) {
    focusPopup(popupRoute);
    return true;
  }
  const { origin, pathname } = window.location;
  const opened = window.open(`${origin}${pathname}#${popupRoute}`, nameOf(popupRoute), FEATURES);
  if (!opened) return false;
  book.opened(popupRoute, opened);
  opened.focus();
  return true;
}

export function focusPopup(popupRoute: string): void {
  windowOf(popupRoute)?.focus();
  send({ type: 'focus', route: popupRoute });
}

export function closePopup(popupRoute: string): void {
  windowOf(popupRoute)?.close();
  send({ type: 'close', route: popupRoute });
  book.closed(popupRoute);
}

/** Popups announce their route; other windows keep a list of them. Returns the stop function. */
export function startPopups(): () => void {
  return isPopup ? startPopupSide() : startMainSide();
}

function startMainSide(): () => void {
  const stopListening = listenTo(book.hear);
  send({ type: 'who' });
  const timer = setInterval(book.poll, POLL_MS);
  return () => {
    stopListening();
    clearInterval(timer);
  };
}

function startPopupSide(): () => void {
  let shown: string | null = null;
  const stopListening = listenTo((message) => {
    if (message.type === 'who' && shown) send({ type: 'here', route: shown });
    if (message.type === 'focus' && message.route === shown) window.focus();
    if (message.type === 'close' && message.route === shown) window.close();
  });
  const leave = () => {
    if (shown) send({ type: 'gone', route: shown });
  };
  window.addEventListener('pagehide', leave);
  const stop = effect(function reportShown() {
    const path = route.value?.path ?? null;
    // Charts are not listed, because there may be any number of them.
    const next = path === CHART_PATH ? null : path;
    if (next === shown) return;
    leave();
    shown = next;
    if (shown) send({ type: 'here', route: shown });
  });
  return () => {
    stopListening();
    window.removeEventListener('pagehide', leave);
    stop();
  };
}
