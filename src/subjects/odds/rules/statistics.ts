import {
  type LeftOut,
  MIN_DAYS,
  MIN_ENTRIES,
  type OddsDays,
  type OddsDistribution,
  type OddsEntries,
  type OddsGroup,
  type OddsResult,
  type OddsSample,
} from './result.ts';
import { studentT95 } from './studentT.ts';

type Column = ArrayLike<number>;

/** The entries with a result that a statistic needs, in any order: one column per figure, `count` rows. */
export type EntryFigures = {
  count: number;
  /** A number per stock. */
  stocks: Column;
  /** Index of the session in the dates. */
  sessions: Column;
  minutes: Column;
  fills: Column;
  results: Column;
  resultsBefore: Column;
  /** 1 with an announcement, otherwise 0. */
  news: Column;
};

/** @param dates of all sessions, which include those of the entries */
export function figuresOf(entries: OddsEntries, dates: readonly string[]): EntryFigures {
  const places = new Map(dates.map((date, index) => [date, index]));
  const numbers = new Map<string, number>();
  for (const symbol of entries.symbols) if (!numbers.has(symbol)) numbers.set(symbol, numbers.size);
  return {
    count: entries.symbols.length,
    stocks: entries.symbols.map((symbol) => numbers.get(symbol) ?? 0),
    sessions: entries.dates.map((date) => places.get(date) ?? 0),
    minutes: entries.minutes,
    fills: entries.fills,
    results: entries.results,
    resultsBefore: entries.resultsBefore,
    news: entries.hasNews.map(Number),
  };
}

const EMPTY: OddsSample = {
  entries: 0,
  stocks: 0,
  days: 0,
  mean: null,
  low: null,
  high: null,
  median: null,
  winners: null,
  profitFactor: null,
  best: null,
  worst: null,
  meanBefore: null,
  isTooFew: true,
};

const at = (column: Column, index: number): number => column[index] ?? Number.NaN;

/**
 * Half of the 95 % interval of a mean whose entries are independent between days only (cluster-robust variance).
 * @returns null with fewer than two days
 */
function marginOf(deviations: ReadonlyMap<number, number>, entries: number): number | null {
  const days = deviations.size;
  if (days < 2) return null;
  let squares = 0;
  for (const deviation of deviations.values()) squares += deviation ** 2;
  return (studentT95(days - 1) * Math.sqrt((days / (days - 1)) * squares)) / entries;
}

function medianOf(sorted: Float64Array): number {
  const middle = sorted.length >> 1;
  const upper = at(sorted, middle);
  return sorted.length % 2 === 1 ? upper : (at(sorted, middle - 1) + upper) / 2;
}

/** @param chosen rows of the figures */
function sampleOf(figures: EntryFigures, chosen: readonly number[]): OddsSample {
  const entries = chosen.length;
  if (entries === 0) return EMPTY;
  const { results, resultsBefore, stocks, sessions } = figures;
  const sorted = Float64Array.from(chosen, (row) => at(results, row)).sort();
  const sums = { all: 0, before: 0, gains: 0, losses: 0, winners: 0 };
  const seen = new Set<number>();
  for (const row of chosen) {
    const result = at(results, row);
    sums.all += result;
    sums.before += at(resultsBefore, row);
    if (result > 0) {
      sums.gains += result;
      sums.winners += 1;
    } else sums.losses -= result;
    seen.add(at(stocks, row));
  }
  const mean = sums.all / entries;
  const deviations = new Map<number, number>();
  for (const row of chosen) {
    const day = at(sessions, row);
    deviations.set(day, (deviations.get(day) ?? 0) + at(results, row) - mean);
  }
  const margin = marginOf(deviations, entries);
  const days = deviations.size;
  return {
    entries,
    stocks: seen.size,
    days,
    mean,
    low: margin === null ? null : mean - margin,
    high: margin === null ? null : mean + margin,
    median: medianOf(sorted),
    winners: (sums.winners / entries) * 100,
    profitFactor: sums.losses > 0 ? sums.gains / sums.losses : null,
    best: at(sorted, entries - 1),
    worst: at(sorted, 0),
    meanBefore: sums.before / entries,
    isTooFew: entries < MIN_ENTRIES || days < MIN_DAYS,
  };
}

/** From −10 to 10 percent. */
const EDGES = Array.from({ length: 21 }, (_, index) => index - 10);

function distributionOf({ count, results }: EntryFigures): OddsDistribution {
  const counts = new Array<number>(EDGES.length + 1).fill(0);
  for (let row = 0; row < count; row += 1) {
    const place = Math.min(EDGES.length, Math.max(0, Math.floor(at(results, row)) + 11));
    counts[place] = (counts[place] ?? 0) + 1;
  }
  return { edges: [...EDGES], counts };
}

function daysOf(
  { count, sessions, results, resultsBefore }: EntryFigures,
  dates: readonly string[],
  gapMinutes: readonly number[],
): OddsDays {
  const zeros = (): number[] => dates.map(() => 0);
  const days = { dates: [...dates], entries: zeros(), sums: zeros(), sumsBefore: zeros() };
  for (let row = 0; row < count; row += 1) {
    const day = at(sessions, row);
    days.entries[day] = at(days.entries, day) + 1;
    days.sums[day] = at(days.sums, day) + at(results, row);
    days.sumsBefore[day] = at(days.sumsBefore, day) + at(resultsBefore, row);
  }
  return { ...days, gapMinutes: [...gapMinutes] };
}

type Grouping = { labels: readonly string[]; groupOf(row: number): number };

function groupsOf(figures: EntryFigures, { labels, groupOf }: Grouping): OddsGroup[] {
  const members = labels.map((): number[] => []);
  for (let row = 0; row < figures.count; row += 1) members[groupOf(row)]?.push(row);
  return labels.map((label, index) => ({ label, sample: sampleOf(figures, members[index] ?? []) }));
}

const OPEN_HOUR = 10;
const LAST_HOUR = 16;

const byHour = ({ minutes }: EntryFigures): Grouping => ({
  labels: [
    'Before 10:00',
    ...Array.from({ length: LAST_HOUR - OPEN_HOUR }, (_, index) => {
      const hour = OPEN_HOUR + index;
      return `${hour}:00 to ${hour + 1}:00`;
    }),
    'From 16:00',
  ],
  groupOf: (row) =>
    Math.min(LAST_HOUR, Math.max(OPEN_HOUR - 1, Math.floor(at(minutes, row) / 60))) - OPEN_HOUR + 1,
});

/** Lower ends of the price bands after the first, AUD. */
const PRICE_BANDS = [0.02, 0.1, 1, 10];

const byPrice = ({ fills }: EntryFigures): Grouping => ({
  labels: ['Under $0.02', '$0.02 to $0.10', '$0.10 to $1', '$1 to $10', '$10 or over'],
  groupOf: (row) => PRICE_BANDS.filter((from) => at(fills, row) >= from).length,
});

const byNews = ({ news }: EntryFigures): Grouping => ({
  labels: ['With an announcement', 'Without an announcement'],
  groupOf: (row) => 1 - at(news, row),
});

/** The first session of the held-out third, as an index. */
const heldOutFrom = (sessions: number): number => Math.ceil((sessions * 2) / 3);

export type OddsFacts = {
  entries: EntryFigures;
  /** All sessions of the run, oldest first, YYYY-MM-DD. */
  dates: readonly string[];
  /** How many of them were read so far. */
  sessions: number;
  /** Minutes without data during trading, per session that was read. */
  gapMinutes: readonly number[];
  leftOut: Readonly<Record<LeftOut, number>>;
  notes: readonly string[];
};

/** The statistics of a run, or of stored entries. Groups without an entry are included. */
export function resultOf({ entries, dates, sessions, gapMinutes, leftOut, notes }: OddsFacts): OddsResult {
  const border = heldOutFrom(dates.length);
  const all = Array.from({ length: entries.count }, (_, row) => row);
  const isHeldOut = (row: number): boolean => at(entries.sessions, row) >= border;
  return {
    sessions,
    all: sampleOf(entries, all),
    earlier: sampleOf(
      entries,
      all.filter((row) => !isHeldOut(row)),
    ),
    heldOut: sampleOf(entries, all.filter(isHeldOut)),
    heldOutFrom: dates[border] ?? null,
    leftOut,
    distribution: distributionOf(entries),
    days: daysOf(entries, dates.slice(0, sessions), gapMinutes),
    byHour: groupsOf(entries, byHour(entries)),
    byPrice: groupsOf(entries, byPrice(entries)),
    byNews: groupsOf(entries, byNews(entries)),
    notes: [...notes],
  };
}
