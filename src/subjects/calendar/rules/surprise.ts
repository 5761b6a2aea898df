import type { CalendarEvent } from '#market/calendar/rules/calendarEvent.ts';

/**
 * How a figure compares with what was expected. 'above' and 'below' are of figures of which nobody said which direction
 * is better.
 */
export const SURPRISE_SIDES = ['better', 'worse', 'asExpected', 'above', 'below'] as const;
export type Surprise = (typeof SURPRISE_SIDES)[number];

/** @returns null while the figure or its consensus is not known */
export function surpriseOf({
  actual,
  consensus,
  isBetterThanExpected,
}: Pick<CalendarEvent, 'actual' | 'consensus' | 'isBetterThanExpected'>): Surprise | null {
  if (actual === null || consensus === null) return null;
  if (actual === consensus) return 'asExpected';
  if (isBetterThanExpected !== null) return isBetterThanExpected ? 'better' : 'worse';
  return actual > consensus ? 'above' : 'below';
}

/** What stands beside the figure: the words for who reads or hears, the sign for who does not see colours. */
export const SURPRISES: Readonly<Record<Surprise, { sign: string; text: string }>> = {
  better: { sign: '▲', text: 'Better than consensus' },
  worse: { sign: '▼', text: 'Worse than consensus' },
  asExpected: { sign: '=', text: 'As expected' },
  above: { sign: '↑', text: 'Above consensus' },
  below: { sign: '↓', text: 'Below consensus' },
};
