import { isRecord, type JsonRecord } from '../../lib/json.ts';
import { BASE_COLUMNS, FIELD_COLUMNS } from './columns.ts';
import { checkHtf, type HtfChoice, htfKey } from '../indicators/custom.ts';
import { indicatorKey, valueKeyOf } from '../indicators/columnName.ts';
import { delayOf, quoted } from '../indicators/valueKey.ts';
import { indicatorLabel } from '../indicators/label.ts';
import { checkChoice } from '../indicators/normalise.ts';
import { isTimeframe } from '../indicators/timeframe.ts';
import type { Catalog, IndicatorChoice, ParamValues } from '../indicators/types.ts';
import { SCANNER_KEYS, type ScannerKey } from './scanners.ts';

/** A column of a saved table layout (specification 3). */
export type ColumnEntry = {
  id: string;
  enabled: boolean;
  mandatory: boolean;
  type: 'base' | 'indicator' | 'custom';
  label: string;
  /** Indicator columns: 'now', or how many bars back. */
  valueKey?: string;
  indicator?: { family: string; params: ParamValues; tf: string; key: string };
  custom?: { family: 'htf_candle'; params: { period: string; field: string }; key: string };
};

/** An entry that was left out, and a sentence that names it and says why. */
export type Dropped = { id: string; reason: string };

export type NormalisedColumns = { columns: ColumnEntry[]; dropped: Dropped[] };

/** More indicator and custom columns than any table can show. */
export const MAX_ADDED_COLUMNS = 60;

type Read = { entry: ColumnEntry } | { reason: string };
export const isScannerKey = (value: unknown): value is ScannerKey =>
  SCANNER_KEYS.some((key) => key === value);

/** The layout of a table before anybody changed it. */
export const defaultEntries = (tableKey: ScannerKey): ColumnEntry[] =>
  BASE_COLUMNS[tableKey].map(({ id, label, enabled, mandatory }) => ({
    id,
    enabled,
    mandatory,
    type: 'base',
    label,
  }));

/** The column of a field of the catalogue on a table that has it or not; null for a field that is not in it. */
export function fieldEntry(tableKey: ScannerKey, key: string): ColumnEntry | null {
  const own = defaultEntries(tableKey).find(({ id }) => id === key);
  if (own) return { ...own, enabled: true };
  const field = FIELD_COLUMNS.find(({ id }) => id === key);
  return field ? { id: key, enabled: true, mandatory: false, type: 'base', label: field.label } : null;
}

/** The column of a higher-timeframe candle, e.g. '3M high'. */
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

/** The column of an indicator. Its id has no delay (specification 3): another delay of it replaces the column. */
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

const NO_INDICATOR = 'An indicator column does not say which indicator it is.';

const isEnabled = (entry: JsonRecord): boolean => entry['enabled'] !== false;

function readBase(entry: JsonRecord, tableKey: ScannerKey): Read {
  const base = typeof entry['id'] === 'string' ? fieldEntry(tableKey, entry['id']) : null;
  if (!base) return { reason: `This table has no column "${quoted(entry['id'])}".` };
  return { entry: { ...base, enabled: base.mandatory || isEnabled(entry) } };
}

const isParamValue = (value: unknown): value is ParamValues[string] =>
  typeof value === 'string' || typeof value === 'number';

/** An indicator entry without a catalog to check it against: whole, and true to its own id. */
function readShape(entry: JsonRecord, given: JsonRecord): Read {
  const { family, tf, key, params } = given;
  const { label, valueKey = 'now' } = entry;
  const isWhole =
    typeof family === 'string' &&
    typeof key === 'string' &&
    isTimeframe(tf) &&
    typeof label === 'string' &&
    typeof valueKey === 'string' &&
    entry['id'] === `indicator:${tf}:${key}`;
  if (!isWhole) return { reason: NO_INDICATOR };
  const own = isRecord(params) ? Object.entries(params) : [];
  const kept = own.filter((pair): pair is [string, string | number] => isParamValue(pair[1]));
  return {
    entry: {
      id: `indicator:${tf}:${key}`,
      enabled: isEnabled(entry),
      mandatory: false,
      type: 'indicator',
      label,
      valueKey,
      indicator: { family, params: Object.fromEntries(kept), tf, key },
    },
  };
}

function readIndicator(entry: JsonRecord, catalog: Pick<Catalog, 'indicators'> | undefined): Read {
  const given = entry['indicator'];
  if (!isRecord(given) || typeof given['family'] !== 'string' || typeof given['tf'] !== 'string') {
    return { reason: NO_INDICATOR };
  }
  if (!catalog) return readShape(entry, given);
  const params = isRecord(given['params']) ? given['params'] : {};
  const checked = checkChoice(catalog, {
    family: given['family'],
    params,
    tf: given['tf'],
    delay: delayOf(entry['valueKey']),
  });
  if (!checked.ok) return { reason: checked.problem };
  const made = indicatorEntry(catalog, checked.value, isEnabled(entry));
  return made ? { entry: made } : { reason: NO_INDICATOR };
}

function readCustom(entry: JsonRecord): Read {
  const given = isRecord(entry['custom']) ? entry['custom'] : {};
  if (given['family'] !== 'htf_candle') {
    return { reason: `The custom indicator "${quoted(given['family'])}" is not in the catalog.` };
  }
  const params = isRecord(given['params']) ? given['params'] : {};
  const choice = checkHtf(params);
  if (!choice) {
    return {
      reason: `The higher-timeframe candle "${quoted(params['period'])} ${quoted(params['field'])}" is not offered.`,
    };
  }
  return { entry: htfEntry(choice, isEnabled(entry)) };
}

function readEntry(
  entry: unknown,
  tableKey: ScannerKey,
  catalog: Pick<Catalog, 'indicators'> | undefined,
): Read {
  if (!isRecord(entry)) return { reason: 'Something in the list is not a column.' };
  if (entry['type'] === 'indicator') return readIndicator(entry, catalog);
  if (entry['type'] === 'custom') return readCustom(entry);
  return readBase(entry, tableKey);
}

const idOf = (entry: unknown): string =>
  isRecord(entry) && typeof entry['id'] === 'string' ? entry['id'].slice(0, 80) : '';

/**
 * A saved column list as it may be used (specification 4): what is unknown, invalid or there twice is left out,
 * base columns that are missing are appended, mandatory ones are enabled. The order is kept. The same function runs
 * in the browser and on the server. A field of the catalogue that the table lacks by default may be in the list, but
 * is not appended.
 *
 * @param saved what was stored or sent; anything but a list counts as nothing saved
 * @param catalog the indicators that exist; without it an indicator entry only has to be whole
 * @returns the list, and what was dropped with the reason (duplicates are dropped silently)
 */
export function normaliseColumns(
  tableKey: ScannerKey,
  saved: unknown,
  catalog?: Pick<Catalog, 'indicators'>,
): NormalisedColumns {
  const columns = new Map<string, ColumnEntry>();
  const dropped: Dropped[] = [];
  let added = 0;
  for (const item of Array.isArray(saved) ? (saved as unknown[]) : []) {
    const read = readEntry(item, tableKey, catalog);
    if ('reason' in read) dropped.push({ id: idOf(item), reason: read.reason });
    else if (!columns.has(read.entry.id)) {
      if (read.entry.type !== 'base') added += 1;
      if (added <= MAX_ADDED_COLUMNS || read.entry.type === 'base') columns.set(read.entry.id, read.entry);
      else
        dropped.push({
          id: read.entry.id,
          reason: `A table takes at most ${MAX_ADDED_COLUMNS} added columns; ${read.entry.label} is one too many.`,
        });
    }
  }
  for (const base of defaultEntries(tableKey)) if (!columns.has(base.id)) columns.set(base.id, base);
  return { columns: [...columns.values()], dropped };
}
