import { MINUTE_MS } from '#lib/units.ts';
import { asc, desc, eq, gt, lte, or, sql } from 'drizzle-orm';
import { endpointCalls } from '#src/tables/administrationSchema.ts';
import type { Db } from '#platform/db/open.ts';
import type { HttpCall } from '#lib/httpClient/client.ts';
import type { Log } from '#lib/log.ts';
import type { App, Part } from '#platform/app.ts';
import { addDays, sydneyDate } from '#lib/sydneyTime.ts';
import { serve } from '#platform/http/routes.ts';
import { ENDPOINT_CALLS } from '../contract.ts';
import { AppError } from '#platform/http/errors.ts';

/** Calls of one method to one endpoint on one Sydney day. Times are epoch ms. */
export type EndpointCount = {
  /** YYYY-MM-DD. */
  date: string;
  method: string;
  endpoint: string;
  count: number;
  errors: number;
  totalMs: number;
  slowestMs: number;
  lastAt: number;
  lastSuccessAt: number | null;
  lastError: string | null;
};

/** Name that combines all endpoints beyond the limit. */
export const OTHERS = '(others)';

/** Why a call failed; null for a success, and for a call that the server cancelled. */
function errorOf({ outcome, status }: Pick<HttpCall, 'outcome' | 'status'>): string | null {
  switch (outcome) {
    case 'ok':
    case 'aborted':
      return null;
    case 'httpError':
      return `HTTP ${status ?? 'error'}`;
    case 'timeout':
      return 'No answer in time';
    case 'network':
      return 'Not reached';
    case 'tooLarge':
      return 'Answer too large';
    case 'notJson':
      return 'Answer is not JSON';
  }
}

export function countOf(call: HttpCall, date: string, at: number): EndpointCount {
  const { method, endpoint, outcome, durationMs } = call;
  const error = errorOf(call);
  const ms = Math.max(0, Math.round(durationMs));
  return {
    date,
    method,
    endpoint,
    count: 1,
    errors: error === null ? 0 : 1,
    totalMs: ms,
    slowestMs: ms,
    lastAt: at,
    lastSuccessAt: outcome === 'ok' ? at : null,
    lastError: error,
  };
}

/** The sum of two counts. @param later provides the times and the error */
export const joined = (earlier: EndpointCount, later: EndpointCount): EndpointCount => ({
  ...later,
  count: earlier.count + later.count,
  errors: earlier.errors + later.errors,
  totalMs: earlier.totalMs + later.totalMs,
  slowestMs: Math.max(earlier.slowestMs, later.slowestMs),
  lastSuccessAt: later.lastSuccessAt ?? earlier.lastSuccessAt,
  lastError: later.lastError ?? earlier.lastError,
});

export const keyOf = ({ date, method, endpoint }: Pick<EndpointCount, 'date' | 'method' | 'endpoint'>) =>
  `${date} ${method} ${endpoint}`;

/** Columns that are summed when a count is added to an endpoint's day. */
const SUMMED = {
  count: sql`${endpointCalls.count} + excluded.count`,
  errors: sql`${endpointCalls.errors} + excluded.errors`,
  totalMs: sql`${endpointCalls.totalMs} + excluded.total_ms`,
  slowestMs: sql`max(${endpointCalls.slowestMs}, excluded.slowest_ms)`,
  lastAt: sql`excluded.last_at`,
  lastSuccessAt: sql`coalesce(excluded.last_success_at, ${endpointCalls.lastSuccessAt})`,
  lastError: sql`coalesce(excluded.last_error, ${endpointCalls.lastError})`,
};

/** SQL of the counts. Dates are those of Sydney, YYYY-MM-DD. */
export const endpointCallStore = (db: Db) => ({
  add(counts: readonly EndpointCount[]): void {
    const target = [endpointCalls.date, endpointCalls.method, endpointCalls.endpoint];
    db.transaction((tx) => {
      for (const count of counts) {
        tx.insert(endpointCalls).values(count).onConflictDoUpdate({ target, set: SUMMED }).run();
      }
    });
  },

  onDay: (date: string): EndpointCount[] =>
    db.select().from(endpointCalls).where(eq(endpointCalls.date, date)).all(),

  days: (): string[] =>
    db
      .selectDistinct({ date: endpointCalls.date })
      .from(endpointCalls)
      .orderBy(desc(endpointCalls.date))
      .all()
      .map(({ date }) => date),

  known: (): Pick<EndpointCount, 'method' | 'endpoint'>[] =>
    db
      .selectDistinct({ method: endpointCalls.method, endpoint: endpointCalls.endpoint })
      .from(endpointCalls)
      .orderBy(asc(endpointCalls.endpoint))
      .all(),

  /** Deletes rows dated until `oldest`, and those that a wrong clock dated after `newest`. @returns their number */
  prune: (oldest: string, newest: string): number =>
    db
      .delete(endpointCalls)
      .where(or(lte(endpointCalls.date, oldest), gt(endpointCalls.date, newest)))
      .returning({ date: endpointCalls.date })
      .all().length,
});

/** Delay of the first write after a pause, ms. */
const SOON_MS = MINUTE_MS;
/** Interval of later writes, longer because SD cards wear out. A crash loses the pending counts. */
const WRITE_EVERY_MS = 15 * MINUTE_MS;
const KEPT_DAYS = 30;
/** Delay before pruning, ms. By then a machine without a battery knows the date. */
const PRUNE_AFTER_MS = 60 * MINUTE_MS;
/** Limit of endpoints; the code has some forty templates. */
const MAX_ENDPOINTS = 200;
const MAX_LENGTH = 200;

/** A day's calls, the most frequent first, and all days with calls. */
export type DayOfCalls = { date: string; days: string[]; counts: EndpointCount[] };

const nameOf = ({ method, endpoint }: { method: string; endpoint: string }): string =>
  `${method} ${endpoint}`;

/** The service of an endpoint: its first word. Addresses belong to push services. */
const serviceOf = (endpoint: string): string => {
  if (endpoint === OTHERS) return 'others';
  return /^https?:/.test(endpoint)
    ? 'push'
    : endpoint.slice(0, Math.max(0, endpoint.indexOf('/'))) || 'others';
};

const byFrequency = (a: EndpointCount, b: EndpointCount): number =>
  b.count - a.count || (nameOf(a) < nameOf(b) ? -1 : 1);

function addTo(counts: Map<string, EndpointCount>, later: EndpointCount): void {
  const key = keyOf(later);
  const earlier = counts.get(key);
  counts.set(key, earlier ? joined(earlier, later) : later);
}

/** Counts the calls to other servers by Sydney day, method and endpoint, and writes them in batches. */
export class EndpointCalls {
  readonly #waiting = new Map<string, EndpointCount>();
  #names: Set<string> | null = null;
  readonly #totals = { calls: 0, errors: 0 };
  readonly #services = new Map<string, { calls: number; errors: number }>();
  #lastWrite = Number.NEGATIVE_INFINITY;
  #cancel: (() => void) | null = null;
  #isEnded = false;
  #prunedOn: string | null = null;

  readonly #log: Log;

  constructor(
    private readonly app: App,
    private readonly store = endpointCallStore(app.db),
  ) {
    this.#log = app.log.child('endpoints');
  }

  readonly note = (call: HttpCall): void => {
    try {
      this.#count(call);
    } catch (error) {
      this.#log.warn('Could not count a request to an external service', { error });
    }
  };

  /** The calls of a day. @param date YYYY-MM-DD; omit for today in Sydney */
  day(date: string = this.#today()): DayOfCalls {
    const counts = new Map(this.store.onDay(date).map((kept) => [keyOf(kept), kept]));
    const waiting = [...this.#waiting.values()];
    for (const late of waiting) if (late.date === date) addTo(counts, late);
    const days = new Set([...this.store.days(), ...waiting.map((late) => late.date)]);
    return { date, days: [...days].sort().toReversed(), counts: [...counts.values()].sort(byFrequency) };
  }

  /** Deletes rows older than 30 days. @returns their number */
  prune(): number {
    const today = this.#today();
    return this.store.prune(addDays(today, -KEPT_DAYS), addDays(today, 1));
  }

  /** Calls since the start of the process by service: 'telegram', 'model', 'push' … */
  readonly byService = (): { service: string; calls: number; errors: number }[] =>
    [...this.#services].map(([service, counts]) => ({ service, ...counts }));

  readonly totals = (): { calls: number; errors: number; endpoints: number; unwritten: number } => ({
    ...this.#totals,
    endpoints: this.#names?.size ?? 0,
    unwritten: this.#waiting.size,
  });

  end(): void {
    this.#isEnded = true;
    this.#write();
  }

  #today(): string {
    return sydneyDate(this.app.clock.now());
  }

  #count(call: HttpCall): void {
    const { clock } = this.app;
    const own = countOf({ ...call, endpoint: this.#listed(call) }, this.#today(), clock.now());
    addTo(this.#waiting, own);
    this.#totals.calls += 1;
    this.#totals.errors += own.errors;
    const service = serviceOf(own.endpoint);
    const { calls, errors } = this.#services.get(service) ?? { calls: 0, errors: 0 };
    this.#services.set(service, { calls: calls + 1, errors: errors + own.errors });
    this.#writeSoon(Math.max(SOON_MS, this.#lastWrite + WRITE_EVERY_MS - clock.monotonic()));
  }

  /** The name under which an endpoint is counted: without secrets, and `OTHERS` beyond the limit. */
  #listed({ method, endpoint }: HttpCall): string {
    this.#names ??= new Set(this.store.known().map(nameOf));
    const clean = this.app.redactor.text(endpoint).slice(0, MAX_LENGTH);
    const name = nameOf({ method, endpoint: clean });
    if (this.#names.has(name)) return clean;
    if (this.#names.size >= MAX_ENDPOINTS) return OTHERS;
    this.#names.add(name);
    return clean;
  }

  #writeSoon(waitMs: number): void {
    if (this.#isEnded) return;
    this.#cancel ??= this.app.schedule(waitMs, () => {
      this.#cancel = null;
      if (!this.#write()) this.#writeSoon(WRITE_EVERY_MS);
    });
  }

  /** Writes pending counts; after a failure they stay pending. @returns whether they were written */
  #write(): boolean {
    const { clock } = this.app;
    this.#cancel?.();
    this.#cancel = null;
    try {
      if (this.#waiting.size > 0) this.store.add([...this.#waiting.values()]);
      this.#waiting.clear();
      this.#lastWrite = clock.monotonic();
      this.#pruneDaily();
      return true;
    } catch (error) {
      this.#log.error('Could not save the external request counts; trying again', { error });
      return false;
    }
  }

  #pruneDaily(): void {
    const today = this.#today();
    if (today === this.#prunedOn || this.app.clock.monotonic() < PRUNE_AFTER_MS) return;
    this.prune();
    this.#prunedOn = today;
  }
}

/** @throws AppError 400 for an invalid date */
function existing(date: string | undefined): string | undefined {
  if (date === undefined) return undefined;
  const time = Date.parse(`${date}T00:00:00Z`);
  if (!Number.isNaN(time) && new Date(time).toISOString().startsWith(date)) return date;
  throw new AppError(400, { field: 'date', message: 'Write the date as YYYY-MM-DD.' });
}

/** External Endpoint Activity (specification 7.7). */
const routesOf = (calls: EndpointCalls) =>
  serve(ENDPOINT_CALLS, {
    'GET /api/admin/external-metrics': ({ query }) => {
      const { date, days, counts } = calls.day(existing(query.date));
      const metrics = counts.map(({ date: _date, totalMs, ...count }) => ({
        ...count,
        averageMs: Math.round(totalMs / count.count),
      }));
      return { metrics, date, days };
    },
  });

/** External requests, counted by Sydney day and kept for 30 days. `stop` writes pending counts. */
export function createEndpointCalls(app: App) {
  const service = new EndpointCalls(app);
  app.outgoing.listen(service.note);
  return {
    name: 'endpointCalls',
    service,
    routes: () => routesOf(service),
    stop: () => service.end(),
    prune: () => ({ removed: service.prune(), hasMore: false }),
    inspect: () => ({
      label: 'External requests',
      description: 'Today’s requests to providers, chat platforms and the model, by endpoint.',
      type: 'list' as const,
      summary: service.totals(),
      data: () => service.day().counts,
    }),
  } satisfies Part;
}

declare module '#platform/app.ts' {
  interface App {
    endpointCalls: EndpointCalls;
  }
}
