import { effect, type ReadonlySignal, signal } from '@preact/signals-react';
import { readRecord, readText } from '#lib/read.ts';
import { route } from '../router/router.ts';
import { CHART_PATH } from '../router/routes.ts';

/** What windows of one browser tell each other about popups. */
export type PopupMessage =
  /** A main window asks which popups there are. */
  | { type: 'who' }
  /** A popup shows this route. */
  | { type: 'here'; route: string }
  /** A popup no longer shows this route. */
  | { type: 'gone'; route: string }
  /** A main window wants the popup of this route in front, or closed. */
  | { type: 'focus' | 'close'; route: string };

const WITH_ROUTE = ['here', 'gone', 'focus', 'close'] as const;

/** What another window said; null for what a window of another version may say that this one does not know. */
function readPopupMessage(data: unknown): PopupMessage | null {
  const message = readRecord(data);
  if (message.type === 'who') return { type: 'who' };
  const type = WITH_ROUTE.find((known) => known === message.type);
  const route = readText(message.route);
  return type && route !== null ? { type, route } : null;
}

/** The part of a popup's window that is used. */
type Handle = Pick<Window, 'closed' | 'focus' | 'close'>;

/** One open popup: its window, when this window opened it, else how many questions it left unanswered. */
type Entry = { handle: Handle | null; unanswered: number };

/** Polls without an answer after which a popup without a handle (opened before a reload) counts as closed. */
const UNANSWERED_LIMIT = 4;

type PopupBook = {
  /** This window has opened a popup. */
  opened(route: string, handle: Handle): void;
  closed(route: string): void;
  /** The window of a popup that this window opened; null for another's. */
  handle(route: string): Handle | null;
  /** Takes what another window said. */
  hear(message: PopupMessage): void;
  /** Finds out which popups are gone. */
  poll(): void;
};

/**
 * The main window's book of open popups. A popup opened by this window is watched by its handle; one opened
 * before a reload or by another window is asked for at each poll.
 * @param changed gets the routes of all open popups whenever they change
 */
export function createPopupBook(
  say: (message: PopupMessage) => void,
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
      // A reload says 'gone' too; a handle that is still open outlives it until the poll sees it closed.
      if (message.type === 'gone' && !entries.get(message.route)?.handle) closed(message.route);
    },
    poll: () => {
      for (const [route, entry] of [...entries]) if (isGone(entry)) closed(route);
      if ([...entries.values()].some(({ unanswered }) => unanswered > 0)) say({ type: 'who' });
    },
  };
}

/** Whether a popup is gone; of one without a handle it is counted that it is asked once more. */
function isGone(entry: Entry): boolean {
  if (entry.handle) return entry.handle.closed;
  if (entry.unanswered >= UNANSWERED_LIMIT) return true;
  entry.unanswered += 1;
  return false;
}

const CHANNEL = 'bellbird-popups';
const FEATURES = 'popup=yes,width=1400,height=900';
/** Spec section 9. */
const POLL_MS = 500;

/** True in a window that another window opened: it shows one screen and no header. */
export const isPopup: boolean = window.opener !== null && window.opener !== window;

const state = signal<ReadonlySet<string>>(new Set<string>());

/** Routes that are shown in a window of their own, whichever window opened it; always empty inside a popup. */
export const poppedOut: ReadonlySignal<ReadonlySet<string>> = state;

const channel = typeof BroadcastChannel === 'undefined' ? null : new BroadcastChannel(CHANNEL);
const say = (message: PopupMessage) => channel?.postMessage(message);

/** Takes what other windows say. Returns the stop function. */
function listenTo(take: (message: PopupMessage) => void): () => void {
  const listen = ({ data }: MessageEvent<unknown>) => {
    const message = readPopupMessage(data);
    if (message) take(message);
  };
  channel?.addEventListener('message', listen);
  return () => channel?.removeEventListener('message', listen);
}

const book = createPopupBook(say, (open) => {
  state.value = open;
});

const nameOf = (popupRoute: string) => `bellbird:${popupRoute}`;

/** The window of a route that is known to be open; after a reload the browser still finds it by its name. */
function windowOf(popupRoute: string): Handle | null {
  return (
    book.handle(popupRoute) ?? (state.peek().has(popupRoute) ? window.open('', nameOf(popupRoute)) : null)
  );
}

/**
 * Opens a route in its own window (1400 × 900, no browser controls), or brings the open one to the front.
 * @returns false when the browser blocked the window
 */
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

/** Brings a route's window to the front. */
export function focusPopup(popupRoute: string): void {
  windowOf(popupRoute)?.focus();
  say({ type: 'focus', route: popupRoute });
}

/** Closes a route's window; the main window shows it again. */
export function closePopup(popupRoute: string): void {
  windowOf(popupRoute)?.close();
  say({ type: 'close', route: popupRoute });
  book.closed(popupRoute);
}

/** Lets windows know of each other: popups say what they show, the others keep the book. Returns the stop function. */
export function startPopups(): () => void {
  return isPopup ? startPopupSide() : startMainSide();
}

function startMainSide(): () => void {
  const stopListening = listenTo(book.hear);
  say({ type: 'who' });
  const timer = setInterval(book.poll, POLL_MS);
  return () => {
    stopListening();
    clearInterval(timer);
  };
}

function startPopupSide(): () => void {
  let shown: string | null = null;
  const stopListening = listenTo((message) => {
    if (message.type === 'who' && shown) say({ type: 'here', route: shown });
    if (message.type === 'focus' && message.route === shown) window.focus();
    if (message.type === 'close' && message.route === shown) window.close();
  });
  const leave = () => {
    if (shown) say({ type: 'gone', route: shown });
  };
  window.addEventListener('pagehide', leave);
  const stop = effect(function tellWhatIsShown() {
    const path = route.value?.path ?? null;
    // No window stands for a chart: there may be any number of them.
    const next = path === CHART_PATH ? null : path;
    if (next === shown) return;
    leave();
    shown = next;
    if (shown) say({ type: 'here', route: shown });
  });
  return () => {
    stopListening();
    window.removeEventListener('pagehide', leave);
    stop();
  };
}
