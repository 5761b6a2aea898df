import { checkAlertLogic } from '#subjects/alerts/rules/alertRules.ts';
import { SCAN_OPTIONS, STOCK_OPTIONS, type ScanScope } from '#subjects/alerts/answers/options.ts';
import { checkWatchedScan, listsOfScan } from '#subjects/alerts/rules/scanAlerts/scanAlertRules.ts';
import type { ScanBacktest } from '#subjects/alerts/rules/scanAlerts/scanAlert.ts';
import type { WatchedScan } from '#subjects/alerts/answers/scanAlert.ts';
import type { Logic } from '#subjects/conditions/rules/condition.ts';
import { isOnSide } from '#subjects/conditions/rules/scanLists.ts';
import type { App } from '#platform/app.ts';
import type { SentScanAlert } from '../scanAlerts/service.ts';
import type { BacktestedAlert, Backtest } from '#subjects/alerts/rules/backtest.ts';
import type { BacktestedScan } from '#subjects/alerts/rules/scanAlerts/scanBacktest.ts';
import { namedScans } from '#subjects/conditions/rules/savedScan.ts';
import { checkLiveSymbol } from '#market/rules/liveSymbols.ts';
import { createUserLimit, userKey } from '#platform/http/requestLimits.ts';
import { accepted, AppError } from '#platform/http/errors.ts';
import type { Steps } from '#platform/http/readQueue.ts';
import type { AlertEngine } from '../engine/engine.ts';
import { runBacktest } from './run.ts';
import { backtestScan } from './scanRun.ts';

type SentBacktest = { symbol: string; logic_json?: unknown; cooldown_minutes?: unknown };

const A_MINUTE = 30;
/** Limit per minute. Each backtest runs all stocks, which takes seconds. */
const SCANS_A_MINUTE = 10;
/** Cached results of the day, for users who change only the name or return to the dialog. */
const KEPT_SCANS = 50;

/** Runs steps until the caller has disconnected. */
function* whileWaitedFor<T>(steps: Steps<T>, signal: AbortSignal | undefined): Steps<T> {
  for (;;) {
    if (signal?.aborted) throw new AppError(429, 'The backtest was cancelled.');
    const step = steps.next();
    if (step.done) return step.value;
    yield;
  }
}

/** Runs backtests as long reads. */
export class Backtests {
  private readonly countBacktest: (userId: number) => void;
  private readonly countScan: (userId: number) => void;
  private readonly keptScans = new Map<string, ScanBacktest>();

  constructor(
    private readonly app: App,
    private readonly engine: AlertEngine,
  ) {
    this.countBacktest = createUserLimit(app.clock, A_MINUTE, 'Too many backtests.');
    this.countScan = createUserLimit(app.clock, SCANS_A_MINUTE, 'Too many backtests.');
  }

  /**
   * Backtests an alert on its symbol.
   * @param signal cancels the backtest
   * @throws AppError 400 with the field, 429, 503
   */
  async runBacktest(userId: number, sent: SentBacktest, signal?: AbortSignal): Promise<Backtest> {
    this.countBacktest(userId);
    const { code, alert } = this.checked(userId, sent);
    const { holds: holdsNow } = this.engine.preview({ userId, symbol: code, logic: alert.logic });
    const steps = runBacktest(this.contextOf(userId), code, alert, holdsNow);
    return this.app.reads.run(userKey(userId), 'backtest', whileWaitedFor(steps, signal));
  }

  /** Backtests an alert on a whole scan. @throws AppError 400 with the field, 429, 503 */
  async backtestScan(userId: number, sent: SentScanAlert, signal?: AbortSignal): Promise<ScanBacktest> {
    const { market, reads } = this.app;
    const scan = this.checkedScan(userId, sent);
    // The key includes the conditions, because a saved scan may have been edited.
    const key = JSON.stringify([market.date(), scan, this.logicOf(userId, scan)]);
    const known = this.keptScans.get(key);
    if (known) return known;
    this.countScan(userId);
    this.countBacktest(userId);
    const stockOf = (code: string) => market.all().get(code) ?? null;
    const steps = backtestScan({ ...this.contextOf(userId), stockOf }, scan);
    const found = await reads.run(userKey(userId), 'scan backtest', whileWaitedFor(steps, signal));
    this.keptScans.set(key, found);
    for (const oldest of this.keptScans.keys()) {
      if (this.keptScans.size <= KEPT_SCANS) break;
      this.keptScans.delete(oldest);
    }
    return found;
  }

  private checkedScan(userId: number, sent: SentScanAlert): BacktestedScan {
    const { indicators, watchlist } = this.app;
    const { event, scope, cooldownMinutes, dayMaximum } = SCAN_OPTIONS;
    const chosen = {
      event: accepted(event.check(sent.event ?? event.start, 0)),
      cooldownMinutes: accepted(cooldownMinutes.check(sent.cooldown_minutes ?? cooldownMinutes.start, 0)),
      dayMaximum: accepted(dayMaximum.check(sent.day_maximum ?? dayMaximum.start, 0)),
    };
    const of = accepted(scope.check(sent.scope ?? scope.start, 0));
    const scansOf = indicators.scansOf(userId);
    const scan = accepted(checkWatchedScan(sent.scan, chosen.event, scansOf, watchlist.listsOf(userId)));
    return { ...chosen, scan, codes: this.codesOf(userId, scan, of) };
  }

  private logicOf(userId: number, { scan }: BacktestedScan): Logic | null {
    return scan.type === 'scan' ? (this.app.indicators.scansOf(userId)(scan.id)?.logic ?? null) : null;
  }

  /** The stocks in the scope that are on the scan's lists. */
  private codesOf(userId: number, scan: WatchedScan, scope: ScanScope): readonly string[] {
    const { market, indicators, watchlist } = this.app;
    const codes = scope === 'market' ? [...market.all().keys()] : watchlist.symbols(userId, null);
    const groups = listsOfScan(scan, indicators.scansOf(userId)).map((any) =>
      any.map(({ side, id }) => ({ side, listed: new Set(watchlist.symbols(userId, id)) })),
    );
    return codes.filter((code) =>
      groups.every((any) => any.some(({ side, listed }) => isOnSide(side, listed, code))),
    );
  }

  private contextOf(userId: number) {
    const { values: past, indicators } = this.app;
    return { past, catalog: indicators.catalog.current(), scanOf: indicators.scansOf(userId) };
  }

  private checked(userId: number, sent: SentBacktest): { code: string; alert: BacktestedAlert } {
    const { symbol, logic_json, cooldown_minutes = STOCK_OPTIONS.cooldownMinutes.start } = sent;
    const { market, indicators } = this.app;
    const code = accepted(checkLiveSymbol(symbol, market.all()));
    // An unusable scan is left out and named in the result, which helps more than an error.
    const logic = accepted(
      checkAlertLogic(indicators.catalog.current(), logic_json, namedScans(indicators.scansOf(userId))),
    );
    return {
      code,
      alert: { logic, cooldownMinutes: accepted(STOCK_OPTIONS.cooldownMinutes.check(cooldown_minutes, 0)) },
    };
  }
}
