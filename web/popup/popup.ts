import { effect, type ReadonlySignal, signal } from '@preact/signals-react';
import { createPopupBook, type Handle, type PopupMessage, readPopupMessage } from './popupBook.ts';
import { route } from '../router/router.ts';
import { CHART_PATH } from '../router/routes.ts';

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
