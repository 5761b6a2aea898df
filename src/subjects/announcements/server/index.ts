import { NEWS } from '../contract.ts';
import { KEPT_MS, type KeptSummary } from '../rules/stockNews.ts';
import { fromSydney, sydneyDate } from '#market/rules/sydneyTime.ts';
import { userKey } from '#platform/http/callerKey.ts';
import { serve } from '#platform/http/routes.ts';
import { createUserLimit, type UserLimit } from '#platform/http/requestLimits.ts';
import type { App, Part, Pruned } from '#platform/app.ts';
import type { AnnouncementSource } from '#sources/announcements/source.ts';
import { Intake } from './intake.ts';
import { Placement } from './placement.ts';
import { Recent } from './recent.ts';
import { createRefresh } from './refresh.ts';
import { announcementSearch } from './search.ts';
import { Announcements } from './service.ts';
import { AnnouncementStore } from './store.ts';
import type { Db } from '#platform/db/open.ts';

/** At once; the rest follows shortly. */
const MAX_PRUNED = 250;

type Params = Record<string, string | number>;

/** SQL that removes what is too old, of every source. */
function pruneStore({ $client: client }: Pick<Db, '$client'>) {
  const nextSource = client.query<{ source: string | null }, Params>(
    'SELECT min(source) AS source FROM announcements WHERE source > $after',
  );
  const newest = client.query<{ time: number | null }, Params>(
    'SELECT max(time) AS time FROM announcements WHERE source = $source',
  );
  const oldest = client.query<{ number: number }, Params>(
    `SELECT number FROM announcements INDEXED BY announcements_time
     WHERE source = $source AND time < $before ORDER BY time LIMIT $most`,
  );
  const removeRow = client.query<null, Params>('DELETE FROM announcements WHERE number = $number');
  const removeWords = client.query<null, Params>('DELETE FROM announcement_words WHERE rowid = $number');
  const removeSummaries = client.query<null, Params>(
    'DELETE FROM announcement_summaries WHERE source = $source AND date < $date',
  );
  return {
    *sources(): Generator<{ source: string; newest: number }> {
      for (let after = ''; ; ) {
        const source = nextSource.get({ after })?.source ?? null;
        if (source === null) return;
        yield { source, newest: newest.get({ source })?.time ?? 0 };
        after = source;
      }
    },
    /** @param before epoch ms @returns how many were removed */
    drop: client.transaction((source: string, before: number, most: number): number => {
      const old = oldest.all({ source, before, most });
      for (const { number } of old) {
        removeWords.run({ number });
        removeRow.run({ number });
      }
      if (old.length < most) removeSummaries.run({ source, date: sydneyDate(before) });
      return old.length;
    }),
  };
}

type PruneDeps = {
  db: Pick<Db, '$client'>;
  /** Now by the clock that the announcements of a source are timed with, epoch ms. */
  nowOf(source: string): number;
};

/**
 * Removes announcements of before 400 days, of every source, some at once. The days are counted from the newest
 * announcement when the clock is ahead of it: a clock set to a wrong year must not cost what is kept.
 *
 * @returns the function that removes
 */
export function createPruning({ db, nowOf }: PruneDeps): () => Pruned {
  const store = pruneStore(db);
  return () => {
    let removed = 0;
    for (const { source, newest } of store.sources()) {
      const before = Math.min(nowOf(source), newest) - KEPT_MS;
      const count = store.drop(source, before, MAX_PRUNED);
      removed += count;
      if (count === MAX_PRUNED) return { removed, hasMore: true };
    }
    return { removed, hasMore: false };
  };
}

/** How far a provider's clock may be ahead of this machine's. */
const MAX_SKEW_MS = 10 * 60_000;

/** Requests for news of one user in a minute. */
const MAX_UPDATES_A_MINUTE = 30;

/** News (specification 7.6), and the search in what is kept. */
function routesOf({ reads }: App, announcements: Announcements, countUpdate: UserLimit) {
  return serve(NEWS, {
    'POST /api/data/news/update': ({ user, body }) => {
      countUpdate(user.id);
      return announcements.update(body.symbol);
    },
    'GET /api/data/news/search': async ({ user, query: { symbol: code, ...query } }) => {
      const steps = announcements.searchInSteps({ ...query, ...(code === undefined ? {} : { code }) });
      return { announcements: await reads.run(userKey(user.id), 'announcements', steps) };
    },
  });
}

/** The parts of the announcements of one source, put together. */
function createAnnouncementsService(
  { clock, db, log, market, schedule }: App,
  source: AnnouncementSource | null,
) {
  const ownClock = source?.clock;
  const now = (): number => (ownClock ?? clock).now();
  // A market that is made up keeps its own time exactly; its future must not show when it begins its day again.
  const until = (): number => (ownClock ? now() : now() + MAX_SKEW_MS);
  const name = source?.name ?? '';
  const store = new AnnouncementStore(db, name);
  const recent = new Recent();
  const summaries = new Map<string, KeptSummary>();

  function load(since: string): void {
    intake.settle();
    recent.load(store.since(fromSydney(since, 0, 0)), since);
    summaries.clear();
    for (const [id, summary] of store.summariesSince(since)) summaries.set(id, summary);
  }
  const placement = new Placement({ market, recent, summaries, until, load });
  const touch = (code: string, isUrgent?: boolean): void => placement.touch(code, isUrgent);
  const intake = new Intake({ store, recent, touch, now, log, later: setImmediate, schedule });
  const service = new Announcements({
    source,
    market,
    store,
    recent,
    intake,
    placement,
    summaries,
    now,
    until,
    search: announcementSearch(db, name),
    refresh: source && createRefresh({ source, stopwatch: clock, schedule, log }),
  });
  return { service, placement, intake, recent };
}

function inspect(
  source: AnnouncementSource | null,
  { recent, placement, intake }: ReturnType<typeof createAnnouncementsService>,
) {
  const health = source?.health() ?? null;
  return {
    label: 'Announcements',
    description: 'The source of announcements: its health, and the two days that are shown.',
    summary: {
      source: source?.label() ?? 'Off',
      recent: recent.size,
      waiting: placement.waiting,
      refused: intake.refused,
      healthy: health?.healthy ?? true,
    },
    data: () => ({ health, days: placement.days(), details: source?.details?.() }),
  };
}

/**
 * Company announcements: kept for 400 days, found by words, stock and day, and today's and those of the previous trading
 * day in the records of the stocks. `start` fills the records from the database before it asks the source.
 */
export function createAnnouncements(app: App, source: AnnouncementSource | null) {
  const { clock, db, market } = app;
  const log = app.log.child('announcements');
  const parts = createAnnouncementsService({ ...app, log }, source);
  const { service, placement, intake } = parts;
  if (source) market.observe(placement);
  const nowOf = (name: string): number => (name === source?.name ? service.now() : clock.now());

  return {
    name: 'announcements',
    service,
    routes: () => {
      const count = createUserLimit(clock, MAX_UPDATES_A_MINUTE, 'Too many requests for news.');
      return routesOf(app, service, count);
    },
    start() {
      if (!source) return;
      placement.days();
      // The prices do not wait for a provider that is slow to answer.
      source.start(intake).catch((error: unknown) => log.error('The source did not start', { error }));
    },
    async stop() {
      await source?.stop();
      intake.finish();
    },
    prune: createPruning({ db, nowOf }),
    inspect: () => inspect(source, parts),
  } satisfies Part;
}

declare module '#platform/app.ts' {
  interface App {
    announcements: Announcements;
  }
}
