import { MINUTE_MS, HOUR_MS, DAY_MS } from '#lib/units.ts';
import { type Clock, createZoneOffset } from '#lib/clock.ts';
import type { Log } from '#lib/log.ts';
import { type Scheduler, timerScheduler } from '#lib/scheduler.ts';
import {
  type CalendarEvent,
  emptyEvent,
  type Impact,
  type Potency,
} from '#market/calendar/rules/calendarEvent.ts';
import { addDays } from '#lib/sydneyTime.ts';
import { gauss, mix, pick, textSeed, unit } from '#sources/quotes/simulator/random.ts';
import { type CalendarSink, type CalendarSource, isWithin, type Span } from '#market/sources/calendar.ts';

const PLACES = {
  US: { countryCode: 'US', currencyCode: 'USD', zone: 'America/New_York' },
  EMU: { countryCode: 'EMU', currencyCode: 'EUR', zone: 'Europe/Berlin' },
  DE: { countryCode: 'DE', currencyCode: 'EUR', zone: 'Europe/Berlin' },
  FR: { countryCode: 'FR', currencyCode: 'EUR', zone: 'Europe/Paris' },
  UK: { countryCode: 'UK', currencyCode: 'GBP', zone: 'Europe/London' },
  JP: { countryCode: 'JP', currencyCode: 'JPY', zone: 'Asia/Tokyo' },
  AU: { countryCode: 'AU', currencyCode: 'AUD', zone: 'Australia/Sydney' },
  NZ: { countryCode: 'NZ', currencyCode: 'NZD', zone: 'Pacific/Auckland' },
  CA: { countryCode: 'CA', currencyCode: 'CAD', zone: 'America/Toronto' },
} as const;
type Place = keyof typeof PLACES;

type FigureShape = {
  unit: string | null;
  potency: Potency;
  decimals: number;
  /** Figures are multiples of this step; derived from the decimals if absent. */
  step?: number;
  level: number;
  spread: number;
  /** Null if neither direction is better. */
  isMoreBetter: boolean | null;
  period: 'MONTH' | 'QUARTER' | 'WEEK';
  isPreliminary?: boolean;
};

type Kind = 'figure' | 'speech' | 'report' | 'allDay' | 'tentative';

type Series = {
  place: Place;
  weekday: number;
  time: string;
  name: string;
  impact: Impact;
  kind: Kind;
  shape: FigureShape | null;
};

type Shaper = (level: number, spread: number, more?: Partial<FigureShape>) => FigureShape;

const shaper =
  (base: Pick<FigureShape, 'unit' | 'potency' | 'decimals' | 'period'>): Shaper =>
  (level, spread, more = {}) => ({ ...base, level, spread, isMoreBetter: true, ...more });

const percent = shaper({ unit: '%', potency: 'ZERO', decimals: 1, period: 'MONTH' });
const rate = (level: number): FigureShape =>
  percent(level, 0.16, { decimals: 2, step: 0.25, isMoreBetter: null });
const thousands = shaper({ unit: null, potency: 'K', decimals: 1, period: 'MONTH' });
const index = shaper({ unit: null, potency: 'ZERO', decimals: 1, period: 'MONTH' });
const billions = (unit: string): Shaper => shaper({ unit, potency: 'B', decimals: 2, period: 'MONTH' });

const LESS = { isMoreBetter: false } as const;
const QUARTER = { period: 'QUARTER' } as const;
const WEEK = { period: 'WEEK' } as const;
const FLASH = { isPreliminary: true } as const;

type Line = readonly [weekday: number, time: string, name: string, impact: Impact, what: FigureShape | Kind];

const at = (place: Place, lines: readonly Line[]): Series[] =>
  lines.map(([weekday, time, name, impact, what]) =>
    typeof what === 'string'
      ? { place, weekday, time, name, impact, kind: what, shape: null }
      : { place, weekday, time, name, impact, kind: 'figure', shape: what },
  );

/**
 * Monthly events happen every week here, so that every day has some of each kind. Sydney has one of HIGH
 * impact soon after the open. Names are the usual ones; figures are invented.
 */
const WEEK_OF_SERIES: readonly Series[] = [
  ...at('AU', [
    [1, '10:30', 'Retail Sales (MoM)', 'HIGH', percent(0.3, 0.4)],
    [1, '11:30', 'Building Permits (MoM)', 'MEDIUM', percent(0.8, 3.2)],
    [1, '11:30', 'Job Advertisements (MoM)', 'LOW', percent(0.1, 1.4)],
    [1, '12:30', 'Inflation Gauge (MoM)', 'LOW', percent(0.2, 0.2, { isMoreBetter: null })],
    [1, '14:00', 'Central Bank Assistant Governor Speech', 'LOW', 'speech'],
    [2, '10:30', 'Wage Price Index (QoQ)', 'HIGH', percent(0.8, 0.2, QUARTER)],
    [2, '11:30', 'Business Confidence', 'MEDIUM', index(2, 4)],
    [2, '14:30', 'Interest Rate Decision', 'HIGH', rate(3.5)],
    [2, '15:30', 'Central Bank Press Conference', 'HIGH', 'speech'],
    [3, '09:30', 'Leading Index (MoM)', 'LOW', percent(0.1, 0.2)],
    [3, '10:30', 'Consumer Price Index (YoY)', 'HIGH', percent(2.6, 0.3, { isMoreBetter: null })],
    [3, '10:30', 'Consumer Price Index (MoM)', 'MEDIUM', percent(0.2, 0.2, { isMoreBetter: null })],
    [3, '14:00', 'Financial Stability Report', 'LOW', 'report'],
    [4, '10:30', 'Employment Change', 'HIGH', thousands(18, 22)],
    [4, '10:30', 'Unemployment Rate', 'HIGH', percent(4.2, 0.1, LESS)],
    [4, '10:30', 'Participation Rate', 'MEDIUM', percent(66.8, 0.2)],
    [4, '13:05', 'Central Bank Governor Speech', 'MEDIUM', 'speech'],
    [5, '10:30', 'Trade Balance', 'HIGH', billions('$')(5.2, 1.1)],
    [5, '11:30', 'Private Sector Credit (MoM)', 'LOW', percent(0.5, 0.1)],
    [5, '12:00', 'New Home Sales (MoM)', 'LOW', 'tentative'],
    [2, '11:30', 'Business Conditions', 'LOW', index(4, 3)],
    [3, '11:30', 'Construction Work Done (QoQ)', 'LOW', percent(0.6, 1.8, QUARTER)],
    [4, '11:30', 'Consumer Inflation Expectations', 'LOW', percent(4.4, 0.3, LESS)],
    [5, '09:00', 'Services Index', 'LOW', index(51.2, 1.3, FLASH)],
  ]),
  ...at('NZ', [
    [1, '10:45', 'Visitor Arrivals (MoM)', 'LOW', percent(1.2, 3)],
    [1, '10:30', 'Services Index', 'LOW', index(50.2, 1.6)],
    [2, '10:45', 'Food Price Index (MoM)', 'LOW', percent(0.4, 0.5, LESS)],
    [3, '14:00', 'Interest Rate Decision', 'HIGH', rate(2.5)],
    [3, '15:00', 'Monetary Policy Statement', 'MEDIUM', 'report'],
    [4, '10:45', 'Trade Balance', 'MEDIUM', billions('$')(-0.6, 0.7)],
    [5, '10:30', 'Manufacturing Index', 'MEDIUM', index(50.6, 1.8)],
    [
      2,
      '15:00',
      'Inflation Expectations (QoQ)',
      'LOW',
      percent(2.2, 0.2, { ...QUARTER, isMoreBetter: null }),
    ],
    [4, '10:45', 'Electronic Card Sales (MoM)', 'LOW', percent(0.2, 0.8)],
    [5, '12:00', 'Business Confidence', 'MEDIUM', index(38, 9)],
  ]),
  ...at('JP', [
    [1, '08:50', 'Gross Domestic Product (QoQ)', 'HIGH', percent(0.3, 0.3, { ...QUARTER, ...FLASH })],
    [1, '13:30', 'Capacity Utilisation (MoM)', 'LOW', percent(0.1, 1.6)],
    [2, '08:50', 'Foreign Reserves', 'LOW', billions('$')(1240, 12)],
    [3, '08:50', 'Machinery Orders (MoM)', 'MEDIUM', percent(0.6, 3.4)],
    [3, '13:30', 'Industrial Production (MoM)', 'MEDIUM', percent(0.4, 1.2)],
    [4, '12:00', 'Interest Rate Decision', 'HIGH', rate(0.5)],
    [4, '15:30', 'Central Bank Governor Speech', 'HIGH', 'speech'],
    [5, '08:30', 'National Consumer Price Index (YoY)', 'HIGH', percent(2.7, 0.3, { isMoreBetter: null })],
    [5, '13:30', 'Tertiary Industry Index (MoM)', 'LOW', percent(0.2, 0.5)],
    [1, '13:30', 'Industrial Output Revised (MoM)', 'LOW', percent(0.2, 1.1)],
    [2, '08:30', 'Household Spending (YoY)', 'MEDIUM', percent(0.9, 1.6)],
    [3, '09:30', 'Manufacturing Index', 'LOW', index(49.2, 1.1, FLASH)],
    [4, '08:50', 'Trade Balance', 'MEDIUM', billions('¥')(-320, 180)],
    [5, '08:50', 'Money Supply (YoY)', 'LOW', percent(1.4, 0.3, { isMoreBetter: null })],
  ]),
  ...at('DE', [
    [1, '08:00', 'Factory Orders (MoM)', 'MEDIUM', percent(0.5, 2.4)],
    [2, '11:00', 'Economic Sentiment', 'HIGH', index(14, 9)],
    [3, '08:00', 'Producer Prices (MoM)', 'LOW', percent(0.1, 0.3, { isMoreBetter: null })],
    [4, '09:30', 'Manufacturing Index', 'MEDIUM', index(48.9, 1.2, FLASH)],
    [5, '10:00', 'Business Climate', 'HIGH', index(88.4, 1.4)],
    [2, '08:00', 'Wholesale Prices (MoM)', 'LOW', percent(0.1, 0.4, { isMoreBetter: null })],
    [4, '08:00', 'Consumer Sentiment', 'MEDIUM', index(-20.4, 2.5)],
    [5, '08:00', 'Import Prices (MoM)', 'LOW', percent(0.1, 0.5, { isMoreBetter: null })],
  ]),
  ...at('FR', [
    [2, '08:45', 'Budget Balance', 'LOW', billions('€')(-92.4, 20)],
    [4, '09:15', 'Services Index', 'MEDIUM', index(49.7, 1.1, FLASH)],
    [5, '08:45', 'Consumer Confidence', 'LOW', index(92, 2, { decimals: 0 })],
  ]),
  ...at('EMU', [
    [1, '10:30', 'Investor Confidence', 'LOW', index(-4.2, 4)],
    [2, '09:00', 'Finance Ministers’ Meeting', 'LOW', 'allDay'],
    [3, '11:00', 'Harmonised Index of Consumer Prices (YoY)', 'HIGH', percent(2.1, 0.2, FLASH)],
    [3, '11:00', 'Retail Sales (MoM)', 'MEDIUM', percent(0.1, 0.5)],
    [4, '14:15', 'Interest Rate Decision', 'HIGH', rate(2.25)],
    [4, '14:45', 'Central Bank Press Conference', 'HIGH', 'speech'],
    [5, '11:00', 'Current Account', 'LOW', billions('€')(24.3, 6)],
    [1, '11:00', 'Construction Output (MoM)', 'LOW', percent(0.2, 1)],
    [2, '10:00', 'Bank Lending Survey', 'LOW', 'report'],
    [3, '15:30', 'Central Bank Board Member Speech', 'LOW', 'speech'],
    [4, '10:00', 'Composite Index', 'MEDIUM', index(50.3, 0.9, FLASH)],
    [5, '16:00', 'Consumer Confidence', 'LOW', index(-14.6, 1.3, FLASH)],
  ]),
  ...at('UK', [
    [1, '09:30', 'Mortgage Approvals', 'LOW', thousands(64.2, 2.5)],
    [2, '07:00', 'Claimant Count Change', 'MEDIUM', thousands(16, 14, LESS)],
    [2, '07:00', 'Average Earnings (3M/Yr)', 'HIGH', percent(4.6, 0.3)],
    [3, '07:00', 'Consumer Price Index (YoY)', 'HIGH', percent(3.1, 0.3, { isMoreBetter: null })],
    [4, '12:00', 'Interest Rate Decision', 'HIGH', rate(4)],
    [4, '12:00', 'Monetary Policy Report', 'MEDIUM', 'report'],
    [5, '07:00', 'Retail Sales (MoM)', 'HIGH', percent(0.2, 0.8)],
    [5, '09:00', 'House Price Index (MoM)', 'LOW', 'tentative'],
    [1, '00:01', 'House Price Balance', 'LOW', percent(-8, 6, { decimals: 0 })],
    [2, '07:00', 'Unemployment Rate (3M)', 'MEDIUM', percent(4.8, 0.1, LESS)],
    [3, '07:00', 'Producer Prices Output (MoM)', 'LOW', percent(0.1, 0.3, { isMoreBetter: null })],
    [4, '07:00', 'Industrial Production (MoM)', 'MEDIUM', percent(0.1, 0.8)],
    [4, '17:00', 'Central Bank Governor Speech', 'HIGH', 'speech'],
    [5, '09:30', 'Services Index', 'MEDIUM', index(51.8, 1, FLASH)],
  ]),
  ...at('CA', [
    [1, '08:30', 'Manufacturing Sales (MoM)', 'LOW', percent(0.4, 1.5)],
    [2, '08:30', 'Consumer Price Index (MoM)', 'HIGH', percent(0.2, 0.2, { isMoreBetter: null })],
    [3, '09:45', 'Interest Rate Decision', 'HIGH', rate(2.75)],
    [4, '08:15', 'Housing Starts', 'MEDIUM', thousands(246, 14)],
    [5, '08:30', 'Net Change in Employment', 'HIGH', thousands(12, 26)],
    [5, '08:30', 'Unemployment Rate', 'HIGH', percent(6.7, 0.2, LESS)],
    [1, '10:30', 'Business Outlook Survey', 'LOW', 'report'],
    [3, '08:30', 'Labour Productivity (QoQ)', 'LOW', percent(0.1, 0.6, QUARTER)],
    [4, '08:30', 'Wholesale Sales (MoM)', 'LOW', percent(0.3, 1)],
  ]),
  ...at('US', [
    [1, '10:00', 'Manufacturing Index', 'HIGH', index(48.7, 1.4)],
    [1, '15:00', 'Consumer Credit Change', 'LOW', billions('$')(9.8, 6)],
    [2, '08:30', 'Housing Starts', 'MEDIUM', thousands(1380, 60, { decimals: 0 })],
    [2, '10:00', 'Consumer Confidence', 'HIGH', index(98.2, 4)],
    [2, '16:30', 'Weekly Crude Oil Stocks', 'LOW', { ...thousands(0.4, 3, WEEK), potency: 'M' }],
    [3, '08:30', 'Consumer Price Index (MoM)', 'HIGH', percent(0.2, 0.1, { isMoreBetter: null })],
    [3, '08:30', 'Consumer Price Index (YoY)', 'HIGH', percent(2.8, 0.2, { isMoreBetter: null })],
    [3, '14:00', 'Interest Rate Decision', 'HIGH', rate(4)],
    [3, '14:30', 'Central Bank Press Conference', 'HIGH', 'speech'],
    [4, '08:30', 'Initial Jobless Claims', 'MEDIUM', thousands(224, 9, { ...LESS, ...WEEK, decimals: 0 })],
    [4, '08:30', 'Gross Domestic Product Annualised', 'HIGH', percent(2.2, 0.7, { ...QUARTER, ...FLASH })],
    [4, '13:00', 'Central Bank Member Speech', 'LOW', 'speech'],
    [5, '08:30', 'Payrolls Change', 'HIGH', thousands(120, 60, { decimals: 0 })],
    [5, '08:30', 'Unemployment Rate', 'HIGH', percent(4.3, 0.1, LESS)],
    [5, '10:00', 'Factory Orders (MoM)', 'MEDIUM', percent(0.3, 1.5)],
    [1, '10:00', 'Construction Spending (MoM)', 'LOW', percent(0.2, 0.5)],
    [1, '11:30', '3-Month Bill Auction', 'LOW', percent(4.05, 0.06, { decimals: 2, isMoreBetter: null })],
    [2, '09:00', 'House Price Index (MoM)', 'LOW', percent(0.2, 0.3)],
    [2, '10:00', 'Job Openings', 'MEDIUM', { ...thousands(7.6, 0.3), potency: 'M' }],
    [
      3,
      '10:30',
      'Crude Oil Stocks Change',
      'LOW',
      { ...thousands(-1.1, 3, WEEK), potency: 'M', isMoreBetter: null },
    ],
    [3, '13:00', '10-Year Note Auction', 'LOW', percent(4.2, 0.08, { decimals: 2, isMoreBetter: null })],
    [
      4,
      '08:30',
      'Continuing Jobless Claims',
      'LOW',
      { ...thousands(1.92, 0.03, WEEK), potency: 'M', decimals: 2, isMoreBetter: false },
    ],
    [4, '10:00', 'Existing Home Sales', 'MEDIUM', { ...thousands(4.05, 0.12), potency: 'M', decimals: 2 }],
    [5, '08:30', 'Average Hourly Earnings (MoM)', 'HIGH', percent(0.3, 0.1)],
    [5, '10:00', 'Consumer Sentiment', 'MEDIUM', index(62, 4, FLASH)],
    [5, '15:30', 'Positions of Speculators', 'LOW', { ...thousands(96, 20, WEEK), isMoreBetter: null }],
  ]),
];

/** One of these has a public holiday each week. */
const HOLIDAY_PLACES: readonly [Place, ...Place[]] = ['JP', 'US', 'CA', 'UK', 'NZ'];

/** Index of each random number of an occurrence; each is used for one decision. */
const DRAW = { value: 1, consensus: 2, isRevised: 3, revision: 4, delay: 5, delayLength: 6 } as const;

type Figures = {
  actual: number;
  consensus: number;
  previous: number;
  revised: number | null;
  isBetterThanExpected: boolean | null;
};

function rounded(value: number, { decimals, step }: FigureShape): number {
  const whole = step === undefined ? value : Math.round(value / step) * step;
  // Adding zero turns -0 into 0.
  return Number(whole.toFixed(decimals)) + 0;
}

/**
 * Derived from the seed, so a week's previous figure is the actual one of the week before.
 * @param seed of the series
 * @param week counted from any beginning
 */
function figuresOf(shape: FigureShape, seed: number, week: number): Figures {
  const { level, spread, isMoreBetter } = shape;
  const valueOf = (at: number): number => {
    return rounded(level + spread * gauss(mix(seed, at), DRAW.value), shape);
  };
  const own = mix(seed, week);
  const actual = valueOf(week);
  const previous = valueOf(week - 1);
  // A forecast is based on the last figure and the usual level.
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

/** Delay of a figure, ms: mostly some seconds, seldom minutes. */
function delayOf(seed: number, week: number): number {
  const own = mix(seed, week);
  const at = unit(own, DRAW.delayLength);
  const kind = unit(own, DRAW.delay);
  if (kind < 0.7) return Math.round(1000 + 5000 * at);
  return Math.round(kind < 0.94 ? 8000 + 40_000 * at : 60_000 + 90_000 * at);
}

const FIRST_WEEK = Date.UTC(2024, 0, 1);
/** A tentative event is confirmed or moved this long before. */
const CERTAIN_BEFORE_MS = 120 * MINUTE_MS;
/** Share of skipped events of low impact, so that weeks differ. */
const LEFT_OUT = 0.15;

type Change = { at: number; members: Partial<CalendarEvent> };

type Planned = { event: CalendarEvent; changes: readonly Change[] };

export function eventAt({ event, changes }: Planned, now: number): CalendarEvent {
  const past = changes.filter(({ at }) => at <= now);
  return past.length === 0 ? event : Object.assign({}, event, ...past.map(({ members }) => members));
}

const changedBetween = ({ changes }: Planned, after: number, until: number): boolean =>
  changes.some(({ at }) => at > after && at <= until);

function nextChange(planned: readonly Planned[], now: number): number {
  let next = Number.POSITIVE_INFINITY;
  for (const { changes } of planned) {
    for (const { at } of changes) if (at > now && at < next) next = at;
  }
  return next;
}

export const mondayOf = (time: number): string =>
  new Date(FIRST_WEEK + Math.floor((time - FIRST_WEEK) / (7 * DAY_MS)) * 7 * DAY_MS)
    .toISOString()
    .slice(0, 10);

const iso = (time: number): string => new Date(time).toISOString().replace('.000Z', 'Z');

const TENTATIVE_SHAPE: FigureShape = percent(0.4, 0.9);

function periodDate(date: string, period: FigureShape['period']): string {
  if (period === 'WEEK') return `${addDays(date, -7)}T00:00:00Z`;
  const year = Number(date.slice(0, 4));
  const month = Number(date.slice(5, 7)) - 1;
  const first = period === 'MONTH' ? month - 1 : Math.floor(month / 3) * 3 - 3;
  return iso(Date.UTC(year, first, 1));
}

const seriesKey = ({ place, name }: Series): string => mix(textSeed(`${place} ${name}`), 0).toString(36);

type Occurrence = { series: Series; seed: number; week: number; date: string; time: number };

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

/** A tentative event gets its final time; a figure comes some seconds late. */
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
 * All events of a week, the same for the same seed.
 * @param monday YYYY-MM-DD
 * @param only the key of one series; all if absent
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

/** Converts local times to instants; caches the offset functions, which are slow to make. */
type LocalTimes = {
  /**
   * A time skipped by daylight saving gives one near it.
   * @param date YYYY-MM-DD
   * @param time 'HH:MM'
   * @returns epoch ms
   */
  instant(zone: string, date: string, time: string): number;
};

export function createLocalTimes(): LocalTimes {
  const offsets = new Map<string, (instant: number) => number>();

  function offsetOf(zone: string): (instant: number) => number {
    const known = offsets.get(zone);
    if (known) return known;
    const made = createZoneOffset(zone);
    offsets.set(zone, made);
    return made;
  }

  return {
    instant(zone, date, time) {
      const offset = offsetOf(zone);
      const local = Date.parse(`${date}T${time}:00Z`);
      return local - offset(local - offset(local));
    },
  };
}

type SimulatedCalendarOptions = {
  seed: number;
  clock: Clock;
  wall: Clock;
  log: Log;
  schedule?: Scheduler;
};

const STEP_MS = 1000;
/** The days that any time zone shows, plus the hour until the next complete list. */
const BACK_MS = 3 * DAY_MS;
const AHEAD_MS = 2 * DAY_MS + 3 * HOUR_MS;

function createPlans(seed: number): (span: Span) => Planned[] {
  const times = createLocalTimes();
  let weeks = new Map<string, Planned[]>();
  return ({ from, until }) => {
    const used = new Map<string, Planned[]>();
    for (let time = from; time < until + 7 * DAY_MS; time += 7 * DAY_MS) {
      const monday = mondayOf(Math.min(time, until));
      used.set(monday, weeks.get(monday) ?? planWeek(monday, seed, times));
    }
    weeks = used;
    return [...used.values()].flat();
  };
}

/** Earlier events of a series, derived from the seed. */
function createPast(seed: number): NonNullable<CalendarSource['past']> {
  const times = createLocalTimes();
  return (series, before, count) =>
    Array.from({ length: count + 1 }, (_, week) => mondayOf(before - week * 7 * DAY_MS))
      .flatMap((monday) => planWeek(monday, seed, times, series))
      .map((planned) => eventAt(planned, before))
      .filter((event) => event.series === series && Date.parse(event.dateUtc) < before);
}

/** Sends the whole calendar at first, each hour and after the clock went back; otherwise changes. */
function createStatements(seed: number) {
  const plansOf = createPlans(seed);
  let last: number | null = null;
  let planned: Planned[] = [];
  let nextAt = 0;

  function stateAll(sink: CalendarSink, now: number): void {
    const hour = Math.floor(now / HOUR_MS) * HOUR_MS;
    const span = { from: hour - BACK_MS, until: hour + AHEAD_MS };
    planned = plansOf(span);
    const events = planned.map((item) => eventAt(item, now));
    sink.replace(
      span,
      events.filter((event) => isWithin(event, span)),
    );
  }

  return (sink: CalendarSink, now: number): boolean => {
    const before = last;
    last = null;
    const isSameHour = before !== null && Math.floor(now / HOUR_MS) === Math.floor(before / HOUR_MS);
    const isAll = before === null || !isSameHour || now < before;
    const changed = isAll || now < nextAt ? [] : planned.filter((item) => changedBetween(item, before, now));
    if (isAll) stateAll(sink, now);
    else if (changed.length > 0) sink.apply(changed.map((item) => eventAt(item, now)));
    if (isAll || changed.length > 0) nextAt = nextChange(planned, now);
    last = now;
    return isAll || changed.length > 0;
  };
}

/**
 * An invented economic calendar whose figures arrive some seconds after their time. It is labelled
 * 'Simulated' and says nothing about a real economy.
 */
export function createSimulatedCalendar(options: SimulatedCalendarOptions): CalendarSource {
  const { seed, clock, wall, log, schedule = timerScheduler } = options;
  let cancel: (() => void) | null = null;
  let lastSuccess: number | null = null;
  let problem: string | null = null;

  function step(state: ReturnType<typeof createStatements>, sink: CalendarSink): void {
    try {
      if (state(sink, clock.now())) lastSuccess = wall.now();
      problem = null;
    } catch (error) {
      if (!problem) log.error('A step of the simulated calendar failed', { error });
      problem = 'The simulated calendar stopped because of an error. See the log and restart the server.';
    }
  }

  return {
    name: 'simulator',
    label: () => 'Simulated',
    clock,
    async start(sink) {
      if (cancel) return;
      const state = createStatements(seed);
      const again = (): void => {
        step(state, sink);
        cancel = schedule(STEP_MS, again);
      };
      again();
    },
    async stop() {
      cancel?.();
      cancel = null;
    },
    health: () => ({ healthy: problem === null, problem, lastSuccess }),
    past: createPast(seed),
  };
}
