import { Elysia } from 'elysia';
import type { Stopwatch } from '../../lib/clock.ts';
import type { Log } from '../../lib/log.ts';
import { createRateLimit } from '../../lib/rateLimit.ts';
import { type Scheduler, timerScheduler } from '../../lib/scheduler.ts';
import type { Part } from '../../part.ts';
import type { AuthUser } from './auth.ts';
import { createRequestCounts } from './requestCounts.ts';
import { createRequestTotals } from './requestTotals.ts';
import { requestPath } from './requestPath.ts';

const WINDOW_MS = 60_000;
/** Lines a minute of all callers without a session: a flood of a day fills a sixth of the files. */
const MAX_LINES_OF_VISITORS = 10;
/** Lines a minute of one user, more than a person's pages ask for. */
const MAX_LINES_OF_USER = 60;

const NO_ROUTE = 'no such address';
const REFUSED = 'refused before any route';

const nameOfRoute = (route: string | undefined): string =>
  route === undefined || route.endsWith('*') ? NO_ROUTE : route;

type Answered = {
  request: Request;
  set: { status?: number | string };
  responseValue?: unknown;
  /** The pattern of the route that answered; '/*' or absent for an address that is none. */
  route?: string;
  /** Who called; absent where nobody asked, or where the caller was refused first. */
  user?: AuthUser | null;
};

/** Somebody follows a log file. A line of that would be the next thing that is read, and so on for ever. */
const FOLLOWED = /^\/api\/admin\/logs\/[^/]{1,200}\/tail$/;

/** Asked every few seconds, and no news. */
const isRoutine = (path: string, status: number): boolean =>
  path === '/healthz' || (status === 200 && (path === '/metrics' || FOLLOWED.test(path)));

const statusOf = ({ set, responseValue }: Answered): number =>
  Number(responseValue instanceof Response ? responseValue.status : (set.status ?? 200));

/** Limits how many lines there are, each of them short. */
function createLineLimits(clock: Stopwatch): (user: AuthUser | null) => boolean {
  const visitors = createRateLimit({ clock, limit: MAX_LINES_OF_VISITORS, windowMs: WINDOW_MS });
  const users = createRateLimit({ clock, limit: MAX_LINES_OF_USER, windowMs: WINDOW_MS });
  return (user) => (user === null ? visitors.take('') : users.take(String(user.id))) === 0;
}

/**
 * One line per API request: method, path, status and time. The query is left out, because it may hold a token;
 * health checks, metrics and the reading of log files are left out, because they come every few seconds. Of callers
 * without a session only the first of a minute have lines of their own, and of a user who asks without pause too; the
 * others are counted, and the counts are one line a minute, so that no flood of visitors pushes the history out of the
 * files.
 */
export function createRequestLog(
  core: { log: Log; clock: Stopwatch },
  { later = timerScheduler }: { later?: Scheduler } = {},
) {
  const log = core.log.child('http');
  const started = new WeakMap<Request, number>();
  const hasLine = createLineLimits(core.clock);
  const counts = createRequestCounts();
  const totals = createRequestTotals();
  let cancelSummary: (() => void) | null = null;

  const summarise = (): void => {
    cancelSummary?.();
    cancelSummary = null;
    const taken = counts.take();
    if (taken) log.info('Further requests', taken);
  };
  /** @param ms how long it took; null where it was not handled */
  const write = (answered: Answered, ms: number | null): void => {
    const { request, route, user = null } = answered;
    const path = requestPath(request);
    const status = statusOf(answered);
    totals.add({ status, route: nameOfRoute(route) });
    if (isRoutine(path, status)) return;
    if (!hasLine(user)) {
      counts.add({ status, route: nameOfRoute(route) });
      cancelSummary ??= later(WINDOW_MS, summarise);
      return;
    }
    log.info('Request', { method: request.method, path, status, ...(ms !== null && { ms }) });
  };

  return {
    name: 'requestLog',
    service: {
      totals: totals.byClass,
      /** A request that was refused before the application saw it, as for the size of its body. */
      refused: (request: Request, status: number): void =>
        write({ request, set: { status }, route: REFUSED }, null),
    },
    /** Hooks on every route of the application that uses it. */
    routes: () =>
      new Elysia({ name: 'requestLog' })
        .onRequest(({ request }) => {
          started.set(request, core.clock.monotonic());
        })
        .onAfterResponse({ as: 'global' }, ({ request, set, responseValue, route, user }: Answered) => {
          const now = core.clock.monotonic();
          const ms = Math.round(now - (started.get(request) ?? now));
          const answered = { request, set, responseValue, user: user ?? null };
          write({ ...answered, ...(route === undefined ? {} : { route }) }, ms);
        }),
    /** Writes the lines of requests that were answered a moment ago, and what was counted until now. */
    async stop() {
      // Elysia calls the hook one turn of the event loop after the answer.
      await new Promise((done) => setImmediate(done));
      summarise();
    },
    inspect: () => ({
      label: 'Requests',
      description: 'Answered requests to the API since the start, by class of status and by route.',
      summary: totals.byClass(),
      data: () => ({ byClass: totals.byClass(), byRoute: totals.byRoute() }),
    }),
  } satisfies Part;
}
