import {
  type CalendarEvent,
  POTENCIES,
  type Potency,
} from '../../../subjects/calendar/rules/calendarEvent.ts';

/** A figure as the weekly file writes it, taken apart. */
export type Figure = { value: number; unit: string | null; potency: Potency };

const FIGURE = /^([$€£¥]?)(-?)([$€£¥]?)(\d{1,15}(?:\.\d{1,10})?)([KMBT]?)(%?)$/;

const steps = (potency: Potency): number => POTENCIES.indexOf(potency);

/**
 * Takes a figure apart: '66K', '0.2%', '-144.7B', '99.5'. Of an auction of bonds, '4.17|2.6', it is the yield in
 * percent; what stands behind it says how often the bonds were asked for.
 * @returns null for '' and for what is no single figure: votes ('2-0-7'), bounds ('<1.00%')
 */
export function readFigure(text: string): Figure | null {
  const [first = '', ...others] = text.trim().split('|');
  const match = FIGURE.exec(first.trim());
  if (!match || others.length > 1) return null;
  const [, before = '', minus = '', after = '', digits = '', letter = '', percent = ''] = match;
  const value = Number(`${minus}${digits}`);
  const potency = POTENCIES.find((one) => one === letter) ?? 'ZERO';
  const unit = percent || before || after || (others.length === 1 ? '%' : null);
  return { value, unit, potency };
}

/** Freed of rounding errors: 1.1 × 1000 is 1100.0000000000002. */
const scaled = ({ value, potency }: Figure, to: Potency): number =>
  Number((value * 1000 ** (steps(potency) - steps(to))).toPrecision(12));

/**
 * Forecast and previous figure of an event in one unit and potency, the smaller of theirs: '1.1M' and '950K' are 1100
 * and 950 thousand. Of two with different units only the forecast is kept.
 */
export function readFigures(
  forecast: string,
  previous: string,
): Pick<CalendarEvent, 'consensus' | 'previous' | 'unit' | 'potency'> {
  const expected = readFigure(forecast);
  const earlier = readFigure(previous);
  const before = expected && earlier && expected.unit !== earlier.unit ? null : earlier;
  const known = [expected, before].filter((figure) => figure !== null);
  const [smallest] = known.map(({ potency }) => potency).sort((a, b) => steps(a) - steps(b));
  const potency = smallest ?? 'ZERO';
  return {
    consensus: expected && scaled(expected, potency),
    previous: before && scaled(before, potency),
    unit: known[0]?.unit ?? null,
    potency,
  };
}
