/** What windows of one browser tell each other about popups. */
export type PopupMessage =
  /** A main window asks which popups there are. */
  | { type: 'who' }
  /** A popup shows this route. */
  | { type: 'here'; route: string }
  /** A popup no longer shows this route. */
  | { type: 'gone'; route: string }
  | { type: 'focus' | 'close'; route: string };

export type Handle = Pick<Window, 'closed' | 'focus' | 'close'>;
type Entry = { handle: Handle | null; unanswered: number };

/** Polls without an answer after which a popup without a handle (opened before a reload) counts as closed. */
const UNANSWERED_LIMIT = 4;

/**
 * The main window's book of open popups. A popup opened by this window is watched by its handle; one opened
 * before a reload or by another window is asked for at each poll.
 */
export function createPopupBook(
  say: (message: PopupMessage) => void,
  changed: (open: ReadonlySet<string>) => void,
) {
  const entries = new Map<string, Entry>();
  const tell = () => changed(new Set(entries.keys()));

  const closed = (route: string) => {
    if (entries.delete(route)) tell();
  };
  const heardOf = (route: string) => {
    const entry = entries.get(route);
    if (entry) {
      entry.unanswered = 0;
      return;
    }
    entries.set(route, { handle: null, unanswered: 0 });
    tell();
  };
  return {
    opened: (route: string, handle: Handle) => {
      entries.set(route, { handle, unanswered: 0 });
      tell();
    },
    closed,
    handle: (route: string): Handle | null => entries.get(route)?.handle ?? null,
    hear: (message: PopupMessage) => {
      if (message.type === 'here') heardOf(message.route);
      // A reload says 'gone' too; a handle that is still open outlives it until the poll sees it closed.
      if (message.type === 'gone' && !entries.get(message.route)?.handle) closed(message.route);
    },
    poll: () => {
      let asked = false;
      for (const [route, entry] of [...entries]) {
        if (entry.handle) {
          if (entry.handle.closed) closed(route);
          continue;
        }
        if (entry.unanswered >= UNANSWERED_LIMIT) closed(route);
        else {
          entry.unanswered += 1;
          asked = true;
        }
      }
      if (asked) say({ type: 'who' });
    },
  };
}
