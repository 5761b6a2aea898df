import { type DemandItem, demandItemId } from '../../domain/indicators/demandItem.ts';
import { AppError, refusedFor } from '../../http/errors.ts';
import type { Stopwatch } from '../../lib/clock.ts';
import { createRateLimit, waitText } from '../../lib/rateLimit.ts';
import type { CatalogKeeper } from './catalog.ts';
import { demandOf, type SavedUse } from './demandOf.ts';
import type { IndicatorStore, ScanRow } from './store.ts';

/** Different values that one user's columns, selection and scans may read together. */
const MAX_VALUES_A_USER = 100;
/** Changes of a user's columns, selection and scans in a minute. */
const MAX_WRITES_A_MINUTE = 60;

/** What a user has saved, as it lies in the database. */
export type SavedRows = Omit<SavedUse, 'scans'> & { scans: readonly ScanRow[] };

export function readSaved(
  store: Pick<IndicatorStore, 'columnPreferences' | 'refs' | 'scans'>,
  userId: number,
): SavedRows {
  return { columns: store.columnPreferences(userId), refs: store.refs(userId), scans: store.scans(userId) };
}

/** What one user may ask of the computation that all share; to be asked before anything of theirs is changed. */
export type UseLimits = {
  /** Counts a change, also one that is refused later. @throws AppError 429 with `Retry-After` */
  countWrite(userId: number): void;
  /**
   * Who has too many values in use from earlier times may change them as long as they do not become more.
   *
   * @param field the input that is at fault; @param change what takes the place of something saved
   * @throws AppError 400 when too many values would be in use by the user
   */
  refuseTooMany(userId: number, field: string, change: (saved: SavedRows) => Partial<SavedUse>): void;
};

const countOf = (items: readonly DemandItem[]): number => new Set(items.map(demandItemId)).size;

export function createUseLimits(deps: {
  store: Parameters<typeof readSaved>[0];
  catalog: Pick<CatalogKeeper, 'current'>;
  clock: Stopwatch;
}): UseLimits {
  const { store, catalog, clock } = deps;
  const writes = createRateLimit({ clock, limit: MAX_WRITES_A_MINUTE, windowMs: 60_000 });
  return {
    countWrite(userId) {
      const seconds = writes.take(String(userId));
      if (seconds === 0) return;
      const message = `You change your columns, indicators or scans too often. Try again in ${waitText(seconds)}.`;
      throw refusedFor(seconds, 429, message);
    },
    refuseTooMany(userId, field, change) {
      const saved = readSaved(store, userId);
      const count = countOf(demandOf({ ...saved, ...change(saved) }, catalog.current()));
      if (count <= MAX_VALUES_A_USER || count <= countOf(demandOf(saved, catalog.current()))) return;
      const message = `Your columns, chosen indicators and scans would read ${count} indicator values together; at most ${MAX_VALUES_A_USER} are served. Take some out first.`;
      throw new AppError(400, { field, message });
    },
  };
}
