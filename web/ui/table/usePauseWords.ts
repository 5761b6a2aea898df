import { useEffect, useRef, useState } from 'react';
import type { Paused } from './heldOrder.ts';

/** Pauses come and go with each move of the pointer or the focus: one a minute is said. */
export const PAUSE_WORDS_MS = 60_000;

/**
 * What a screen reader is told of a pause, once, as it begins.
 * @returns '' while there is nothing to say
 */
export function usePauseWords(paused: Paused | null): string {
  const [words, setWords] = useState('');
  const saidAt = useRef(Number.NEGATIVE_INFINITY);
  const latest = useRef(paused);
  useEffect(() => {
    latest.current = paused;
  });
  const isPaused = paused !== null && !paused.isNearOpenRow;
  useEffect(() => {
    if (!isPaused) return setWords('');
    const now = performance.now();
    if (now - saidAt.current < PAUSE_WORDS_MS) return;
    saidAt.current = now;
    const newRows = latest.current?.newRows ?? 0;
    setWords(`Order paused${newRows > 0 ? `, ${newRows} new` : ''}. Press full stop to resume.`);
  }, [isPaused]);
  return words;
}
