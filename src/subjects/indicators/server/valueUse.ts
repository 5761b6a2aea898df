import { type ColumnEntry, normaliseColumns } from '#market/scanners/rules/columnList.ts';
import { isScannerKey } from '#market/scanners/rules/scanners.ts';
import { lookUp } from '#lib/json.ts';
import {
  checkHtf,
  type DemandItem,
  demandItemId,
  YEAR,
  type YearField,
} from '#market/indicators/rules/indicatorKey.ts';
import { checkLogic } from '#subjects/conditions/rules/checkLogic.ts';
import { conditionsOf, type Logic } from '#subjects/conditions/rules/condition.ts';
import { type ScanOf, scanRefs, withoutScans } from '#subjects/conditions/rules/savedScan.ts';
import { checkRef, demandOfOperand } from '#subjects/conditions/rules/operand.ts';
import type { Catalog } from '#market/indicators/rules/types.ts';
import { limitText, valueLimitOf } from '#market/indicators/rules/valueLimits.ts';
import { AppError } from '#platform/http/errors.ts';
import { createWriteLimit, type UserLimit } from '#platform/http/requestLimits.ts';
import type { App } from '#platform/app.ts';
import type { CatalogKeeper } from './catalog.ts';
import type { IndicatorStore, ScanRow } from './store.ts';

/** Values that conditions read. Crossings keep their own history, so they need no earlier values. */
const demandOfLogic = (logic: Logic): DemandItem[] =>
  conditionsOf(logic).flatMap(({ lhs, rhs }) => [lhs, rhs].flatMap(demandOfOperand));

const YEAR_COLUMNS: Readonly<Record<string, YearField>> = { high52w: 'high', low52w: 'low' };

/** The value of a column; none if the column is off or shows a field of the source. */
export function demandOfColumn(column: ColumnEntry): DemandItem[] {
  const { id, enabled, indicator, custom, valueKey = 'now' } = column;
  if (!enabled) return [];
  const ofYear = lookUp(YEAR_COLUMNS, id);
  if (ofYear) return [{ kind: 'htf', choice: { period: YEAR, field: ofYear } }];
  if (indicator) return demandOfOperand({ type: 'indicator', valueKey, ...indicator });
  const choice = custom && checkHtf(custom.params);
  return choice ? [{ kind: 'htf', choice }] : [];
}

const demandOfColumns = (saved: Readonly<Record<string, unknown>>, catalog: Catalog): DemandItem[] =>
  Object.entries(saved).flatMap(([tableKey, columns]) =>
    isScannerKey(tableKey)
      ? normaliseColumns(tableKey, columns, catalog).columns.flatMap(demandOfColumn)
      : [],
  );

type SavedUse = {
  columns: Readonly<Record<string, unknown>>;
  refs: unknown;
  scans: readonly { logic: unknown }[];
};

/** Values that conditions read, without those of saved scans in them. Lists that read something deleted are skipped. */
const demandOfLists = (lists: readonly { logic: unknown }[], catalog: Catalog): DemandItem[] =>
  lists.flatMap(({ logic }) => {
    // Stored conditions were checked when they were saved.
    const checked = checkLogic(catalog, withoutScans(logic as Logic));
    return checked.ok ? demandOfLogic(checked.value) : [];
  });

export function demandOfAlerts(
  alerts: readonly { logic: unknown }[],
  scanOf: ScanOf,
  catalog: Catalog,
): DemandItem[] {
  const scans = alerts.flatMap(({ logic }) => scanRefs(logic as Logic).flatMap(({ id }) => scanOf(id) ?? []));
  return [...demandOfLists(alerts, catalog), ...demandOfLists(scans, catalog)];
}

/** Values that a user's tables, selected indicators and saved scans read, without deleted ones. */
export function demandOf(saved: SavedUse, catalog: Catalog): DemandItem[] {
  const refs = Array.isArray(saved.refs) ? (saved.refs as unknown[]) : [];
  return [
    ...demandOfColumns(saved.columns, catalog),
    ...refs.flatMap((ref) => {
      const checked = checkRef(catalog, ref);
      return checked.ok ? demandOfOperand(checked.value) : [];
    }),
    ...demandOfLists(saved.scans, catalog),
  ];
}

export const MAX_SELECTED = 60;

const MAX_WRITES_A_MINUTE = 60;

type SavedRows = Omit<SavedUse, 'scans'> & { scans: readonly ScanRow[] };

export function readSaved(store: IndicatorStore, userId: number): SavedRows {
  return {
    columns: store.columnPreferences(userId),
    refs: store.refs(userId),
    scans: store.scans(userId),
  };
}

type ActiveAlert = { id: number; logic: unknown };
type CountedRows = SavedRows & { alerts: readonly ActiveAlert[] };
type CountedUse = SavedUse & { alerts: readonly { logic: unknown }[] };

/** Limits of a user's share of the computation; call them before a change. */
export type UseLimits = {
  countWrite: UserLimit;
  /** The number of values that a user may read, and that saved and active items read. */
  valueUse(userId: number): { limit: number; used: number };
  /**
   * Refuses a change with too many values. A user over the limit may still change items without adding values.
   * @param field the input at fault
   * @param change replaces saved items
   * @throws AppError 400
   */
  refuseTooMany(userId: number, field: string, change: (saved: CountedRows) => Partial<CountedUse>): void;
  /**
   * Counts lists of conditions that are added one by one, reading the saved settings only once.
   * @returns a function that refuses a list which exceeds the limit; accepted lists count towards the limit
   */
  counting(userId: number): (field: string, logic: unknown) => void;
};

const countOf = (items: readonly DemandItem[]): number => new Set(items.map(demandItemId)).size;

/** @throws AppError 400 */
function refuseCount(field: string, count: number, limit: number, hasAlerts: boolean): never {
  const users = hasAlerts ? 'indicators, scans and alerts' : 'indicators and scans';
  const message = `Your columns, chosen ${users} would use ${count} indicator values; ${limitText(limit)}. Remove some first.`;
  throw new AppError(400, { field, message });
}

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
