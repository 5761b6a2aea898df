import { readRecord, readText } from '#lib/read.ts';

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
export function readPopupMessage(data: unknown): PopupMessage | null {
  const message = readRecord(data);
  if (message.type === 'who') return { type: 'who' };
  const type = WITH_ROUTE.find((known) => known === message.type);
  const route = readText(message.route);
  return type && route !== null ? { type, route } : null;
}

/** The part of a popup's window that is used. */
export type Handle = Pick<Window, 'closed' | 'focus' | 'close'>;

/** One open popup: its window, when this window opened it, else how many questions it left unanswered. */
type Entry = { handle: Handle | null; unanswered: number };

/** Polls without an answer after which a popup without a handle (opened before a reload) counts as closed. */
const UNANSWERED_LIMIT = 4;

export type PopupBook = {
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
