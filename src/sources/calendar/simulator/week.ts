import { type CalendarEvent, emptyEvent } from '#market/calendar/rules/calendarEvent.ts';
import { addDays } from '#market/rules/sydneyTime.ts';
import { mix, pick, textSeed, unit, gauss } from '#sources/quotes/simulator/random.ts';
import type { LocalTimes } from './index.ts';
import { type FigureShape, HOLIDAY_PLACES, percent, PLACES, type Series, WEEK_OF_SERIES } from './series.ts';

/** The index of each random number of an occurrence; every number is used for one decision only. */
const DRAW = { value: 1, consensus: 2, isRevised: 3, revision: 4, delay: 5, delayLength: 6 } as const;

/** The figures of one occurrence of a series; `revised` is what the previous figure became. */
type Figures = {
  actual: number;
  consensus: number;
  previous: number;
  revised: number | null;
  isBetterThanExpected: boolean | null;
};

function rounded(value: number, { decimals, step }: FigureShape): number {
  const whole = step === undefined ? value : Math.round(value / step) * step;
  // Adding zero takes the sign away from a zero.
  return Number(whole.toFixed(decimals)) + 0;
}

/**
 * The figures of a series in a week. They follow from the seed alone, so that a week's previous figure is what the week
 * before had as its actual one.
 * @param seed of the series; @param week counted from any beginning
 */
function figuresOf(shape: FigureShape, seed: number, week: number): Figures {
  const { level, spread, isMoreBetter } = shape;
  const valueOf = (at: number): number => {
    return rounded(level + spread * gauss(mix(seed, at), DRAW.value), shape);
  };
  const own = mix(seed, week);
  const actual = valueOf(week);
  const previous = valueOf(week - 1);
  // Who expects something looks at the last figure and at what is usual.
  const expected = (previous + 2 * level) / 3 + 0.4 * spread * gauss(own, DRAW.consensus);
  const consensus = rounded(expected, shape);
  const revised = rounded(previous + 0.3 * spread * gauss(own, DRAW.revision), shape);
  const isRevised = unit(own, DRAW.isRevised) < 0.3 && revised !== previous;
  const isMore = actual > consensus;
  return {
    actual,
    consensus,
    previous,
    revised: isRevised ? revised : null,
    isBetterThanExpected: isMoreBetter === null || actual === consensus ? null : isMore === isMoreBetter,
  };
}

/** How long after its time a figure arrives, ms: mostly some seconds, seldom minutes. */
function delayOf(seed: number, week: number): number {
  const own = mix(seed, week);
  const at = unit(own, DRAW.delayLength);
  const kind = unit(own, DRAW.delay);
  if (kind < 0.7) return Math.round(1000 + 5000 * at);
  return Math.round(kind < 0.94 ? 8000 + 40_000 * at : 60_000 + 90_000 * at);
}

const DAY_MS = 86_400_000;
const MINUTE_MS = 60_000;
/** A Monday. */
const FIRST_WEEK = Date.UTC(2024, 0, 1);
/** An event of which the time is not certain gets it so long before, and may be put off then. */
const CERTAIN_BEFORE_MS = 120 * MINUTE_MS;
/** Events of low impact are left out so often, so that no week is quite like another. */
const LEFT_OUT = 0.15;

/** What becomes of an event at a moment, epoch ms. */
type Change = { at: number; members: Partial<CalendarEvent> };

/** An event as it is announced, and what becomes of it, in the order of time. */
export type Planned = { event: CalendarEvent; changes: readonly Change[] };

/** A planned event as it stands at a moment. @param now epoch ms */
export function eventAt({ event, changes }: Planned, now: number): CalendarEvent {
  const past = changes.filter(({ at }) => at <= now);
  return past.length === 0 ? event : Object.assign({}, event, ...past.map(({ members }) => members));
}

/** Whether something became of a planned event after one moment, up to and including another. */
export const changedBetween = ({ changes }: Planned, after: number, until: number): boolean =>
  changes.some(({ at }) => at > after && at <= until);

/** When something becomes of any of these the next time, epoch ms; infinity for never. */
export function nextChange(planned: readonly Planned[], now: number): number {
  let next = Number.POSITIVE_INFINITY;
  for (const { changes } of planned) {
    for (const { at } of changes) if (at > now && at < next) next = at;
  }
  return next;
}

/** @param time epoch ms; @returns YYYY-MM-DD of the Monday at or before its UTC date */
export const mondayOf = (time: number): string =>
  new Date(FIRST_WEEK + Math.floor((time - FIRST_WEEK) / (7 * DAY_MS)) * 7 * DAY_MS)
    .toISOString()
    .slice(0, 10);

const iso = (time: number): string => new Date(time).toISOString().replace('.000Z', 'Z');

const TENTATIVE_SHAPE: FigureShape = percent(0.4, 0.9);

/** The beginning of the period that a figure published on a date is of: the month, quarter or week before. */
function periodDate(date: string, period: FigureShape['period']): string {
  if (period === 'WEEK') return `${addDays(date, -7)}T00:00:00Z`;
  const year = Number(date.slice(0, 4));
  const month = Number(date.slice(5, 7)) - 1;
  const first = period === 'MONTH' ? month - 1 : Math.floor(month / 3) * 3 - 3;
  return iso(Date.UTC(year, first, 1));
}

/** Names what recurs: place and name, as a number. */
const seriesKey = ({ place, name }: Series): string => mix(textSeed(`${place} ${name}`), 0).toString(36);

type Occurrence = { series: Series; seed: number; week: number; date: string; time: number };

/** The members of an event that it has from the beginning. */
function announced({ series, date, time, seed, week }: Occurrence): CalendarEvent {
  const { place, name, impact, kind } = series;
  const { countryCode, currencyCode } = PLACES[place];
  const shape = shapeOf(series);
  const figures = shape && figuresOf(shape, seed, week);
  return {
    ...emptyEvent(`sim-${date}-${seriesKey(series)}`),
    series: seriesKey(series),
    countryCode,
    currencyCode,
    name,
    volatility: impact,
    dateUtc: iso(time),
    isSpeech: kind === 'speech',
    isReport: kind === 'report',
    isAllDay: kind === 'allDay',
    isTentative: kind === 'tentative',
    ...(shape && figures
      ? {
          periodDateUtc: periodDate(date, shape.period),
          periodType: shape.period,
          consensus: figures.consensus,
          previous: figures.previous,
          unit: shape.unit,
          potency: shape.potency,
          isPreliminary: shape.isPreliminary ?? false,
        }
      : {}),
  };
}

const shapeOf = ({ kind, shape }: Series): FigureShape | null =>
  kind === 'tentative' ? TENTATIVE_SHAPE : shape;

/** A tentative event gets its time, mostly another; a figure comes some seconds after its time. */
function changesOf({ series, seed, week, time }: Occurrence): Change[] {
  const changes: Change[] = [];
  const shape = shapeOf(series);
  let moved = time;
  if (series.kind === 'tentative') {
    moved += Math.floor(unit(mix(seed, week), 20) * 4) * 10 * MINUTE_MS;
    changes.push({ at: time - CERTAIN_BEFORE_MS, members: { isTentative: false, dateUtc: iso(moved) } });
  }
  if (shape) {
    const { actual, revised, isBetterThanExpected } = figuresOf(shape, seed, week);
    changes.push({ at: moved + delayOf(seed, week), members: { actual, revised, isBetterThanExpected } });
  }
  return changes;
}

/** The week's public holiday somewhere; no figure is published on it, but other countries go on. */
function holidayOf(monday: string, seed: number): Planned {
  const own = mix(textSeed(monday), seed);
  const place = pick(HOLIDAY_PLACES, unit(own, 1));
  const date = addDays(monday, Math.floor(unit(own, 2) * 5));
  const { countryCode, currencyCode } = PLACES[place];
  const event = {
    ...emptyEvent(`sim-${date}-holiday`),
    countryCode,
    currencyCode,
    name: 'Public Holiday',
    isAllDay: true,
    isHoliday: true,
    dateUtc: `${date}T00:00:00Z`,
  };
  return { event, changes: [] };
}

/**
 * Everything that is planned for a week, the same for the same seed.
 * @param monday YYYY-MM-DD
 * @param only the one series that is wanted, by its key; all when absent
 */
export function planWeek(monday: string, seed: number, times: LocalTimes, only?: string): Planned[] {
  const week = Math.round((Date.parse(`${monday}T00:00:00Z`) - FIRST_WEEK) / (7 * DAY_MS));
  const holiday = holidayOf(monday, seed);
  const planned = WEEK_OF_SERIES.flatMap((series) => {
    if (only !== undefined && seriesKey(series) !== only) return [];
    const own = mix(textSeed(`${series.place} ${series.name}`), seed);
    const date = addDays(monday, series.weekday - 1);
    const { countryCode, zone } = PLACES[series.place];
    if (holiday.event.countryCode === countryCode && holiday.event.dateUtc.startsWith(date)) return [];
    if (series.impact === 'LOW' && series.shape && unit(mix(own, week), 30) < LEFT_OUT) return [];
    const time =
      series.kind === 'allDay' ? Date.parse(`${date}T00:00:00Z`) : times.instant(zone, date, series.time);
    const occurrence = { series, seed: own, week, date, time };
    return { event: announced(occurrence), changes: changesOf(occurrence) };
  });
  return [holiday, ...planned];
}
