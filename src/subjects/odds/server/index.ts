import { MINUTE_MS } from '#lib/units.ts';
import { FirstFailure } from '#lib/log.ts';
import type { Inspection } from '#lib/inspection.ts';
import { Repetition } from '#lib/scheduler.ts';
import type { App, Part } from '#platform/app.ts';
import { AppError } from '#platform/http/errors.ts';
import { sendEncoded } from '#platform/http/encodedAnswers.ts';
import { userKey } from '#platform/http/requestLimits.ts';
import { serve } from '#platform/http/routes.ts';
import { MAX_ENTRIES_AT_ONCE, ODDS } from '../contract.ts';
import type { EntrySort } from '../rules/entryRows.ts';
import { type Run, OddsRuns } from './runs.ts';
import { EntryCollector, SavedOdds } from './saved.ts';
import { COUNTED_MS, Odds, OddsInputs } from './service.ts';
import { OddsStore } from './store.ts';
import { oddsKind } from './transfer.ts';

/** Longest waits of a request for numbers, ms. */
const FIRST_WAIT_MS = 400;
const NEXT_WAIT_MS = 1000;
const DEFAULT_ENTRIES = 50;

const CSV_HEADERS = {
  'content-type': 'text/csv; charset=utf-8',
  'content-disposition': 'attachment; filename="bellbird-odds.csv"',
  'cache-control': 'no-store',
};

const NO_DAY = 'The history has no minutes of this stock on this day.';
const done = { success: true } as const;

type SentSort = { sort?: EntrySort['by'] | undefined; order?: 'asc' | 'desc' | undefined };

type Asked = { user: { id: number }; request: Request };

const sendJson = (json: string, request: Request): Response =>
  sendEncoded({ json, etag: '', level: 1, packed: null }, request, { isKept: false });

const pageOf = ({ offset = 0, limit = DEFAULT_ENTRIES }: { offset?: number; limit?: number }) => ({
  offset,
  limit: Math.min(limit, MAX_ENTRIES_AT_ONCE),
});

/** Null for the order in which entries are kept. */
const sortOf = ({ sort = 'date', order = 'desc' }: SentSort): EntrySort | null =>
  sort === 'date' && order === 'desc' ? null : { by: sort, isDescending: order === 'desc' };

function runRoutes(app: App, odds: Odds, runs: OddsRuns) {
  const sendState = async (run: Run, waitMs: number, { request }: Asked): Promise<Response> => {
    await run.changed(waitMs, request.signal);
    return sendJson(runs.stateOf(run), request);
  };
  return serve(ODDS, {
    'POST /api/odds': (asked) => sendState(odds.start(asked.user.id, asked.body), FIRST_WAIT_MS, asked),
    'GET /api/odds/:id': (asked) => sendState(odds.own(asked.user.id, asked.params.id), NEXT_WAIT_MS, asked),
    'DELETE /api/odds/:id': ({ user, params }) => {
      odds.cancel(user.id, params.id);
      return done;
    },
    'GET /api/odds/:id/entries': ({ user, params, query }) =>
      odds.entries(user.id, params.id, pageOf(query), sortOf(query)),
    'GET /api/odds/:id/csv': async ({ user, params }) => {
      const run = odds.own(user.id, params.id);
      const text = await app.reads.run(userKey(user.id), 'odds csv', odds.csv(run));
      return new Response(text, { headers: CSV_HEADERS });
    },
    'GET /api/odds/day': async ({ user, query, request }) => {
      const json = await odds.day(user.id, query.symbol, query.date);
      if (json === null) throw new AppError(404, NO_DAY);
      return sendJson(json, request);
    },
  });
}

const savedRoutes = (saved: SavedOdds) =>
  serve(ODDS, {
    'GET /api/odds/saved': ({ user }) => saved.list(user.id),
    'POST /api/odds/saved': ({ user, body }) => saved.save(user.id, body),
    'DELETE /api/odds/saved/:id': ({ user, params }) => {
      saved.remove(user.id, params.id);
      return done;
    },
    'GET /api/odds/saved/:id/entries': ({ user, params, query }) =>
      saved.entries(user.id, params.id, pageOf(query)),
  });

/** Odds of scans: what happened after stocks met them, and the later entries of saved ones. */
export function createOdds(app: App) {
  const log = app.log.child('odds');
  const store = new OddsStore(app.db);
  const inputs = new OddsInputs(app);
  const runs = new OddsRuns(log);
  const odds = new Odds(app, store, runs, inputs);
  const saved = new SavedOdds(app, store, runs, inputs);
  const collector = new EntryCollector(app, store, runs, inputs);
  const failure = new FirstFailure(log, 'Could not store the entries of saved odds; trying again');
  const collect = (): Promise<void> =>
    collector.work().then(
      () => failure.ended(),
      (error: unknown) => failure.failed(error),
    );
  const collecting = new Repetition({
    schedule: app.schedule,
    everyMs: MINUTE_MS,
    work: () => void collect(),
    log,
    failure: 'Could not start storing the entries of saved odds',
  });
  return {
    name: 'odds',
    service: {
      transfer: oddsKind(app, store, saved),
      /** Stores the sessions that are over. */
      collect,
      /** Called before a user's account is deleted. @returns the work for after the deletion */
      leaving: (userId: number) => (): void => runs.cancelOf(userId),
    },
    routes: () => [...savedRoutes(saved), ...runRoutes(app, odds, runs)],
    start: () => collecting.start(),
    stop() {
      collecting.stop();
      runs.stop();
    },
    prune: () => ({ removed: store.dropVariants(app.clock.now() - COUNTED_MS), hasMore: false }),
    inspect: (): Inspection => ({
      label: 'Odds of scans',
      description: 'Runs of the last ten minutes, and their workers.',
      summary: runs.figures(),
      data: () => runs.figures(),
    }),
  } satisfies Part;
}

declare module '#platform/app.ts' {
  interface App {
    odds: ReturnType<typeof createOdds>['service'];
  }
}
