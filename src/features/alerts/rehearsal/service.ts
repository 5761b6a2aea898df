import { checkAlertLogic } from '../../../domain/alerts/alertRules.ts';
import type { Rehearsal } from '../../../domain/alerts/rehearsal.ts';
import type { Logic } from '../../../domain/conditions/condition.ts';
import { namedScans, type ScansOf } from '../../../domain/conditions/savedScan.ts';
import { checkLiveSymbol } from '../../../domain/market/liveSymbols.ts';
import type { Catalog } from '../../../domain/indicators/types.ts';
import { accepted, AppError, refusedFor } from '../../../http/errors.ts';
import { createUserLimit } from '../../../http/requestLimits.ts';
import type { Stopwatch } from '../../../lib/clock.ts';
import type { Log } from '../../../lib/log.ts';
import type { PastBars } from '../../../market/bars/pastBars.ts';
import { createSlicedWork } from '../../../market/indicators/slicedWork.ts';
import type { Market } from '../../../market/types.ts';
import { rehearse } from './run.ts';

export type RehearsalsDeps = {
  past: PastBars;
  market: Pick<Market, 'all'>;
  catalog: () => Pick<Catalog, 'indicators'>;
  scansOf: ScansOf;
  stopwatch: Stopwatch;
  log: Log;
  /** Runs a function after other work had its turn. */
  later?: (run: () => void) => void;
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
  /** Ends what is running; it is answered 503. */
  stop(): void;
};

const A_MINUTE = 30;
const MAX_WAITING = 50;

type Job = { userId: number; code: string; logic: Logic } & PromiseWithResolvers<Rehearsal>;

/** Rehearsals run one after the other in slices, at most one for each user. */
export function createRehearsals(deps: RehearsalsDeps): Rehearsals {
  const { past, market, catalog, scansOf, stopwatch, log, later = setImmediate } = deps;
  const countRehearsal = createUserLimit(stopwatch, A_MINUTE, 'Too many rehearsals.');
  const jobs = new Map<string, Job>();
  let count = 0;

  function* run(id: string): Generator<undefined, void> {
    const job = jobs.get(id);
    if (!job) return;
    try {
      const steps = rehearse({ past, catalog: catalog(), scanOf: scansOf(job.userId) }, job.code, job.logic);
      let step = steps.next();
      while (!step.done) {
        yield;
        // A newer one of the same user took its place.
        if (!jobs.has(id)) return;
        step = steps.next();
      }
      job.resolve(step.value);
    } catch (error) {
      job.reject(error);
    } finally {
      jobs.delete(id);
    }
  }

  const work = createSlicedWork({
    steps: run,
    onError: (error) => log.error('A rehearsal could not be run', { error }),
    stopwatch,
    later,
  });

  function end(id: string, job: Job, error: AppError): void {
    jobs.delete(id);
    work.remove(id);
    job.reject(error);
  }

  function replaceEarlier(userId: number): void {
    for (const [id, job] of jobs) {
      if (job.userId === userId)
        end(id, job, new AppError(429, 'A newer rehearsal took the place of this one.'));
    }
  }

  function checked(userId: number, { symbol, logic_json }: SentRehearsal): { code: string; logic: Logic } {
    const code = accepted(checkLiveSymbol(symbol, market.all()));
    // A scan that can't be run is left out and named, which says more than a refusal.
    const logic = accepted(checkAlertLogic(catalog(), logic_json, namedScans(scansOf(userId))));
    return { code, logic };
  }

  return {
    async rehearse(userId, sent) {
      countRehearsal(userId);
      const { code, logic } = checked(userId, sent);
      replaceEarlier(userId);
      if (jobs.size >= MAX_WAITING) throw refusedFor(5, 503, 'The server is busy. Try again shortly.');
      count += 1;
      const id = String(count);
      const job: Job = { userId, code, logic, ...Promise.withResolvers<Rehearsal>() };
      jobs.set(id, job);
      work.add(id);
      work.start();
      return job.promise;
    },
    stop() {
      work.stop();
      for (const [id, job] of jobs) end(id, job, new AppError(503, 'The server is stopping.'));
    },
  };
}
