import { canCompute } from '#market/indicators/formulas/index.ts';
import type { Catalog } from '#market/indicators/rules/types.ts';
import { backtestable, listText } from '#subjects/alerts/rules/backtestRun.ts';
import { watchedLogic, withFilters } from '#subjects/alerts/rules/scanAlerts/scanAlertRules.ts';
import type { Logic } from '#subjects/conditions/rules/condition.ts';
import { CONDITION_FIELDS, FLIP_KEYS } from '#subjects/conditions/rules/conditionFields.ts';
import { NO_SCANS, type ScanOf } from '#subjects/conditions/rules/savedScan.ts';
import type { OddsScan } from '../../rules/asked.ts';

/** Surplus flips last a minute, so minutes do not contain them. */
const HISTORY_FIELDS: ReadonlySet<string> = new Set(
  CONDITION_FIELDS.map(({ key }) => key).filter((key) => !FLIP_KEYS.includes(key)),
);

type ReadableScan = {
  /** Conditions that the session history decides; null if there are none. */
  logic: Logic | null;
  /** A sentence about the others. */
  notes: string[];
};

/** The conditions of a scan, as a scan alert evaluates them, without those that the session history cannot decide. */
export function readableScan(
  scan: OddsScan,
  { catalog, scanOf }: { catalog: Pick<Catalog, 'indicators'>; scanOf: ScanOf },
): ReadableScan {
  if (scan.type === 'scanner') return { logic: watchedLogic(scan, 'enters', NO_SCANS), notes: [] };
  const { logic: known, unknown } = backtestable(scan.logic, {
    catalog,
    scanOf,
    canCompute: canCompute(catalog.indicators),
    fields: HISTORY_FIELDS,
  });
  const missing = `The session history doesn’t include ${listText(unknown)}`;
  if (unknown.length > 0 && known.conditions.length === 0) {
    return { logic: null, notes: [`${missing}, so there is nothing to look for.`] };
  }
  const logic = withFilters(known, scan.filters);
  if (logic.conditions.length === 0) return { logic: null, notes: ['The scan has no conditions.'] };
  return {
    logic,
    notes: unknown.length === 0 ? [] : [`${missing}: conditions on it were left out, so more stocks match.`],
  };
}
