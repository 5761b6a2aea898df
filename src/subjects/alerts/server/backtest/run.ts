import { type Logic, operandsOf } from '#subjects/conditions/rules/condition.ts';
import { type ScanOf, scanRefs } from '#subjects/conditions/rules/savedScan.ts';
import { demandOfOperand } from '#subjects/conditions/rules/operand.ts';
import {
  DAY_DAYS,
  MINUTE_DAYS,
  periodsOf,
  backtestable,
  backtestOf,
  BacktestRun,
  type BacktestPeriod,
  type Runs,
} from '#subjects/alerts/rules/backtestRun.ts';
import type { BacktestedAlert, Backtest } from '#subjects/alerts/rules/backtest.ts';
import type { Catalog } from '#market/indicators/rules/types.ts';
import { dayOfKey } from '#market/rules/localTime.ts';
import type { PastBars } from '#market/bars/pastBars.ts';
import type { BarRow } from '#market/bars/rows.ts';
import { earlierDayCount } from '#market/bars/series.ts';
import { YEAR } from '#market/indicators/rules/indicatorKey.ts';
import { canCompute } from '#market/indicators/formulas/index.ts';
import { type IndicatorPlan, makePlan } from '#market/indicators/plan.ts';
import { createReplay } from '#market/indicators/replay.ts';
import { throughDays, throughMinutes, type KnownBars } from './moments.ts';

/** If its minutes have less than this share of a day's volume, some minutes are missing. */
const WHOLE = 0.9;

/**
 * A sentence about days with missing minutes, for example because the server was down; null if there are none. Detected
 * only on days with a daily bar.
 * @param from first tested day, a day number
 */
function gapsText({ days, minutes }: KnownBars, from: number): string | null {
  const traded = new Map<number, number>();
  for (const { key, volume } of minutes) {
    const day = dayOfKey(key);
    if (day >= from) traded.set(day, (traded.get(day) ?? 0) + volume);
  }
  const gaps = days.filter(({ key, volume }) => (traded.get(key) ?? volume) < volume * WHOLE).length;
  if (gaps === 0) return null;
  const these = gaps === 1 ? 'one day' : `${gaps} days`;
  return `Some minutes of ${these} are missing. They were not tested, and the volume after them is too low.`;
}

/** Fewer trading days than 52 weeks have, because small companies do not trade every day. */
const MIN_YEAR_DAYS = 200;
const NO_YEAR =
  'The price source has less than a year of daily bars, so 52-week highs and lows are unknown in the past.';

const readsYear = (logic: Logic, context: Omit<BacktestContext, 'past'>): boolean =>
  planOf(logic, context).frames.some(({ outputs }) =>
    outputs.some(({ place }) => place.kind === 'htf' && place.period === YEAR),
  );

/** Trading days of bars that live values are computed from, at least. */
export const KNOWN_DAYS = 260;
const KNOWN_MINUTE_DAYS = 5;

export type BacktestContext = {
  past: PastBars;
  catalog: Catalog;
  scanOf: ScanOf;
};

export function planOf(logic: Logic, { catalog, scanOf }: Omit<BacktestContext, 'past'>): IndicatorPlan {
  const scans = scanRefs(logic).flatMap(({ id }) => scanOf(id)?.logic ?? []);
  return makePlan([logic, ...scans].flatMap(operandsOf).flatMap(demandOfOperand), catalog.indicators);
}

export function earlierDays({ frames }: IndicatorPlan, isOfMinutes: (frame: string) => boolean): number {
  const counts = frames.filter(({ key }) => isOfMinutes(key)).map(({ key }) => earlierDayCount(key));
  return Math.max(0, ...counts);
}

export const isIntraday = (frame: string): boolean => Number.isInteger(Number(frame));

/** The first of the last `count` days; 0 if there are no rows. */
export function firstDay(rows: readonly BarRow[], count: number, dayOf: (key: number) => number): number {
  const days = [...new Set(rows.map(({ key }) => dayOf(key)))];
  return days.at(-count) ?? days[0] ?? 0;
}

export type Steps<T> = Generator<undefined, T>;

/** Reads the bars that a plan needs. @param intraday whether minutes are needed */
function* readBars({ past }: BacktestContext, code: string, plan: IndicatorPlan, intraday: boolean) {
  const days = past.days(code, DAY_DAYS + KNOWN_DAYS + earlierDays(plan, (frame) => !isIntraday(frame)));
  yield;
  if (!intraday) return { code, days, minutes: [] };
  const spare = plan.usesMinutes ? KNOWN_MINUTE_DAYS + earlierDays(plan, isIntraday) : 0;
  const minutes: BarRow[] = yield* past.minutes(code, MINUTE_DAYS + spare);
  return { code, days, minutes };
}

/**
 * Backtests an alert on a stock's bars, in short steps.
 * @param code upper case; without bars the answer says so
 * @param holdsNow whether the conditions hold in the market now; null if unknown
 */
export function* runBacktest(
  context: BacktestContext,
  code: string,
  alert: BacktestedAlert,
  holdsNow: boolean | null,
): Steps<Backtest> {
  const { catalog, past, scanOf } = context;
  const split = backtestable(alert.logic, { catalog, scanOf, canCompute: canCompute(catalog.indicators) });
  const { periods, sentences } = periodsOf(split, past.hasMinutes);
  const { logic } = split;
  const bars = yield* readBars(context, code, planOf(logic, context), periods.includes('minutes'));
  if (bars.days.length < MIN_YEAR_DAYS && readsYear(logic, context)) sentences.push(NO_YEAR);
  const runs: Runs = {};
  const runPeriod = function* (period: BacktestPeriod): Steps<void> {
    const run = new BacktestRun({ ...alert, logic }, scanOf);
    // Values are computed separately for each period.
    const replay = createReplay(planOf(logic, context), past.beganUnseen);
    if (period === 'minutes') {
      const from = firstDay(bars.minutes, MINUTE_DAYS, dayOfKey);
      const gaps = gapsText(bars, from);
      if (gaps !== null) sentences.push(gaps);
      yield* throughMinutes(bars, { replay, from }, run.evaluate);
    } else {
      const from = firstDay(bars.days, DAY_DAYS, (key) => key);
      yield* throughDays(bars, { replay, from }, run.evaluate);
    }
    runs[period] = run.result(holdsNow);
  };
  // Daily bars see at most two firings a day, so they are used only without minutes.
  for (const period of periods) {
    yield* runPeriod(period);
    if (runs[period]) break;
  }
  return backtestOf(runs, sentences, holdsNow);
}
