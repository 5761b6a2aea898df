import { addDays } from '#market/rules/sydneyTime.ts';
import { createMinuteKeys, dateOf, dayOfKey } from '#market/rules/localTime.ts';
import type { Market } from '#market/types.ts';
import type { App, Part } from '#platform/app.ts';
import { serve } from '#platform/http/routes.ts';
import { createEncodedAnswers, sendEncoded } from '#platform/http/encodedAnswers.ts';
import { createUserLimit, type UserLimit } from '#platform/http/requestLimits.ts';
import { GLANCE } from '../contract.ts';
import { curveStore, type CurveStore, GlanceService } from './service.ts';
import { closesEarly, isTradingDay } from '#market/rules/tradingDay.ts';
import { isFund } from '#market/rules/stockState.ts';
import {
  CURVE_STEP_MINUTES,
  emptyCurve,
  pointAt,
  type SessionCurves,
  sinceOpen,
} from '../rules/valueCurve.ts';

/** What is looked at later than this after a point is none of it. */
const LATE_MINUTES = 1;
/** Points that a crash may lose: half an hour. SD cards wear out. */
const POINTS_A_WRITE = 6;

type RunningCurves = { date: string; shares: (number | null)[]; funds: (number | null)[] };

/** AUD that shares and funds have traded today. */
function tradedNow(market: Market): { shares: number; funds: number } {
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
class CurveRecorder {
  private readonly keyAt = createMinuteKeys();
  private running: RunningCurves | null = null;
  private point = -1;
  private unsaved = 0;

  constructor(
    private readonly app: App,
    private readonly store: CurveStore,
  ) {}

  /** Looks at the market's clock; only a point that is passed costs more. */
  onTick(): void {
    const key = this.keyAt(this.app.source.clock.now());
    const minutes = sinceOpen(key);
    const point = pointAt(minutes);
    if (point === this.point && this.running !== null) return;
    this.point = point;
    const date = dateOf(dayOfKey(key));
    if (point < 0 || !isTradingDay(date) || closesEarly(date) || this.app.market.date() !== date) return;
    const running = this.runningOf(date);
    if (minutes - point * CURVE_STEP_MINUTES > LATE_MINUTES || !this.app.source.health().healthy) return;
    const { shares, funds } = tradedNow(this.app.market);
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
      this.store.save(date, curves satisfies SessionCurves);
      this.unsaved = 0;
    } catch (error) {
      this.app.log
        .child('glance')
        .error('The value traded by time of day could not be saved; trying again', { error });
    }
  }

  /** The curves of a date, which an earlier run may have begun. */
  private runningOf(date: string): RunningCurves {
    if (this.running?.date === date) return this.running;
    this.save();
    const kept = this.store.of(date);
    this.unsaved = 0;
    this.running = {
      date,
      shares: kept ? [...kept.shares] : emptyCurve(),
      funds: kept ? [...kept.funds] : emptyCurve(),
    };
    return this.running;
  }
}

/** Requests of one user in a minute: each window asks once a session. */
const MAX_REQUESTS_A_MINUTE = 60;
/** Two answers, of which the ranges of 2,000 stocks are the larger. */
const MAX_ENCODED = 400_000;
/** Twenty sessions lie within it, and those of a holiday. */
const KEPT_DAYS = 60;

const routesOf = (glance: GlanceService, count: UserLimit) =>
  serve(GLANCE, {
    'GET /api/data/usual-value': async ({ user, request }) => {
      count(user.id);
      const answer = await glance.usualValue(request);
      return sendEncoded(answer, request);
    },
    'GET /api/data/price-ranges': async ({ user, request }) => {
      count(user.id);
      const answer = await glance.priceRanges(request);
      return sendEncoded(answer, request);
    },
  });

/**
 * What the market at a glance compares the running session with. Where the source can't tell its past, the value traded by
 * each five minutes of a session is noted and kept for 60 days, each source's own.
 */
export function createGlance(app: App) {
  const { clock, db, market, source } = app;
  const store = source.history?.isDeep ? null : curveStore(db, source.name);
  const recorder = store && new CurveRecorder(app, store);
  const encoded = createEncodedAnswers(MAX_ENCODED);
  const service = new GlanceService(app, store, encoded);
  const count = createUserLimit(clock, MAX_REQUESTS_A_MINUTE, 'Too many looks at the market.');
  const summary = () => ({
    encoded: encoded.size(),
    sessions: store?.count(market.date()) ?? null,
  });
  return {
    name: 'glance',
    service,
    routes: () => routesOf(service, count),
    onChanges: () => recorder?.onTick(),
    onJump: () => service.jump(),
    stop: () => recorder?.save(),
    prune: () => ({ removed: store?.prune(addDays(market.date(), -KEPT_DAYS)) ?? 0, hasMore: false }),
    inspect: () => ({
      label: 'Market at a glance',
      description:
        'How many sessions are kept for the usual value, and the bytes of encoded answers that are held.',
      summary: summary(),
      data: summary,
    }),
  } satisfies Part;
}
