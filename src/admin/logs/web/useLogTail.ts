import {
  type Dispatch,
  type RefObject,
  type SetStateAction,
  useCallback,
  useEffect,
  useRef,
  useState,
} from 'react';
import { ADMIN_MESSAGES } from '#texts/adminMessages.ts';
import { messageOf } from '#web/api/client.ts';
import { useNewest } from '#web/shared/useNewest.ts';
import { lastLines, type LogTail, TAIL_LINES } from '../answers/logs.ts';
import { fetchNew, fetchTail } from './api.ts';

/** How often a followed file is asked for what is new, ms. */
const FOLLOW_EVERY_MS = 2000;

const LEFT_OUT = 'Some lines are left out here: too much was written at once.\n';
const EMPTIED = 'The file was cleared.\n';

/** What is shown once more of the file has come. */
function joined(shown: LogTail, added: LogTail): LogTail {
  const before = added.restarted ? EMPTIED : added.cut ? `${shown.text}${LEFT_OUT}` : shown.text;
  return { ...added, text: lastLines(before + added.text, TAIL_LINES.max), cut: shown.cut };
}

export type ShownTail = {
  /** Null until something was read. */
  tail: LogTail | null;
  /** Why the last reading failed; null when it did not. */
  error: string | null;
  isLoading: boolean;
  /** Reads the end of the file again. */
  reload(): Promise<void>;
};

type State = Omit<ShownTail, 'reload'>;

/** Asks for what comes to a file, while it is followed and the page is in sight. @param read adds what is new to what is shown */
function useFollowing(
  isFollowed: boolean,
  shown: RefObject<LogTail | null>,
  read: (more: boolean) => Promise<void>,
): void {
  useEffect(() => {
    if (!isFollowed) return;
    let timer: ReturnType<typeof setTimeout> | undefined;
    let isOver = false;
    const next = (): void => {
      clearTimeout(timer);
      if (!isOver && !document.hidden) timer = setTimeout(ask, FOLLOW_EVERY_MS);
    };
    const ask = (): void => {
      void read(true).finally(next);
    };
    const look = (): void => {
      clearTimeout(timer);
      if (shown.current === null) next();
      else if (!document.hidden) ask();
    };
    document.addEventListener('visibilitychange', look);
    look();
    return () => {
      isOver = true;
      clearTimeout(timer);
      document.removeEventListener('visibilitychange', look);
    };
  }, [isFollowed, shown, read]);
}

/** @param from what more is added to; null reads the end of the file */
const readTail = (name: string, lines: number, from: LogTail | null): Promise<LogTail> =>
  from?.file != null && from.end !== null
    ? fetchNew(name, { file: from.file, after: from.end }).then((added) => joined(from, added))
    : fetchTail(name, lines);

/**
 * Reads a file's end at once, and what comes to it when asked. An answer about another file, or another number of lines,
 * is dropped, and one that another reading followed.
 */
function useReader(
  name: string,
  lines: number,
  shown: RefObject<LogTail | null>,
  setState: Dispatch<SetStateAction<State>>,
) {
  const newest = useRef(0);
  /** @param more adds to what is shown instead of reading again */
  const read = useCallback(
    (more: boolean): Promise<void> => {
      newest.current += 1;
      const own = newest.current;
      const settle = (change: (before: State) => State): void => {
        if (own === newest.current) setState(change);
      };
      return readTail(name, lines, more ? shown.current : null).then(
        (tail) => settle(() => ({ tail, error: null, isLoading: false })),
        (problem: unknown) => {
          const error = messageOf(problem, ADMIN_MESSAGES.readLog);
          settle(({ tail }) => ({ tail, error, isLoading: false }));
        },
      );
    },
    [name, lines, shown, setState],
  );
  useEffect(() => {
    // Another number of lines begins again.
    shown.current = null;
    void read(false);
    return () => {
      newest.current += 1;
    };
  }, [read, shown]);
  return read;
}

/** The last lines of a file, and with `isFollowed` what comes to it, asked for while the page is in sight. */
export function useLogTail(name: string, lines: number, isFollowed: boolean): ShownTail {
  const [state, setState] = useState<State>({ tail: null, error: null, isLoading: true });
  const shown = useNewest(state.tail);
  const read = useReader(name, lines, shown, setState);
  useFollowing(isFollowed, shown, read);
  const reload = useCallback((): Promise<void> => {
    setState((before) => ({ ...before, isLoading: true }));
    return read(false);
  }, [read]);
  return { ...state, reload };
}
