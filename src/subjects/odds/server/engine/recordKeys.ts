import { filtersOfScan } from '#market/scanners/rules/filters.ts';
import { KEYS_OF_SCANNER } from '#market/sessions/recordedStock.ts';
import { type RecordKey, SESSION_SERIES } from '#market/sessions/series.ts';
import { type Logic, operandsOf } from '#subjects/conditions/rules/condition.ts';
import { scanRefs, type ScanOf, watchable } from '#subjects/conditions/rules/savedScan.ts';
import { scanOfField } from '#subjects/conditions/rules/scanFields.ts';

/** What a derived field is computed from, in addition to the last price and the previous close. */
const OF_FIELD: Readonly<Record<string, readonly RecordKey[]>> = {
  gap_percent: ['open', 'match_price'],
  day_range: ['high', 'low'],
  sensitive_today: ['sensitive'],
};

function keysOfField(key: string): readonly RecordKey[] {
  const scan = scanOfField(key);
  if (!scan) return OF_FIELD[key] ?? SESSION_SERIES.filter((one) => one === key);
  const { newsOnly, sensitiveOnly } = filtersOfScan(scan.filters ?? { minValue: 0 });
  return [
    ...KEYS_OF_SCANNER[scan.scanner],
    ...(newsOnly || sensitiveOnly ? (['news', 'sensitive'] as const) : []),
  ];
}

/** The members of a stock’s record that conditions read. The last price and the status decide what is known. */
export function recordKeys(logic: Logic, scanOf: ScanOf): RecordKey[] {
  const scans = scanRefs(logic).flatMap(({ id }) => watchable(scanOf(id)) ?? []);
  const keys = new Set<RecordKey>(['last', 'status']);
  for (const operand of [logic, ...scans].flatMap(operandsOf)) {
    if (operand.type === 'field') for (const key of keysOfField(operand.key)) keys.add(key);
    // Until the first trade the 52 weeks include the last session.
    if (operand.type === 'htf') keys.add('high');
  }
  return [...keys];
}
