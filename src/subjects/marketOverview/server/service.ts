import { isRecord } from '#lib/json.ts';
import { packJson, unpackJsonOrNull } from '#lib/pack.ts';
import { readNumber } from '#lib/read.ts';
import type { Db } from '#platform/db/open.ts';
import {
  CURVE_POINTS,
  type SessionCurves,
  type ValueCurve,
  MAX_SESSIONS,
  meanCurve,
  pointAfter,
  sinceOpen,
} from '../rules/valueCurve.ts';
import type { Wire } from '#lib/contract/fields.ts';
import type { PastBars } from '#market/bars/pastBars.ts';
import { addDays } from '#lib/sydneyTime.ts';
import { dateOf, dayOf, dayOfKey } from '#market/rules/localTime.ts';
import { MARKET_LOADING } from '#market/rules/liveSymbols.ts';
import type { App } from '#platform/app.ts';
import {
  createRunningAnswers,
  type Encoded,
  type EncodedAnswers,
  encodeInSteps,
  isSameVersion,
  type Version,
} from '#platform/http/encodedAnswers.ts';
import { refusedFor } from '#platform/http/errors.ts';
import type { Steps } from '#platform/http/readQueue.ts';
import type { priceRangesAnswer, usualValueAnswer } from '../answers/overview.ts';
import { closesEarly } from '#market/rules/tradingDay.ts';
import type { Stock } from '#market/rules/stock.ts';
import { isFund } from '#market/rules/stockState.ts';
import { drawable } from '#market/bars/rules/quoteBars.ts';
import type { PriceRange, PriceRanges } from '#market/rules/breadth.ts';

type Row = { curves: Uint8Array };

function readCurve(value: unknown): ValueCurve | null {
  if (!Array.isArray(value) || value.length !== CURVE_POINTS) return null;
  return value.map(readNumber);
}

function readRow({ curves }: Row): SessionCurves | null {
  const value = unpackJsonOrNull(curves);
  if (!isRecord(value)) return null;
  const shares = readCurve(value['shares']);
  const funds = readCurve(value['funds']);
  return shares && funds && { shares, funds };
}

/** The stored value curves of one source. Dates are Sydney dates, YYYY-MM-DD. @param source its name */
export function curveStore({ $client }: Db, source: string) {
  const one = $client.query<Row, [string, string]>(
    'SELECT curves FROM value_curves WHERE source = ? AND date = ?',
  );
  const before = $client.query<Row, [string, string, number]>(
    'SELECT curves FROM value_curves WHERE source = ? AND date < ? ORDER BY date DESC LIMIT ?',
  );
  const countBefore = $client.query<{ count: number }, [string, string]>(
    'SELECT count(*) AS count FROM value_curves WHERE source = ? AND date < ?',
  );
  const upsert = $client.query(
    'INSERT INTO value_curves (source, date, curves) VALUES (?, ?, ?) ' +
      'ON CONFLICT (source, date) DO UPDATE SET curves = excluded.curves',
  );
  const drop = $client.query('DELETE FROM value_curves WHERE source = ? AND date < ?');
  return {
    /** Null if there is none or it is unreadable. */
    of(date: string): SessionCurves | null {
      const row = one.get(source, date);
      return row && readRow(row);
    },
    /** Curves of the last sessions before a date, newest first, without unreadable ones. */
    before: (date: string, most: number): SessionCurves[] =>
      before.all(source, date, most).flatMap((row) => readRow(row) ?? []),
    count: (date: string): number => countBefore.get(source, date)?.count ?? 0,
    save: (date: string, curves: SessionCurves): void => void upsert.run(source, date, packJson(curves)),
    /** Deletes curves before a date. @returns their number */
    prune: (date: string): number => drop.run(source, date).changes,
  };
}

export type CurveStore = ReturnType<typeof curveStore>;

const YEAR_DAYS = 260;

/** Approximate value of a day (a day number), AUD. */
type DayValue = { day: number; value: number };

type PastDays = {
  /** Highest and lowest price of a year, for stocks for which the source has none. */
  ranges: PriceRanges;
  /** First day of the ranges, a day number; null for none. */
  since: number | null;
  /** Value of each stock on the last days, oldest first. */
  traded: ReadonlyMap<string, readonly DayValue[]>;
};

/** Reads the daily bars of all stocks, one stock per step. @param date only earlier days count, YYYY-MM-DD */
function* readPastDays(past: PastBars, stocks: ReadonlyMap<string, Stock>, date: string): Steps<PastDays> {
  const end = dayOf(date);
  const first = dayOf(addDays(date, -364));
  const ranges = new Map<string, PriceRange>();
  const traded = new Map<string, DayValue[]>();
  let since = end;
  for (const { code, yearRange } of stocks.values()) {
    const bars = past
      .days(code, yearRange ? MAX_SESSIONS : YEAR_DAYS)
      .filter(({ key }) => key < end)
      .map(drawable);
    const last = bars.slice(-MAX_SESSIONS);
    traded.set(
      code,
      last.map(({ key, high, low, close, volume }) => ({
        day: key,
        value: ((high + low + close) / 3) * volume,
      })),
    );
    const year = yearRange ? [] : bars.filter(({ key }) => key >= first);
    if (year[0]) {
      const [high, low] = [Math.max(...year.map((bar) => bar.high)), Math.min(...year.map((bar) => bar.low))];
      ranges.set(code, { high, low });
      since = Math.min(since, year[0].key);
    }
    yield;
  }
  return { ranges, since: since === end ? null : since, traded };
}

/** Number of stocks whose minutes give the day's shape; they have three quarters of the value. */
const LEADERS = 60;

type DayValues = Map<number, number>;

/** Value of each of the last days, AUD by day number, and the most traded stocks. */
function dayTotals({ traded }: PastDays, codes: readonly string[]) {
  const totals: DayValues = new Map();
  const sums = codes.map((code) => {
    let sum = 0;
    for (const { day, value } of traded.get(code) ?? []) {
      totals.set(day, (totals.get(day) ?? 0) + value);
      sum += value;
    }
    return { code, sum };
  });
  sums.sort((a, b) => b.sum - a.sum || (a.code < b.code ? -1 : 1));
  return { totals, leaders: sums.slice(0, LEADERS).map(({ code }) => code) };
}

/** Cumulative value of these stocks at each point of the last days, AUD by day number. */
function* pointTotals(past: PastBars, codes: readonly string[], before: number) {
  const days = new Map<number, number[]>();
  for (const code of codes) {
    const minutes = yield* past.minutes(code, MAX_SESSIONS + 1);
    for (const { key, close, volume } of minutes) {
      const day = dayOfKey(key);
      if (day >= before) continue;
      const points = days.get(day) ?? new Array<number>(CURVE_POINTS).fill(0);
      days.set(day, points);
      const point = pointAfter(sinceOpen(key));
      points[point] = (points[point] ?? 0) + close * volume;
    }
    yield;
  }
  return days;
}

type Sources = { past: PastBars; days: PastDays };

function* curvesOf(
  { past, days: known }: Sources,
  codes: readonly string[],
  before: number,
): Steps<Map<number, ValueCurve>> {
  const { totals, leaders } = dayTotals(known, codes);
  const days = yield* pointTotals(past, leaders, before);
  const curves = new Map<number, ValueCurve>();
  for (const [day, points] of days) {
    const led = points.reduce((sum, value) => sum + value, 0);
    const whole = totals.get(day) ?? 0;
    if (led === 0 || whole === 0) continue;
    let sum = 0;
    curves.set(
      day,
      points.map((value) => Math.round(((sum += value) / led) * whole)),
    );
  }
  return curves;
}

/**
 * The value curves of the last sessions for a source that can read its past, in steps. The minutes of the most traded
 * stocks give the shape, daily bars of all stocks the height.
 * @param date only earlier days count, YYYY-MM-DD
 */
function* pastCurves(
  sources: Sources,
  stocks: ReadonlyMap<string, Stock>,
  date: string,
): Steps<SessionCurves[]> {
  const of = (funds: boolean): string[] =>
    [...stocks.values()].filter((stock) => isFund(stock) === funds).map(({ code }) => code);
  const before = dayOf(date);
  const shares = yield* curvesOf(sources, of(false), before);
  const funds = yield* curvesOf(sources, of(true), before);
  const none: ValueCurve = new Array<number>(CURVE_POINTS).fill(0);
  return [...shares]
    .filter(([day]) => !closesEarly(dateOf(day)))
    .sort(([a], [b]) => b - a)
    .slice(0, MAX_SESSIONS)
    .map(([day, curve]) => ({ shares: curve, funds: funds.get(day) ?? none }));
}

/**
 * Usual value and price ranges, with which the session is compared. The answers are equal for all users while session
 * and stocks stay the same.
 */
export class OverviewService {
  private readonly answers = createRunningAnswers<Encoded>();
  /** Daily bars, which both answers use; kept while one of them is being made. */
  private days: { of: string; read: Promise<PastDays> } | null = null;

  /** @param store null for a source that can read its past at any time, so that nothing is stored */
  constructor(
    private readonly app: App,
    private readonly store: CurveStore | null,
    private readonly encoded: EncodedAnswers,
  ) {}

  /** @param request decides the encoding of the answer @throws AppError 503 before the first stock */
  usualValue(request: Request): Promise<Encoded> {
    return this.answer('usual value', request, () => this.readUsual());
  }

  priceRanges(request: Request): Promise<Encoded> {
    return this.answer('price ranges', request, () => this.readRanges());
  }

  /** The replay jumped: drop cached and pending reads. */
  jump(): void {
    this.answers.clear();
    this.days = null;
    this.encoded.clear();
  }

  private async answer(
    what: string,
    request: Request,
    read: () => Promise<Steps<unknown>>,
  ): Promise<Encoded> {
    const {
      app: { market, reads },
      encoded,
    } = this;
    if (market.all().size === 0) throw refusedFor(2, 503, MARKET_LOADING);
    const version = this.version();
    const known = encoded.get(what, version);
    if (known) return known;
    try {
      const made = await this.answers.of(`${what} ${version.join(' ')}`, async () =>
        reads.runShared(encodeInSteps(await read(), request)),
      );
      if (isSameVersion(version, this.version())) encoded.put(what, version, made);
      return made;
    } finally {
      if (this.answers.size() === 0) this.days = null;
    }
  }

  private version(): Version {
    return [this.app.market.date(), this.app.market.all().size];
  }

  private pastDays(): Promise<PastDays> {
    const { market, reads, values: past } = this.app;
    const of = this.version().join(' ');
    if (this.days?.of !== of) {
      this.days = { of, read: reads.runShared(readPastDays(past, market.all(), market.date())) };
    }
    return this.days.read;
  }

  private async readUsual(): Promise<Steps<Wire<typeof usualValueAnswer>>> {
    const {
      app: { market, values: past },
      store,
    } = this;
    const date = market.date();
    if (store !== null) return usualOf(date, storedCurves(store, date));
    const days = await this.pastDays();
    return usualOf(date, pastCurves({ past, days }, market.all(), date));
  }

  private async readRanges(): Promise<Steps<Wire<typeof priceRangesAnswer>>> {
    const date = this.app.market.date();
    return rangesOf(date, await this.pastDays());
  }
}

function* storedCurves(store: CurveStore, date: string): Steps<SessionCurves[]> {
  yield;
  return store.before(date, MAX_SESSIONS);
}

function* usualOf(date: string, curves: Steps<SessionCurves[]>): Steps<Wire<typeof usualValueAnswer>> {
  const sessions = yield* curves;
  const mean = (kind: keyof SessionCurves) => [...meanCurve(sessions.map((one) => one[kind]))];
  return { date, sessions: sessions.length, shares: mean('shares'), funds: mean('funds') };
}

function* rangesOf(date: string, { ranges, since }: PastDays): Steps<Wire<typeof priceRangesAnswer>> {
  yield;
  const values = [...ranges.values()];
  return {
    date,
    since: since === null ? null : dateOf(since),
    codes: [...ranges.keys()],
    highs: values.map(({ high }) => high),
    lows: values.map(({ low }) => low),
  };
}
