import { checkAlertLogic } from '../../rules/alertRules.ts';
import type { Rehearsal } from '../../rules/rehearsal.ts';
import type { RehearseScan } from '../../rules/scanAlerts/scanRehearsal.ts';
import type { Logic } from '../../../conditions/rules/condition.ts';
import { namedScans, type ScansOf } from '../../../conditions/rules/savedScan.ts';
import { checkLiveSymbol } from '../../../../market/rules/liveSymbols.ts';
import type { Catalog } from '../../../../market/indicators/rules/types.ts';
import { userKey } from '../../../../platform/http/callerKey.ts';
import { accepted, AppError } from '../../../../platform/http/errors.ts';
import type { ReadQueue, Steps } from '../../../../platform/http/readQueue.ts';
import { createUserLimit } from '../../../../platform/http/requestLimits.ts';
import type { Stopwatch } from '../../../../lib/clock.ts';
import type { PastBars } from '../../../../market/bars/pastBars.ts';
import type { Market } from '../../../../market/types.ts';
import type { AlertEngine } from '../engine/types.ts';
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
export type SentRehearsal = { symbol: string; logic_json: unknown };

export type Rehearsals = {
  /**
   * Runs an alert over the past of its symbol.
   * @throws AppError 400 naming what is at fault, 429 for too many in a minute, or when a newer one of the same user
   *   took its place
   */
  rehearse(userId: number, sent: SentRehearsal): Promise<Rehearsal>;
  /** Runs an alert on a whole scan over the days of the past. @throws AppError 429, 503 */
  rehearseScan: RehearseScan;
};

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

const superseded = (): AppError => new AppError(429, 'A newer backtest replaced this one.');

/** Rehearsals are long reads, at most one for each user. */
export function createRehearsals(deps: RehearsalsDeps): Rehearsals {
  const { past, market, catalog, scansOf, preview, stopwatch, reads } = deps;
  const countRehearsal = createUserLimit(stopwatch, A_MINUTE, 'Too many backtests.');
  const newest = new Map<number, Job>();

  /** Ends when a newer one of the same user took its place. */
  function* run(job: Job): Steps<unknown> {
    const { userId, steps } = job;
    for (;;) {
      if (newest.get(userId) !== job) throw superseded();
      const step = steps.next();
      if (step.done) return step.value;
      yield;
    }
  }

  function checked(userId: number, { symbol, logic_json }: SentRehearsal): { code: string; logic: Logic } {
    const code = accepted(checkLiveSymbol(symbol, market.all()));
    // A scan that can't be run is left out and named, which says more than a refusal.
    const logic = accepted(checkAlertLogic(catalog(), logic_json, namedScans(scansOf(userId))));
    return { code, logic };
  }

  async function work(job: Job): Promise<void> {
    try {
      job.resolve(await reads.run(userKey(job.userId), job.kind, run(job)));
    } catch (error) {
      job.reject(error);
    } finally {
      if (newest.get(job.userId) === job) newest.delete(job.userId);
    }
  }

  /** Runs something for a user, in the place of what runs for them. */
  function runFor<T>(userId: number, kind: string, steps: Steps<T>): Promise<T> {
    const { promise, resolve, reject } = Promise.withResolvers<T>();
    const job: Job = { userId, kind, steps, resolve: (value) => resolve(value as T), reject };
    // At once: its own turn, in which it ends, comes later.
    newest.get(userId)?.reject(superseded());
    newest.set(userId, job);
    void work(job);
    return promise;
  }

  const runDeps = (userId: number) => ({ past, catalog: catalog(), scanOf: scansOf(userId) });

  return {
    async rehearse(userId, sent) {
      countRehearsal(userId);
      const { code, logic } = checked(userId, sent);
      const { holds: holdsNow } = preview({ userId, symbol: code, logic });
      return runFor(userId, 'rehearsal', rehearse({ ...runDeps(userId), holdsNow }, code, logic));
    },
    async rehearseScan(userId, scan) {
      countRehearsal(userId);
      const stockOf = (code: string) => market.all().get(code) ?? null;
      return runFor(userId, 'scan rehearsal', rehearseScan({ ...runDeps(userId), stockOf }, scan));
    },
  };
}
