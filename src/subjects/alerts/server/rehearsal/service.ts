import { checkAlertLogic } from '#subjects/alerts/rules/alertRules.ts';
import { ALERT_COOLDOWN, checkCooldown } from '#subjects/alerts/rules/cooldown.ts';
import type { RehearsedAlert, Rehearsal } from '#subjects/alerts/rules/rehearsal.ts';
import type { RehearseScan } from '#subjects/alerts/rules/scanAlerts/scanRehearsal.ts';
import { namedScans, type ScansOf } from '#subjects/conditions/rules/savedScan.ts';
import { checkLiveSymbol } from '#market/rules/liveSymbols.ts';
import type { Catalog } from '#market/indicators/rules/types.ts';
import { userKey } from '#platform/http/callerKey.ts';
import { accepted, AppError } from '#platform/http/errors.ts';
import type { ReadQueue, Steps } from '#platform/http/readQueue.ts';
import { createUserLimit } from '#platform/http/requestLimits.ts';
import type { Stopwatch } from '#lib/clock.ts';
import type { PastBars } from '#market/bars/pastBars.ts';
import type { Market } from '#market/types.ts';
import type { AlertEngine } from '../engine/engine.ts';
import { rehearse } from './run.ts';
import { rehearseScan } from './scanRun.ts';

export type RehearsalsDeps = {
  past: PastBars;
  market: Pick<Market, 'all'>;
  catalog: () => Pick<Catalog, 'indicators'>;
  scansOf: ScansOf;
  /** What conditions see now. */
  preview: AlertEngine['preview'];
  stopwatch: Stopwatch;
  reads: Pick<ReadQueue, 'run'>;
};

/** An alert as it was sent to be rehearsed. */
export type SentRehearsal = { symbol: string; logic_json?: unknown; cooldown_minutes?: unknown };

const A_MINUTE = 30;

/** What is run, in short steps, and who waits for it. */
type Job = {
  userId: number;
  /** What it is for the queue, which learns how long such ones take. */
  kind: string;
  steps: Steps<unknown>;
  resolve(value: unknown): void;
  reject(error: unknown): void;
};

/** Ends with the first step after the caller has gone. */
function* whileWaitedFor<T>(steps: Steps<T>, signal: AbortSignal | undefined): Steps<T> {
  for (;;) {
    if (signal?.aborted) throw new AppError(429, 'The backtest is not waited for any more.');
    const step = steps.next();
    if (step.done) return step.value;
    yield;
  }
}

const superseded = (): AppError => new AppError(429, 'A newer backtest replaced this one.');

/** Rehearsals are long reads, at most one for each user. */
export class Rehearsals {
  private readonly countRehearsal: (userId: number) => void;
  private readonly newest = new Map<number, Job>();

  constructor(private readonly deps: RehearsalsDeps) {
    this.countRehearsal = createUserLimit(deps.stopwatch, A_MINUTE, 'Too many backtests.');
  }

  /**
   * Runs an alert over the past of its symbol.
   * @throws AppError 400 naming what is at fault, 429 for too many in a minute, or when a newer one of the same user
   *   took its place
   */
  async rehearse(userId: number, sent: SentRehearsal): Promise<Rehearsal> {
    this.countRehearsal(userId);
    const { code, alert } = this.checked(userId, sent);
    const { holds: holdsNow } = this.deps.preview({ userId, symbol: code, logic: alert.logic });
    return this.runFor(userId, 'rehearsal', rehearse({ ...this.runDeps(userId), holdsNow }, code, alert));
  }

  /** Runs an alert on a whole scan over the days of the past. @throws AppError 429, 503 */
  readonly rehearseScan: RehearseScan = async (userId, scan, signal) => {
    this.countRehearsal(userId);
    const stockOf = (code: string) => this.deps.market.all().get(code) ?? null;
    const steps = rehearseScan({ ...this.runDeps(userId), stockOf }, scan);
    return this.runFor(userId, 'scan rehearsal', whileWaitedFor(steps, signal));
  };

  private runDeps(userId: number) {
    const { past, catalog, scansOf } = this.deps;
    return { past, catalog: catalog(), scanOf: scansOf(userId) };
  }

  private checked(userId: number, sent: SentRehearsal): { code: string; alert: RehearsedAlert } {
    const { symbol, logic_json, cooldown_minutes = ALERT_COOLDOWN.start } = sent;
    const { market, catalog, scansOf } = this.deps;
    const code = accepted(checkLiveSymbol(symbol, market.all()));
    // A scan that can't be run is left out and named, which says more than a refusal.
    const logic = accepted(checkAlertLogic(catalog(), logic_json, namedScans(scansOf(userId))));
    return { code, alert: { logic, cooldownMinutes: accepted(checkCooldown(cooldown_minutes)) } };
  }

  /** Runs something for a user, in the place of what runs for them. */
  private runFor<T>(userId: number, kind: string, steps: Steps<T>): Promise<T> {
    const { promise, resolve, reject } = Promise.withResolvers<T>();
    const job: Job = { userId, kind, steps, resolve: (value) => resolve(value as T), reject };
    // At once: its own turn, in which it ends, comes later.
    this.newest.get(userId)?.reject(superseded());
    this.newest.set(userId, job);
    void this.work(job);
    return promise;
  }

  private async work(job: Job): Promise<void> {
    const { userId, kind } = job;
    try {
      job.resolve(await this.deps.reads.run(userKey(userId), kind, this.run(job)));
    } catch (error) {
      job.reject(error);
    } finally {
      if (this.newest.get(userId) === job) this.newest.delete(userId);
    }
  }

  /** Ends when a newer one of the same user took its place. */
  private *run(job: Job): Steps<unknown> {
    const { userId, steps } = job;
    for (;;) {
      if (this.newest.get(userId) !== job) throw superseded();
      const step = steps.next();
      if (step.done) return step.value;
      yield;
    }
  }
}
