import { type ColumnEntry, normaliseColumns } from '#market/scanners/rules/columnList.ts';
import { isScannerKey } from '#market/scanners/rules/scanners.ts';
import { checkHtf, type DemandItem } from '#market/indicators/rules/indicatorKey.ts';
import { checkLogic } from '#subjects/conditions/rules/checkLogic.ts';
import { conditionsOf, type Logic } from '#subjects/conditions/rules/condition.ts';
import { type ScanOf, scanRefs, withoutScans } from '#subjects/conditions/rules/savedScan.ts';
import { checkRef, demandOfOperand } from '#subjects/conditions/rules/operand.ts';
import type { Catalog } from '#market/indicators/rules/types.ts';

/** The values that a condition list reads. A comparison that looks for a crossing keeps its own history. */
const demandOfLogic = (logic: Logic): DemandItem[] =>
  conditionsOf(logic).flatMap(({ lhs, rhs }) => [lhs, rhs].flatMap(demandOfOperand));

/** The value that a column shows; none where it is off or no indicator's. */
export function demandOfColumn({ enabled, indicator, custom, valueKey = 'now' }: ColumnEntry): DemandItem[] {
  if (!enabled) return [];
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

/** A user's tables by key, chosen indicators and saved scans. */
export type SavedUse = {
  columns: Readonly<Record<string, unknown>>;
  refs: unknown;
  scans: readonly { logic: unknown }[];
};

/**
 * Everything that conditions of scans or alerts read themselves, without the saved scans in them; a list with something
 * that no longer exists is passed over.
 */
export const demandOfLists = (lists: readonly { logic: unknown }[], catalog: Catalog): DemandItem[] =>
  lists.flatMap(({ logic }) => {
    // What is stored was checked before it was.
    const checked = checkLogic(catalog, withoutScans(logic as Logic));
    return checked.ok ? demandOfLogic(checked.value) : [];
  });

/** Everything that a user's alerts read, with the conditions of the saved scans in them. */
export function demandOfAlerts(
  alerts: readonly { logic: unknown }[],
  scanOf: ScanOf,
  catalog: Catalog,
): DemandItem[] {
  const scans = alerts.flatMap(({ logic }) => scanRefs(logic as Logic).flatMap(({ id }) => scanOf(id) ?? []));
  return [...demandOfLists(alerts, catalog), ...demandOfLists(scans, catalog)];
}

/** Everything that a user's tables, chosen indicators and saved scans read; what no longer exists is passed over. */
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
