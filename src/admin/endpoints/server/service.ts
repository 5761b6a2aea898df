import { addDays, sydneyDate } from '../../../market/rules/sydneyTime.ts';
import type { SystemClock } from '../../../lib/clock.ts';
import type { HttpCall } from '../../../lib/httpClient/client.ts';
import type { Log } from '../../../lib/log.ts';
import type { Redactor } from '../../../lib/redact.ts';
import type { Scheduler } from '../../../lib/scheduler.ts';
import { countOf, type EndpointCount, joined, keyOf, OTHERS } from './counts.ts';
import type { EndpointCallStore } from './store.ts';

const MINUTE_MS = 60_000;
/** The first calls after a pause are on disk so soon. */
const SOON_MS = MINUTE_MS;
/** Later ones wait: SD cards wear out. What waits is lost when the process is killed, and shown all the same. */
const WRITE_EVERY_MS = 15 * MINUTE_MS;
const KEPT_DAYS = 30;
/** By then a machine without a battery has found out what day it is. */
const PRUNE_AFTER_MS = 60 * MINUTE_MS;
/** Each is a template written in the code, of which there are some forty. */
const MAX_ENDPOINTS = 200;
const MAX_LENGTH = 200;

export type EndpointCallsDeps = {
  store: EndpointCallStore;
  clock: SystemClock;
  log: Log;
  redactor: Redactor;
  schedule: Scheduler;
};

/** A day's calls, the most frequent first, and the days of which there are any. */
export type DayOfCalls = { date: string; days: string[]; counts: EndpointCount[] };

export type EndpointCalls = ReturnType<typeof createEndpointCallsService>;

/** Counts the calls to other servers by Sydney day, method and endpoint, and writes them in batches. */
export function createEndpointCallsService(deps: EndpointCallsDeps) {
  const { store, clock, log, redactor, schedule } = deps;
  const waiting = new Map<string, EndpointCount>();
  let names: Set<string> | null = null;
  const totals = { calls: 0, errors: 0 };
  let lastWrite = Number.NEGATIVE_INFINITY;
  let cancel: (() => void) | null = null;
  let isEnded = false;
  let prunedOn: string | null = null;

  const nameOf = (method: string, endpoint: string): string => `${method} ${endpoint}`;

  /** How an endpoint is listed: without secrets, and as one of `OTHERS` once there are too many. */
  function listed({ method, endpoint }: HttpCall): string {
    names ??= new Set(store.known().map((known) => nameOf(known.method, known.endpoint)));
    const clean = redactor.text(endpoint).slice(0, MAX_LENGTH);
    const name = nameOf(method, clean);
    if (names.has(name)) return clean;
    if (names.size >= MAX_ENDPOINTS) return OTHERS;
    names.add(name);
    return clean;
  }

  /** Removes what is older than 30 days. @returns how many rows */
  function prune(): number {
    const today = sydneyDate(clock.now());
    return store.prune(addDays(today, -KEPT_DAYS), addDays(today, 1));
  }

  function pruneDaily(): void {
    const today = sydneyDate(clock.now());
    if (today === prunedOn || clock.monotonic() < PRUNE_AFTER_MS) return;
    prune();
    prunedOn = today;
  }

  /** Writes what waits. What can't be written goes on waiting. @returns whether it was written */
  function write(): boolean {
    cancel?.();
    cancel = null;
    try {
      if (waiting.size > 0) store.add([...waiting.values()]);
      waiting.clear();
      lastWrite = clock.monotonic();
      pruneDaily();
      return true;
    } catch (error) {
      log.error('The calls to other servers could not be written; trying again', { error });
      return false;
    }
  }

  function writeSoon(waitMs: number): void {
    if (isEnded) return;
    cancel ??= schedule(waitMs, () => {
      cancel = null;
      if (!write()) writeSoon(WRITE_EVERY_MS);
    });
  }

  function count(call: HttpCall): void {
    const now = clock.now();
    const own = countOf({ ...call, endpoint: listed(call) }, sydneyDate(now), now);
    const key = keyOf(own);
    const before = waiting.get(key);
    waiting.set(key, before ? joined(before, own) : own);
    totals.calls += 1;
    totals.errors += own.errors;
    writeSoon(Math.max(SOON_MS, lastWrite + WRITE_EVERY_MS - clock.monotonic()));
  }

  return {
    /** Counts a call. Never throws: whoever called does not care whether it is counted. */
    note(call: HttpCall): void {
      try {
        count(call);
      } catch (error) {
        log.warn('A call to another server could not be counted', { error });
      }
    },
    /** @param date YYYY-MM-DD; today in Sydney when absent */
    day(date: string = sydneyDate(clock.now())): DayOfCalls {
      const counts = new Map(store.onDay(date).map((kept) => [keyOf(kept), kept]));
      for (const [key, late] of waiting) {
        if (late.date !== date) continue;
        const kept = counts.get(key);
        counts.set(key, kept ? joined(kept, late) : late);
      }
      const days = new Set([...store.days(), ...[...waiting.values()].map((late) => late.date)]);
      return {
        date,
        days: [...days].sort().toReversed(),
        counts: [...counts.values()].sort(
          (a, b) =>
            b.count - a.count || (nameOf(a.method, a.endpoint) < nameOf(b.method, b.endpoint) ? -1 : 1),
        ),
      };
    },
    prune,
    /** Since the start of the process. */
    totals: () => ({ ...totals, endpoints: names?.size ?? 0, unwritten: waiting.size }),
    /** Writes what waits, for the last time. */
    end(): void {
      isEnded = true;
      write();
    },
  };
}
