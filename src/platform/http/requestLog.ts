import type { Log, LogProperties } from '#lib/log.ts';
import { Elysia } from 'elysia';
import type { Stopwatch } from '#lib/clock.ts';
import { createRateLimit } from '#lib/rateLimit.ts';
import { type Scheduler, timerScheduler } from '#lib/scheduler.ts';
import type { Part } from '#platform/app.ts';
import type { AuthUser } from './auth.ts';
import { requestPath } from './errors.ts';

export type RequestClasses = { '2xx': number; '3xx': number; '4xx': number; '5xx': number; other: number };

/** Counts requests by class of status and by route. The number of routes bounds the memory. */
export function createRequestTotals() {
  const classes: RequestClasses = { '2xx': 0, '3xx': 0, '4xx': 0, '5xx': 0, other: 0 };
  const routes = new Map<string, number>();
  const classOf = (status: number): keyof RequestClasses => {
    const name = `${Math.floor(status / 100)}xx`;
    return name in classes ? (name as keyof RequestClasses) : 'other';
  };
  return {
    add({ status, route }: CountedRequest): void {
      classes[classOf(status)] += 1;
      routes.set(route, (routes.get(route) ?? 0) + 1);
    },
    byClass: (): RequestClasses => ({ ...classes }),
    byRoute: (): Record<string, number> => Object.fromEntries([...routes].sort(([, a], [, b]) => b - a)),
  };
}

type CountedRequest = { status: number; route: string };

/** The most frequent of each kind. The rest is one entry. */
const MAX_KINDS = 8;

const addTo = (counts: Map<string, number>, kind: string): void =>
  void counts.set(kind, (counts.get(kind) ?? 0) + 1);

/** '/api/login 12, /healthz 3': the most frequent first. */
function countsText(counts: ReadonlyMap<string, number>): string {
  const sorted = [...counts].sort(([, a], [, b]) => b - a);
  const shown = sorted.slice(0, MAX_KINDS).map(([kind, count]) => `${kind} ${count}`);
  const others = sorted.slice(MAX_KINDS).reduce((sum, [, count]) => sum + count, 0);
  return [...shown, ...(others === 0 ? [] : [`others ${others}`])].join(', ');
}

/** Counts requests without their own log line, by route; all unknown addresses are one. */
export function createRequestCounts() {
  const byStatus = new Map<string, number>();
  const byRoute = new Map<string, number>();
  let count = 0;
  return {
    add({ status, route }: CountedRequest): void {
      count += 1;
      addTo(byStatus, String(status));
      addTo(byRoute, route);
    },
    /** The counts since the last call, for one line of the log; null if there are none. */
    take(): LogProperties | null {
      if (count === 0) return null;
      const counts = { count, byStatus: countsText(byStatus), byRoute: countsText(byRoute) };
      byStatus.clear();
      byRoute.clear();
      count = 0;
      return counts;
    },
  };
}

const WINDOW_MS = 60_000;
/** Lines per minute of all callers without a session. A flood then fills a sixth of the files in a day. */
const MAX_LINES_OF_VISITORS = 10;
/** Lines per minute of one user, more than a person's pages need. */
const MAX_LINES_OF_USER = 60;

const NO_ROUTE = 'no such address';
const REFUSED = 'refused before any route';

const nameOfRoute = (route: string | undefined): string =>
  route === undefined || route.endsWith('*') ? NO_ROUTE : route;

type Answered = {
  request: Request;
  set: { status?: number | string };
  responseValue?: unknown;
  /** The pattern of the route; '/*' or absent for an unknown address. */
  route?: string | undefined;
  user?: AuthUser | null;
};

/** The tail of a log file. Logging it would add the next line to read, endlessly. */
const FOLLOWED = /^\/api\/admin\/logs\/[^/]{1,200}\/tail$/;

const isRoutine = (path: string, status: number): boolean =>
  path === '/healthz' || (status === 200 && (path === '/metrics' || FOLLOWED.test(path)));

const statusOf = ({ set, responseValue }: Answered): number =>
  Number(responseValue instanceof Response ? responseValue.status : (set.status ?? 200));

function createLineLimits(clock: Stopwatch): (user: AuthUser | null) => boolean {
  const visitors = createRateLimit({ clock, limit: MAX_LINES_OF_VISITORS, windowMs: WINDOW_MS });
  const users = createRateLimit({ clock, limit: MAX_LINES_OF_USER, windowMs: WINDOW_MS });
  return (user) => (user === null ? visitors.take('') : users.take(String(user.id))) === 0;
}

/**
 * Writes one line per API request: method, path, status and time. Leaves out the query, which may contain a token,
 * and frequent requests such as health checks. Requests beyond the limits are counted and summarised once a
 * minute, so that a flood does not push the history out of the files.
 */
class RequestLines {
  readonly totals = createRequestTotals();
  readonly #started = new WeakMap<Request, number>();
  readonly #hasLine: (user: AuthUser | null) => boolean;
  readonly #counts = createRequestCounts();
  #cancelSummary: (() => void) | null = null;

  constructor(
    private readonly log: Log,
    private readonly clock: Stopwatch,
    private readonly later: Scheduler,
  ) {
    this.#hasLine = createLineLimits(clock);
  }

  begin(request: Request): void {
    this.#started.set(request, this.clock.monotonic());
  }

  answered(answered: Answered): void {
    const now = this.clock.monotonic();
    this.write(answered, Math.round(now - (this.#started.get(answered.request) ?? now)));
  }

  write(answered: Answered, ms: number | null): void {
    const { request, route, user = null } = answered;
    const path = requestPath(request);
    const status = statusOf(answered);
    this.totals.add({ status, route: nameOfRoute(route) });
    if (isRoutine(path, status)) return;
    if (!this.#hasLine(user)) {
      this.#counts.add({ status, route: nameOfRoute(route) });
      this.#cancelSummary ??= this.later(WINDOW_MS, () => this.summarise());
      return;
    }
    this.log.info('Request', { method: request.method, path, status, ...(ms !== null && { ms }) });
  }

  summarise(): void {
    this.#cancelSummary?.();
    this.#cancelSummary = null;
    const counts = this.#counts.take();
    if (counts) this.log.info('Further requests', counts);
  }
}

const hooksOf = (lines: RequestLines) =>
  new Elysia({ name: 'requestLog' })
    .onRequest(({ request }) => lines.begin(request))
    .onAfterResponse({ as: 'global' }, ({ request, set, responseValue, route, user }: Answered) =>
      lines.answered({ request, set, responseValue, route, user: user ?? null }),
    );

export function createRequestLog(
  app: { log: Log; clock: Stopwatch },
  { later = timerScheduler }: { later?: Scheduler } = {},
) {
  const lines = new RequestLines(app.log.child('http'), app.clock, later);
  const { totals } = lines;
  return {
    name: 'requestLog',
    service: {
      totals: totals.byClass,
      /** A request that was refused before the application saw it, such as for the size of its body. */
      refused: (request: Request, status: number): void =>
        lines.write({ request, set: { status }, route: REFUSED }, null),
    },
    hooks: () => hooksOf(lines),
    async stop() {
      // Elysia calls the hook one turn of the event loop after the answer.
      await new Promise((done) => setImmediate(done));
      lines.summarise();
    },
    inspect: () => ({
      label: 'Requests',
      description: 'Answered requests to the API since the start, by class of status and by route.',
      summary: totals.byClass(),
      data: () => ({ byClass: totals.byClass(), byRoute: totals.byRoute() }),
    }),
  } satisfies Part;
}

declare module '#platform/app.ts' {
  interface App {
    requestLog: ReturnType<typeof createRequestLog>['service'];
  }
}
