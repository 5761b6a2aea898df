import type { Log } from '#lib/log.ts';
import { closesEarly } from '#market/rules/tradingDay.ts';
import { createMinuteKeys, dateOf, dayOfKey } from '#market/rules/localTime.ts';
import { isTradingDay } from '#market/rules/tradingDay.ts';
import type { Market } from '#market/types.ts';
import type { MarketSource } from '#sources/quotes/source.ts';
import { isFund } from '#market/rules/securities.ts';
import {
  CURVE_STEP_MINUTES,
  emptyCurve,
  pointAt,
  type SessionCurves,
  sinceOpen,
} from '../rules/valueCurve.ts';
import type { CurveStore } from './curveStore.ts';

/** What is looked at later than this after a point is none of it. */
const LATE_MINUTES = 1;
/** Points that a crash may lose: half an hour. SD cards wear out. */
const POINTS_A_WRITE = 6;

type RunningCurves = { date: string; shares: (number | null)[]; funds: (number | null)[] };

export type CurveRecorderDeps = {
  market: Pick<Market, 'all' | 'date'>;
  source: Pick<MarketSource, 'clock' | 'health'>;
  store: CurveStore;
  log: Log;
};

/** AUD that shares and funds have traded today. */
function tradedNow(market: Pick<Market, 'all'>): { shares: number; funds: number } {
  let shares = 0;
  let funds = 0;
  for (const stock of market.all().values()) {
    if (isFund(stock)) funds += stock.value ?? 0;
    else shares += stock.value ?? 0;
  }
  return { shares: Math.round(shares), funds: Math.round(funds) };
}

/**
 * Notes what the market had traded by each five minutes of a session. A day that closes early is left out: its afternoon is
 * no usual one.
 */
export class CurveRecorder {
  private readonly keyAt = createMinuteKeys();
  private running: RunningCurves | null = null;
  private point = -1;
  private unsaved = 0;

  constructor(private readonly deps: CurveRecorderDeps) {}

  /** Looks at the market's clock; only a point that is passed costs more. */
  onTick(): void {
    const key = this.keyAt(this.deps.source.clock.now());
    const minutes = sinceOpen(key);
    const point = pointAt(minutes);
    if (point === this.point && this.running !== null) return;
    this.point = point;
    const date = dateOf(dayOfKey(key));
    if (point < 0 || !isTradingDay(date) || closesEarly(date) || this.deps.market.date() !== date) return;
    const running = this.runningOf(date);
    if (minutes - point * CURVE_STEP_MINUTES > LATE_MINUTES || !this.deps.source.health().healthy) return;
    const { shares, funds } = tradedNow(this.deps.market);
    if (shares + funds === 0) return;
    running.shares[point] = shares;
    running.funds[point] = funds;
    this.unsaved += 1;
    if (this.unsaved >= POINTS_A_WRITE) this.save();
  }

  /** Writes what is new; what can't be written is tried again with the next points. */
  save(): void {
    const { running } = this;
    if (running === null || this.unsaved === 0) return;
    const { date, ...curves } = running;
    try {
      this.deps.store.save(date, curves satisfies SessionCurves);
      this.unsaved = 0;
    } catch (error) {
      this.deps.log.error('The value traded by time of day could not be saved; trying again', { error });
    }
  }

  /** The curves of a date, which an earlier run may have begun. */
  private runningOf(date: string): RunningCurves {
    if (this.running?.date === date) return this.running;
    this.save();
    const kept = this.deps.store.of(date);
    this.unsaved = 0;
    this.running = {
      date,
      shares: kept ? [...kept.shares] : emptyCurve(),
      funds: kept ? [...kept.funds] : emptyCurve(),
    };
    return this.running;
  }
}
