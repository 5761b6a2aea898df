import {
  type ReactNode,
  type RefObject,
  useCallback,
  useState,
  useEffect,
  useLayoutEffect,
  useRef,
} from 'react';
import type { ShownRows } from './useShownRows.ts';
import { isTyping } from '../isTyping.ts';
import type { Paused } from './heldOrder.ts';

type PausedChipProps = {
  paused: Paused;
  onResume(): void;
  /** Gets the focus when the chip disappears. */
  frame: RefObject<HTMLElement | null>;
};

function textOf({ newRows, isNearOpenRow }: Paused): ReactNode {
  if (isNearOpenRow) {
    return (
      <>
        Paused<span className="phone-hidden"> near open row</span>
      </>
    );
  }
  return newRows > 0 ? `Paused · ${newRows} new` : 'Paused';
}

function PausedChip({ paused, onResume, frame }: PausedChipProps) {
  const button = useRef<HTMLButtonElement>(null);
  useLayoutEffect(() => {
    const own = button.current;
    const table = frame.current;
    return () => {
      if (own !== null && own === document.activeElement) {
        table?.querySelector<HTMLElement>('tr[tabindex="0"]')?.focus({ preventScroll: true });
      }
    };
  }, [frame]);
  return (
    <button
      ref={button}
      type="button"
      className="paused-chip tool"
      title="Sorting pauses while you use the rows. Click or press . to resume."
      aria-keyshortcuts="."
      // Keeps the focus on its row when the chip is clicked.
      onPointerDown={(event) => event.preventDefault()}
      onMouseDown={(event) => event.preventDefault()}
      onClick={onResume}
    >
      {textOf(paused)}
      <span className="visually-hidden">, resume sorting</span>
    </button>
  );
}

/** Minimum time between announcements, ms, because pauses are frequent. */
const PAUSE_WORDS_MS = 60_000;

/** Announces the start of a pause, but no updates on waiting rows. */
function createPauseWords() {
  let words = '';
  let wasPaused = false;
  let announcedAt = Number.NEGATIVE_INFINITY;
  return {
    /** @param now monotonic ms @returns '' if there is nothing to announce */
    next(paused: Paused | null, now: number): string {
      const isPaused = paused !== null && !paused.isNearOpenRow;
      if (isPaused === wasPaused) return words;
      wasPaused = isPaused;
      words = '';
      if (!isPaused || now - announcedAt < PAUSE_WORDS_MS) return words;
      announcedAt = now;
      words = `Sorting paused${paused.newRows > 0 ? `, ${paused.newRows} new` : ''}. Press full stop to resume.`;
      return words;
    },
  };
}

/** Ends a pause by a key, unless the user is typing. */
function useResumeKey(isOn: boolean, resume: () => void): void {
  useEffect(() => {
    if (!isOn) return;
    const onKeyDown = (event: KeyboardEvent) => {
      if (event.key !== '.' || event.ctrlKey || event.metaKey || event.altKey) return;
      if (event.defaultPrevented || isTyping(event.target)) return;
      event.preventDefault();
      resume();
    };
    // The window's listener runs after those of the rows, which mark a key as used.
    window.addEventListener('keydown', onKeyDown);
    return () => window.removeEventListener('keydown', onKeyDown);
  }, [isOn, resume]);
}

/** Shows a pause. A click on the chip or the . key ends it. @param stopReading ends the state of reading */
export function usePause<Row extends object>(
  { paused, resume }: ShownRows<Row>,
  stopReading: () => void,
  frame: RefObject<HTMLElement | null>,
): { chip: ReactNode; words: string } {
  const onResume = useCallback(() => {
    stopReading();
    resume();
  }, [stopReading, resume]);
  useResumeKey(paused !== null, onResume);
  const [pauseWords] = useState(createPauseWords);
  const words = pauseWords.next(paused, performance.now());
  const chip = paused && <PausedChip paused={paused} onResume={onResume} frame={frame} />;
  return { chip, words };
}
