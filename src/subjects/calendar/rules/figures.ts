import type { CalendarEvent, Potency } from '#market/calendar/rules/calendarEvent.ts';
import { DASH, formatNumber, MINUS } from '#texts/format.ts';

type Figures = Pick<CalendarEvent, 'actual' | 'consensus' | 'previous' | 'revised'>;
type Counted = Pick<CalendarEvent, 'unit' | 'potency'>;

/** Limits of decimals: billions are shown to the million, thousands to the hundred. */
const MOST_DECIMALS: Readonly<Record<Potency, number>> = { ZERO: 2, K: 1, M: 2, B: 3, T: 3 };
const SUFFIX: Readonly<Record<Potency, string>> = { ZERO: '', K: 'K', M: 'M', B: 'B', T: 'T' };
/** Enough decimals for any figure: a rate like 0.0625 is shown in full. */
const EXACT_DECIMALS = 4;

function neededDecimals(value: number, most: number): number {
  for (let decimals = 0; decimals < most; decimals += 1) {
    if (Number(value.toFixed(decimals)) === Number(value.toFixed(most))) return decimals;
  }
  return most;
}

/**
 * Decimals of an event's figures: one for percentages (specification, section 3), otherwise those of the longest
 * figure, up to the limit of its potency, so that 50.0 appears next to 49.8.
 */
function figureDecimals(event: Figures & Counted): number {
  if (event.unit === '%') return 1;
  const most = MOST_DECIMALS[event.potency];
  const known = [event.actual, event.consensus, event.previous, event.revised].filter(
    (value) => value !== null,
  );
  return Math.max(0, ...known.map((value) => neededDecimals(value, most)));
}

/** Whether a unit is a currency sign, which precedes the number; other units follow it. */
const isCurrencySign = (unit: string): boolean => /^\p{Sc}$/u.test(unit);

function withUnit(text: string, { unit, potency }: Counted): string {
  const size = SUFFIX[potency];
  if (unit === null || unit === '') return `${text}${size}`;
  if (unit === '%') return `${text}${size}%`;
  if (!isCurrencySign(unit)) return `${text}${size} ${unit}`;
  return text.startsWith(MINUS) ? `${MINUS}${unit}${text.slice(1)}${size}` : `${unit}${text}${size}`;
}

/** '−0.2%', '66.5K', '−$1.52B', '54.6'; a dash if unknown. @param value one of the event's figures, in its potency */
export const formatFigure = (value: number | null, event: Figures & Counted): string =>
  value === null ? DASH : withUnit(formatNumber(value, figureDecimals(event)), event);

/** Formats a figure with up to four decimals, because an interest rate of 4.35% is not 4.4%. */
export const formatExactFigure = (value: number | null, event: Counted): string =>
  value === null
    ? DASH
    : withUnit(
        formatNumber(value, Math.max(event.unit === '%' ? 1 : 0, neededDecimals(value, EXACT_DECIMALS))),
        event,
      );

/** 'above' and 'below' are for figures of which it is not known which direction is better. */
export const SURPRISE_SIDES = ['better', 'worse', 'asExpected', 'above', 'below'] as const;
export type Surprise = (typeof SURPRISE_SIDES)[number];

/** The side of the consensus on which a figure is. @returns null if the figure or its consensus is unknown */
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

/** Shown next to the figure: a text for screen readers, and a sign that does not rely on colour. */
export const SURPRISES: Readonly<Record<Surprise, { sign: string; text: string }>> = {
  better: { sign: '▲', text: 'Better than consensus' },
  worse: { sign: '▼', text: 'Worse than consensus' },
  asExpected: { sign: '=', text: 'As expected' },
  above: { sign: '↑', text: 'Above consensus' },
  below: { sign: '↓', text: 'Below consensus' },
};
