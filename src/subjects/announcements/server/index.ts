import { NEWS } from '../contract.ts';
import { KEPT_MS } from '../rules/stockNews.ts';
import { sydneyDate } from '#lib/sydneyTime.ts';
import { createUserLimit, userKey, type UserLimit } from '#platform/http/requestLimits.ts';
import { serve } from '#platform/http/routes.ts';
import type { App, Part, Pruned } from '#platform/app.ts';
import type { AnnouncementSource } from '#market/sources/announcements.ts';
import { Announcements } from './service.ts';
import type { Db } from '#platform/db/open.ts';

const MAX_PRUNED = 250;

type Params = Record<string, string | number>;

function pruneStore({ $client: client }: Db) {
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
    /** @param before epoch ms @returns the number deleted */
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

/**
 * Deletes some announcements older than 400 days, of every source. If the clock is ahead of the newest announcement,
 * days count from that one, so that a wrong year does not delete everything.
 * @param nowOf returns the time by the clock that dates the announcements of a source, epoch ms
 */
export function createPruning(db: Db, nowOf: (source: string) => number): () => Pruned {
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

const MAX_UPDATES_A_MINUTE = 30;

function routesOf({ reads }: App, announcements: Announcements, countUpdate: UserLimit) {
  return serve(NEWS, {
    'POST /api/data/news/update': ({ user, body }) => {
      countUpdate(user.id);
      return announcements.update(body.symbol);
    },
    'GET /api/data/news/search': async ({ user, query: { symbol: code, ...query } }) => {
      const steps = announcements.searchInSteps({
        ...query,
        ...(code === undefined ? {} : { code }),
      });
      return {
        announcements: await reads.run(userKey(user.id), 'announcements', steps),
      };
    },
  });
}

/**
 * Company announcements, stored for 400 days and searchable. Stocks show those of today and of the previous trading
 * day. `start` loads them from the database before it starts the source.
 */
export function createAnnouncements(app: App, source: AnnouncementSource | null) {
  const { clock, db, market } = app;
  const log = app.log.child('announcements');
  const service = new Announcements(app, source);
  if (source) market.observe(service.placement);

  return {
    name: 'announcements',
    service,
    routes: () => {
      const count = createUserLimit(clock, MAX_UPDATES_A_MINUTE, 'Too many requests for news.');
      return routesOf(app, service, count);
    },
    start() {
      if (!source) return;
      service.placement.days();
      // The start is not awaited, because prices must not wait for a slow provider.
      source.start(service.sink).catch((error: unknown) => log.error('The source did not start', { error }));
    },
    async stop() {
      await source?.stop();
      service.sink.finish();
    },
    prune: createPruning(db, (name) => (name === source?.name ? service.now() : clock.now())),
    inspect: () => service.inspect(),
  } satisfies Part;
}

declare module '#platform/app.ts' {
  interface App {
    announcements: Announcements;
  }
}
