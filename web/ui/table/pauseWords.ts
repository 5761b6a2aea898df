import type { Paused } from './heldOrder.ts';

/** Pauses come and go with the pointer and the keys: one a minute is said. */
const PAUSE_WORDS_MS = 60_000;

/** Says a pause for a screen reader as it begins, and nothing more of it: the words do not follow the rows that wait. */
export function createPauseWords() {
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
