import { type ReactNode, type RefObject, useCallback, useState } from 'react';
import { PausedChip } from './PausedChip.tsx';
import { createPauseWords } from './pauseWords.ts';
import { useResumeKey } from './useResumeKey.ts';
import type { ShownRows } from './useShownRows.ts';

/**
 * What a table shows and says while its order is paused, and what ends that: a click on the chip, or the . key.
 * @param stopReading nobody counts as reading any more
 * @param frame of the table
 */
export function usePause<Row>(
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
