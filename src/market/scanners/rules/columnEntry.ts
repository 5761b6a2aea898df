import { BASE_COLUMNS, FIELD_COLUMNS, furtherColumns } from './columns.ts';
import type { ColumnLooks } from './columnLooks.ts';
import { type HtfChoice, htfKey } from '#market/indicators/rules/htfCandle.ts';
import { indicatorKey, indicatorLabel, valueKeyOf } from '#market/indicators/rules/indicatorKey.ts';
import type { Catalog, IndicatorChoice, ParamValues } from '#market/indicators/rules/types.ts';
import type { ScannerKey } from './scanners.ts';

/** A saved column of a table layout (specification, section 3). */
export type ColumnEntry = ColumnLooks & {
  id: string;
  enabled: boolean;
  mandatory: boolean;
  type: 'base' | 'indicator' | 'custom';
  label: string;
  valueKey?: string;
  indicator?: { family: string; params: ParamValues; tf: string; key: string };
  custom?: { family: 'htf_candle'; params: { period: string; field: string }; key: string };
};

export const defaultEntries = (tableKey: ScannerKey): ColumnEntry[] =>
  [...BASE_COLUMNS[tableKey], ...furtherColumns(tableKey)].map(({ id, label, enabled, mandatory }) => ({
    id,
    enabled,
    mandatory,
    type: 'base',
    label,
  }));

/** The table's own column, otherwise one of the field catalogue; null if neither has it. */
export function fieldEntry(tableKey: ScannerKey, key: string): ColumnEntry | null {
  const own = defaultEntries(tableKey).find(({ id }) => id === key);
  if (own) return { ...own, enabled: true };
  const field = FIELD_COLUMNS.find(({ id }) => id === key);
  return field ? { id: key, enabled: true, mandatory: false, type: 'base', label: field.label } : null;
}

export function htfEntry(choice: HtfChoice, enabled = true): ColumnEntry {
  const key = htfKey(choice);
  return {
    id: `custom:htf_candle:${key}`,
    enabled,
    mandatory: false,
    type: 'custom',
    label: `${choice.period} ${choice.field}`,
    custom: { family: 'htf_candle', params: choice, key },
  };
}

/**
 * Null if the catalog lacks the family. The id has no delay (specification, section 3), so a column with
 * another delay replaces it.
 */
export function indicatorEntry(
  catalog: Pick<Catalog, 'indicators'>,
  choice: IndicatorChoice,
  enabled = true,
): ColumnEntry | null {
  const family = catalog.indicators[choice.family];
  if (!family) return null;
  const { params, tf, delay } = choice;
  const key = indicatorKey(family, params);
  return {
    id: `indicator:${tf}:${key}`,
    enabled,
    mandatory: false,
    type: 'indicator',
    label: indicatorLabel(family, choice),
    valueKey: valueKeyOf(delay),
    indicator: { family: choice.family, params, tf, key },
  };
}
