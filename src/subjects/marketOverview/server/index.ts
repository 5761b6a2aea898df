import { addDays } from '#lib/sydneyTime.ts';
import { createMinuteKeys, dateOf, dayOfKey } from '#market/rules/localTime.ts';
import type { Market } from '#market/types.ts';
import type { App, Part } from '#platform/app.ts';
import { serve } from '#platform/http/routes.ts';
import { createEncodedAnswers, sendEncoded } from '#platform/http/encodedAnswers.ts';
import { createUserLimit, type UserLimit } from '#platform/http/requestLimits.ts';
import { OVERVIEW } from '../contract.ts';
import { curveStore, type CurveStore, OverviewService } from './service.ts';
import { closesEarly, isTradingDay } from '#market/rules/tradingDay.ts';
import { isFund } from '#market/rules/stockState.ts';
import {
  CURVE_STEP_MINUTES,
  emptyCurve,
  pointAt,
  type SessionCurves,
  sinceOpen,
} from '../rules/valueCurve.ts';

/** A value that is read later than this after a point does not count for the point. */
const LATE_MINUTES = 1;
/** Points per write. A crash may lose half an hour; longer intervals save SD cards. */
const POINTS_A_WRITE = 6;

type RunningCurves = { date: string; shares: (number | null)[]; funds: (number | null)[] };

function tradedNow(market: Market): { shares: number; funds: number } {
  let shares = 0;
  let funds = 0;
  for (const stock of market.all().values()) {
    if (isFund(stock)) funds += stock.value ?? 0;
    else shares += stock.value ?? 0;
  }
  return { shares: Math.round(shares), funds: Math.round(funds) };
}

/** Records the value traded every five minutes of a session, except on days that close early. */
class CurveRecorder {
  private readonly keyAt = createMinuteKeys();
  private running: RunningCurves | null = null;
  private point = -1;
  private unsaved = 0;

  constructor(
    private readonly app: App,
    private readonly store: CurveStore,
  ) {}

  /** Checks for a new point; cheap except after one. */
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

  /** Writes new points; a failed write is retried with the next ones. */
  save(): void {
    const { running } = this;
    if (running === null || this.unsaved === 0) return;
    const { date, ...curves } = running;
    try {
      this.store.save(date, curves satisfies SessionCurves);
      this.unsaved = 0;
    } catch (error) {
      this.app.log
        .child('overview')
        .error('Could not save the value traded by time of day; trying again', { error });
    }
  }

  /** An earlier run may have started the curves, so read them. */
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

/** Limit per user; each window sends one request per session. */
const MAX_REQUESTS_A_MINUTE = 60;
/** Bytes of two cached answers; the ranges of 2,000 stocks are the larger one. */
const MAX_ENCODED = 400_000;
/** Days for which curves are stored, enough for 20 sessions with holidays. */
const KEPT_DAYS = 60;

const routesOf = ({ overnight }: App, overview: OverviewService, count: UserLimit) =>
  serve(OVERVIEW, {
    'GET /api/data/usual-value': async ({ user, request }) => {
      count(user.id);
      const answer = await overview.usualValue(request);
      return sendEncoded(answer, request);
    },
    'GET /api/data/price-ranges': async ({ user, request }) => {
      count(user.id);
      const answer = await overview.priceRanges(request);
      return sendEncoded(answer, request);
    },
    'GET /api/data/overnight': ({ user }) => {
      count(user.id);
      return { figures: overnight.figures() };
    },
  });

/**
 * Data that the market overview compares the session with. If the source cannot read its past, the value traded every
 * five minutes is stored for 60 days per source.
 */
export function createOverview(app: App) {
  const { clock, db, market, source } = app;
  const store = source.history?.isDeep ? null : curveStore(db, source.name);
  const recorder = store && new CurveRecorder(app, store);
  const encoded = createEncodedAnswers(MAX_ENCODED);
  const service = new OverviewService(app, store, encoded);
  const count = createUserLimit(clock, MAX_REQUESTS_A_MINUTE, 'Too many requests for the market overview.');
  const summary = () => ({
    encoded: encoded.size(),
    sessions: store?.count(market.date()) ?? null,
  });
  return {
    name: 'overview',
    service,
    routes: () => routesOf(app, service, count),
    onChanges: () => recorder?.onTick(),
    onJump: () => service.jump(),
    stop: () => recorder?.save(),
    prune: () => ({ removed: store?.prune(addDays(market.date(), -KEPT_DAYS)) ?? 0, hasMore: false }),
    inspect: () => ({
      label: 'Market overview',
      description: 'Sessions stored for the usual value, and the size of cached answers.',
      summary: summary(),
      data: summary,
    }),
  } satisfies Part;
}
