import { BASE_COLUMNS } from './columns.ts';
import { checkHtf, htfKey } from './indicators/custom.ts';
import { indicatorKey, valueKeyOf } from './indicators/columnName.ts';
import { indicatorLabel } from './indicators/label.ts';
import { checkChoice } from './indicators/normalise.ts';
import type { Catalog, IndicatorChoice, ParamValues } from './indicators/types.ts';
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

/** An entry that was left out, and a sentence that says why. */
export type Dropped = { id: string; reason: string };

export type NormalisedColumns = { columns: ColumnEntry[]; dropped: Dropped[] };

/** More indicator and custom columns than any table can show. */
export const MOST_ADDED_COLUMNS = 60;

type Read = { entry: ColumnEntry } | { reason: string };
type Json = Record<string, unknown>;

const isRecord = (value: unknown): value is Json =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

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

/** The column of an indicator. Its id has no delay (specification 3): another delay of it replaces the column. */
export const indicatorEntry = (
  catalog: Pick<Catalog, 'indicators'>,
  choice: IndicatorChoice,
  enabled = true,
): ColumnEntry | null => {
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
};

const isEnabled = (entry: Json): boolean => entry['enabled'] !== false;

const readBase = (entry: Json, allowed: readonly ColumnEntry[]): Read => {
  const base = allowed.find(({ id }) => id === entry['id']);
  if (!base) return { reason: 'is not a column of this table' };
  return { entry: { ...base, enabled: base.mandatory || isEnabled(entry) } };
};

const readIndicator = (entry: Json, catalog: Pick<Catalog, 'indicators'> | undefined): Read => {
  const given = entry['indicator'];
  if (!isRecord(given) || typeof given['family'] !== 'string' || typeof given['tf'] !== 'string') {
    return { reason: 'does not say which indicator it is' };
  }
  // Without a catalog nothing can be said of it, so it stays as it is.
  if (!catalog) return { entry: entry as unknown as ColumnEntry };
  const delay = Number(entry['valueKey'] ?? 'now');
  const params = isRecord(given['params']) ? given['params'] : {};
  const checked = checkChoice(catalog, {
    family: given['family'],
    params,
    tf: given['tf'],
    ...(Number.isInteger(delay) ? { delay } : {}),
  });
  if (!checked.ok) return { reason: checked.problem };
  const made = indicatorEntry(catalog, checked.value, isEnabled(entry));
  return made ? { entry: made } : { reason: 'is not in the catalog' };
};

const readCustom = (entry: Json): Read => {
  const given = entry['custom'];
  const choice = isRecord(given) && isRecord(given['params']) ? checkHtf(given['params']) : null;
  if (!isRecord(given) || given['family'] !== 'htf_candle' || !choice) {
    return { reason: 'is not a higher-timeframe candle that is offered' };
  }
  const key = htfKey(choice);
  return {
    entry: {
      id: `custom:htf_candle:${key}`,
      enabled: isEnabled(entry),
      mandatory: false,
      type: 'custom',
      label: `${choice.period} ${choice.field}`,
      custom: { family: 'htf_candle', params: choice, key },
    },
  };
};

const readEntry = (
  entry: unknown,
  allowed: readonly ColumnEntry[],
  catalog: Pick<Catalog, 'indicators'> | undefined,
): Read => {
  if (!isRecord(entry)) return { reason: 'is not a column' };
  if (entry['type'] === 'indicator') return readIndicator(entry, catalog);
  if (entry['type'] === 'custom') return readCustom(entry);
  return readBase(entry, allowed);
};

const idOf = (entry: unknown): string =>
  isRecord(entry) && typeof entry['id'] === 'string' ? entry['id'].slice(0, 80) : '';

/**
 * A saved column list as it may be used (specification 4): what is unknown, invalid or there twice is left out,
 * base columns that are missing are appended, mandatory ones are enabled. The order is kept. The same function runs
 * in the browser and on the server. A first version by the server side; the column editor owns it from here on.
 *
 * @param saved what was stored or sent; anything but a list counts as nothing saved
 * @param catalog the indicators that exist; without it indicator entries are kept unchecked
 * @returns the list, and what was dropped with the reason (duplicates are dropped silently)
 */
export const normaliseColumns = (
  tableKey: ScannerKey,
  saved: unknown,
  catalog?: Pick<Catalog, 'indicators'>,
): NormalisedColumns => {
  const allowed = defaultEntries(tableKey);
  const columns = new Map<string, ColumnEntry>();
  const dropped: Dropped[] = [];
  let added = 0;
  for (const item of Array.isArray(saved) ? (saved as unknown[]) : []) {
    const read = readEntry(item, allowed, catalog);
    if ('reason' in read) dropped.push({ id: idOf(item), reason: read.reason });
    else if (!columns.has(read.entry.id)) {
      if (read.entry.type !== 'base') added += 1;
      if (added <= MOST_ADDED_COLUMNS || read.entry.type === 'base') columns.set(read.entry.id, read.entry);
      else
        dropped.push({ id: read.entry.id, reason: `is more than the ${MOST_ADDED_COLUMNS} a table may add` });
    }
  }
  for (const base of allowed) if (!columns.has(base.id)) columns.set(base.id, base);
  return { columns: [...columns.values()], dropped };
};
