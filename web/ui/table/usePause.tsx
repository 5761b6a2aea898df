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
  /** The table's: when the chip goes, the focus that was on it goes to a row. */
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

/** Says that a table's order is paused, and how many rows wait; a click resumes it. */
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
      // A click leaves the focus on the row that it is on.
      onPointerDown={(event) => event.preventDefault()}
      onMouseDown={(event) => event.preventDefault()}
      onClick={onResume}
    >
      {textOf(paused)}
      <span className="visually-hidden">, resume sorting</span>
    </button>
  );
}

/** Pauses come and go with the pointer and the keys: one a minute is said. */
const PAUSE_WORDS_MS = 60_000;

/** Says a pause for a screen reader as it begins, and nothing more of it: the words do not follow the rows that wait. */
function createPauseWords() {
  let words = '';
  let wasPaused = false;
  let saidAt = Number.NEGATIVE_INFINITY;
  return {
    /** @param now monotonic ms. @returns '' while there is nothing to say */
    next(paused: Paused | null, now: number): string {
      const isPaused = paused !== null && !paused.isNearOpenRow;
      if (isPaused === wasPaused) return words;
      wasPaused = isPaused;
      words = '';
      if (!isPaused || now - saidAt < PAUSE_WORDS_MS) return words;
      saidAt = now;
      words = `Sorting paused${paused.newRows > 0 ? `, ${paused.newRows} new` : ''}. Press full stop to resume.`;
      return words;
    },
  };
}

/** The . key resumes the order of a paused table, unless something is being typed. */
function useResumeKey(isOn: boolean, resume: () => void): void {
  useEffect(() => {
    if (!isOn) return;
    const onKeyDown = (event: KeyboardEvent) => {
      if (event.key !== '.' || event.ctrlKey || event.metaKey || event.altKey) return;
      if (event.defaultPrevented || isTyping(event.target)) return;
      event.preventDefault();
      resume();
    };
    // On the window: after the rows, in which the key counts as used.
    window.addEventListener('keydown', onKeyDown);
    return () => window.removeEventListener('keydown', onKeyDown);
  }, [isOn, resume]);
}

/**
 * What a table shows and says while its order is paused, and what ends that: a click on the chip, or the . key.
 * @param stopReading nobody counts as reading any more
 * @param frame of the table
 */
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
