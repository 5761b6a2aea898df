import { useCallback, useEffect, useRef, useState } from 'react';
import { lastLines } from '../rules/shownText.ts';
import { TAIL_LINES } from '../rules/logTail.ts';
import { ADMIN_MESSAGES } from '../../../texts/adminMessages.ts';
import { messageOf } from '../../../../web/api/client.ts';
import { fetchNew, fetchTail } from './api.ts';
import type { Tail } from './readLogs.ts';

/** How often a followed file is asked for what is new, ms. */
const FOLLOW_EVERY_MS = 2000;

const LEFT_OUT = 'Some lines are left out here: too much was written at once.\n';
const EMPTIED = 'The file was cleared.\n';

/** What is shown once more of the file has come. */
function joined(shown: Tail, added: Tail): Tail {
  const before = added.isRestarted ? EMPTIED : added.isCut ? `${shown.text}${LEFT_OUT}` : shown.text;
  return { ...added, text: lastLines(before + added.text, TAIL_LINES.max), isCut: shown.isCut };
}

export type ShownTail = {
  /** Null until something was read. */
  tail: Tail | null;
  /** Why the last reading failed; null when it did not. */
  error: string | null;
  isLoading: boolean;
  /** Reads the end of the file anew. */
  reload(): Promise<void>;
};

type State = Omit<ShownTail, 'reload'>;

/**
 * The last lines of a file, and with `isFollowed` what comes to it, asked for while the page is in sight. One request
 * waits for the other; an answer about another file, or another number of lines, is dropped.
 */
export function useLogTail(name: string, lines: number, isFollowed: boolean): ShownTail {
  const [state, setState] = useState<State>({ tail: null, error: null, isLoading: true });
  const newest = useRef(0);
  const shown = useRef(state.tail);
  shown.current = state.tail;

  /** @param more adds to what is shown instead of reading anew */
  const read = useCallback(
    (more: boolean): Promise<void> => {
      const from = more ? shown.current : null;
      newest.current += 1;
      const own = newest.current;
      const settle = (change: (before: State) => State): void => {
        if (own === newest.current) setState(change);
      };
      const coming = from?.place
        ? fetchNew(name, from.place).then((added) => joined(from, added))
        : fetchTail(name, lines);
      return coming.then(
        (tail) => settle(() => ({ tail, error: null, isLoading: false })),
        (problem: unknown) => {
          const error = messageOf(problem, ADMIN_MESSAGES.readLog);
          settle(({ tail }) => ({ tail, error, isLoading: false }));
        },
      );
    },
    [name, lines],
  );

  useEffect(() => {
    // Another number of lines begins anew.
    shown.current = null;
    void read(false);
    return () => {
      newest.current += 1;
    };
  }, [read]);

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
  }, [isFollowed, read]);

  const reload = useCallback((): Promise<void> => {
    setState((before) => ({ ...before, isLoading: true }));
    return read(false);
  }, [read]);
  return { ...state, reload };
}
