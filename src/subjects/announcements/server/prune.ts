import type { Db } from '#platform/db/open.ts';
import { KEPT_MS } from '../rules/keptAnnouncement.ts';
import { sydneyDate } from '#market/rules/sydneyTime.ts';
import type { Pruned } from '#src/part.ts';

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

export type PruneDeps = {
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
