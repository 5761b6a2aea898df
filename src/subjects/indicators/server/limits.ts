import { type DemandItem, demandItemId } from '#market/indicators/rules/indicatorKey.ts';
import { limitText, valueLimitOf } from '#market/indicators/rules/valueLimits.ts';
import { AppError } from '#platform/http/errors.ts';
import { createWriteLimit, type UserLimit } from '#platform/http/requestLimits.ts';
import type { App } from '#platform/app.ts';
import type { CatalogKeeper } from './catalog.ts';
import { demandOf, demandOfLists, type SavedUse } from './demandOf.ts';
import type { IndicatorStore, ScanRow } from './store.ts';

/** Indicators that a user may choose for the custom scanner. */
export const MAX_SELECTED = 60;

/** Changes of a user's columns, selection and scans in a minute. */
const MAX_WRITES_A_MINUTE = 60;

/** What a user has saved, as it lies in the database. */
type SavedRows = Omit<SavedUse, 'scans'> & { scans: readonly ScanRow[] };

export function readSaved(store: IndicatorStore, userId: number): SavedRows {
  return {
    columns: store.columnPreferences(userId),
    refs: store.refs(userId),
    scans: store.scans(userId),
  };
}

/** An alert that is switched on. */
type ActiveAlert = { id: number; logic: unknown };
type CountedRows = SavedRows & { alerts: readonly ActiveAlert[] };
type CountedUse = SavedUse & { alerts: readonly { logic: unknown }[] };

/** What one user may ask of the computation that all share; to be asked before anything of theirs is changed. */
export type UseLimits = {
  countWrite: UserLimit;
  /** How many values a user may read, and how many different ones all that is saved and switched on reads. */
  valueUse(userId: number): { limit: number; used: number };
  /**
   * Who has too many values in use from earlier times may change them as long as they do not become more.
   *
   * @param field the input that is at fault; @param change what takes the place of something saved
   * @throws AppError 400 when too many values would be in use by the user
   */
  refuseTooMany(userId: number, field: string, change: (saved: CountedRows) => Partial<CountedUse>): void;
  /**
   * Counts lists of conditions that are added one after the other to all that is saved and switched on now, which is read
   * only once.
   * @returns what refuses one with which there would be too many; what it lets pass counts from then on
   */
  counting(userId: number): (field: string, logic: unknown) => void;
};

const countOf = (items: readonly DemandItem[]): number => new Set(items.map(demandItemId)).size;

/** @throws AppError 400 */
function refuseCount(field: string, count: number, limit: number, hasAlerts: boolean): never {
  const users = hasAlerts ? 'indicators, scans and alerts' : 'indicators and scans';
  const message = `Your columns, chosen ${users} would read ${count} indicator values together; ${limitText(limit)}. Take some out first.`;
  throw new AppError(400, { field, message });
}

/** Counts what is added to all that a user has now. */
function countingOf(store: IndicatorStore, catalog: CatalogKeeper, userId: number, limit: number) {
  const saved = readSaved(store, userId);
  const current = catalog.current();
  const items = [...demandOf(saved, current), ...demandOfLists(store.activeAlerts(userId), current)];
  const known = new Set(items.map(demandItemId));
  return (field: string, logic: unknown): void => {
    const more = new Set(demandOfLists([{ logic }], current).map(demandItemId)).difference(known);
    const count = known.size + more.size;
    if (more.size > 0 && count > limit) refuseCount(field, count, limit, true);
    for (const id of more) known.add(id);
  };
}

export function createUseLimits(app: App, store: IndicatorStore, catalog: CatalogKeeper): UseLimits {
  const limitOf = (userId: number): number =>
    valueLimitOf(store.account(userId) ?? { subscriptionType: 'free', isAdmin: false });
  const valuesOf = (use: CountedUse): number =>
    countOf([...demandOf(use, catalog.current()), ...demandOfLists(use.alerts, catalog.current())]);
  return {
    countWrite: createWriteLimit(app.clock, MAX_WRITES_A_MINUTE, 'your columns, indicators or scans'),
    valueUse(userId) {
      const saved = {
        ...readSaved(store, userId),
        alerts: store.activeAlerts(userId),
      };
      return { limit: limitOf(userId), used: valuesOf(saved) };
    },
    refuseTooMany(userId, field, change) {
      const saved = {
        ...readSaved(store, userId),
        alerts: store.activeAlerts(userId),
      };
      const changed = { ...saved, ...change(saved) };
      const count = valuesOf(changed);
      const limit = limitOf(userId);
      if (count <= limit || count <= valuesOf(saved)) return;
      refuseCount(field, count, limit, changed.alerts.length > 0);
    },
    counting: (userId) => countingOf(store, catalog, userId, limitOf(userId)),
  };
}
