import { type ColumnEntry, normaliseColumns } from '#market/scanners/rules/columnList.ts';
import { isScannerKey } from '#market/scanners/rules/scanners.ts';
import { checkHtf, type DemandItem } from '#market/indicators/rules/indicatorKey.ts';
import { checkLogic } from '#subjects/conditions/rules/checkLogic.ts';
import { conditionsOf, type Logic } from '#subjects/conditions/rules/condition.ts';
import { type ScanOf, scanRefs, withoutScans } from '#subjects/conditions/rules/savedScan.ts';
import { checkRef, demandOfOperand } from '#subjects/conditions/rules/operand.ts';
import type { Catalog } from '#market/indicators/rules/types.ts';

/** Values that conditions read. A crossing keeps its own history. */
const demandOfLogic = (logic: Logic): DemandItem[] =>
  conditionsOf(logic).flatMap(({ lhs, rhs }) => [lhs, rhs].flatMap(demandOfOperand));

/** The value of a column; none if it is off or shows no indicator. */
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

export type SavedUse = {
  columns: Readonly<Record<string, unknown>>;
  refs: unknown;
  scans: readonly { logic: unknown }[];
};

/** Values that conditions read, without those of saved scans in them. Skips lists that read something deleted. */
export const demandOfLists = (lists: readonly { logic: unknown }[], catalog: Catalog): DemandItem[] =>
  lists.flatMap(({ logic }) => {
    // Stored conditions were checked before.
    const checked = checkLogic(catalog, withoutScans(logic as Logic));
    return checked.ok ? demandOfLogic(checked.value) : [];
  });

/** Values that alerts read, with those of their saved scans. */
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
