import { isRecord, type JsonRecord } from '#lib/json.ts';
import { readMembers } from '#lib/read.ts';
import { failed, ok, type Refusal, refuse, type Result, within } from '#lib/result.ts';
import { quoted } from '#lib/wording.ts';
import {
  checkHtf,
  delayOf,
  type HtfChoice,
  htfKey,
  indicatorKey,
  indicatorLabel,
  valueKeyOf,
} from '#market/indicators/rules/indicatorKey.ts';
import { checkChoice } from '#market/indicators/rules/parameters.ts';
import {
  type Catalog,
  type IndicatorChoice,
  isTimeframe,
  type ParamValues,
} from '#market/indicators/rules/types.ts';
import { type ColumnFormat, readFormat } from './columnFormat.ts';
import { ALL_COLUMNS, BASE_COLUMNS, furtherColumns } from './columns.ts';
import type { ScannerKey } from './scanners.ts';

/** A saved column of a table layout (specification, section 3). */
export type ColumnEntry = ColumnFormat & {
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

/** The table's own column, otherwise one of another table or the field catalogue; null if none has it. */
export function fieldEntry(tableKey: ScannerKey, key: string): ColumnEntry | null {
  const own = defaultEntries(tableKey).find(({ id }) => id === key);
  if (own) return { ...own, enabled: true };
  const field = ALL_COLUMNS.find(({ id }) => id === key);
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
 * The entry of an indicator; null if the catalog lacks its family. The id has no delay (specification,
 * section 3), so a column with another delay replaces it.
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

export type Dropped = { id: string; reason: string };

type NormalisedColumns = { columns: ColumnEntry[]; dropped: Dropped[] };

/** More indicator and custom columns than any table can show. */
export const MAX_ADDED_COLUMNS = 60;
const MAX_SENT_COLUMNS = MAX_ADDED_COLUMNS + 60;

const refuseIndicator = () => refuse('An indicator column must name its `indicator`.', 'indicator');

const isEnabled = (entry: JsonRecord): boolean => entry['enabled'] !== false;

function checkBase(entry: JsonRecord, tableKey: ScannerKey): Result<ColumnEntry> {
  const base = typeof entry['id'] === 'string' ? fieldEntry(tableKey, entry['id']) : null;
  if (!base) return refuse(`This table has no column "${quoted(entry['id'])}".`, 'id');
  return ok({ ...base, enabled: base.mandatory || isEnabled(entry) });
}

const isParamValue = (value: unknown): value is ParamValues[string] =>
  typeof value === 'string' || typeof value === 'number';

/** Checks an entry without a catalog: all members must be there, and the id must match them. */
function checkShape(entry: JsonRecord, sent: JsonRecord): Result<ColumnEntry> {
  const { family, tf, key, params } = sent;
  const { label, valueKey = 'now' } = entry;
  const isWhole =
    typeof family === 'string' &&
    typeof key === 'string' &&
    isTimeframe(tf) &&
    typeof label === 'string' &&
    typeof valueKey === 'string' &&
    entry['id'] === `indicator:${tf}:${key}`;
  if (!isWhole) return refuseIndicator();
  const own = isRecord(params) ? Object.entries(params) : [];
  const usable = own.filter((pair): pair is [string, string | number] => isParamValue(pair[1]));
  return ok({
    id: `indicator:${tf}:${key}`,
    enabled: isEnabled(entry),
    mandatory: false,
    type: 'indicator',
    label,
    valueKey,
    indicator: { family, params: Object.fromEntries(usable), tf, key },
  });
}

function checkIndicator(
  entry: JsonRecord,
  catalog: Pick<Catalog, 'indicators'> | undefined,
): Result<ColumnEntry> {
  const sent = entry['indicator'];
  if (!isRecord(sent) || typeof sent['family'] !== 'string' || typeof sent['tf'] !== 'string') {
    return refuseIndicator();
  }
  if (!catalog) return checkShape(entry, sent);
  const choice = checkChoice(catalog, {
    family: sent['family'],
    params: isRecord(sent['params']) ? sent['params'] : {},
    tf: sent['tf'],
    delay: delayOf(entry['valueKey']),
  });
  const checked = within('indicator', choice);
  if (!checked.ok) return checked;
  const column = indicatorEntry(catalog, checked.value, isEnabled(entry));
  return column ? ok(column) : refuseIndicator();
}

function checkCustom(entry: JsonRecord): Result<ColumnEntry> {
  const sent = isRecord(entry['custom']) ? entry['custom'] : {};
  if (sent['family'] !== 'htf_candle') {
    const family = quoted(sent['family']);
    return refuse(`The custom indicator "${family}" is not in the catalog.`, 'custom.family');
  }
  const params = isRecord(sent['params']) ? sent['params'] : {};
  const choice = checkHtf(params);
  if (choice) return ok(htfEntry(choice, isEnabled(entry)));
  const candle = `${quoted(params['period'])} ${quoted(params['field'])}`;
  return refuse(`The higher-timeframe candle "${candle}" is not available.`, 'custom.params');
}

function checkEntry(
  entry: unknown,
  tableKey: ScannerKey,
  catalog: Pick<Catalog, 'indicators'> | undefined,
): Result<ColumnEntry> {
  if (!isRecord(entry)) return refuse('The list contains an entry that is not a column.');
  const checked = checkKind(entry, tableKey, catalog);
  return checked.ok ? ok({ ...checked.value, ...readFormat(entry) }) : checked;
}

function checkKind(
  entry: JsonRecord,
  tableKey: ScannerKey,
  catalog: Pick<Catalog, 'indicators'> | undefined,
): Result<ColumnEntry> {
  if (entry['type'] === 'indicator') return checkIndicator(entry, catalog);
  if (entry['type'] === 'custom') return checkCustom(entry);
  return checkBase(entry, tableKey);
}

const idOf = (entry: unknown): string =>
  isRecord(entry) && typeof entry['id'] === 'string' ? entry['id'].slice(0, 80) : '';

type RefusedEntry = { index: number; id: string; refusal: Refusal; isUnknownBase: boolean };

const isUnknownBase = (entry: unknown): boolean =>
  isRecord(entry) &&
  (entry['type'] === undefined || entry['type'] === 'base') &&
  !('indicator' in entry) &&
  !('custom' in entry) &&
  idOf(entry) !== '';

/** Reads a list and appends missing base columns. Duplicates are skipped silently. */
function readEntries(
  tableKey: ScannerKey,
  entries: readonly unknown[],
  catalog: Pick<Catalog, 'indicators'> | undefined,
): { columns: ColumnEntry[]; refused: RefusedEntry[] } {
  const columns = new Map<string, ColumnEntry>();
  const refused: RefusedEntry[] = [];
  let added = 0;
  for (const [index, entry] of entries.entries()) {
    const checked = checkEntry(entry, tableKey, catalog);
    if (!checked.ok) {
      refused.push({
        index,
        id: idOf(entry),
        refusal: checked.error,
        isUnknownBase: isUnknownBase(entry),
      });
      continue;
    }
    const { id, type, label } = checked.value;
    if (columns.has(id)) continue;
    if (type !== 'base') added += 1;
    if (type === 'base' || added <= MAX_ADDED_COLUMNS) columns.set(id, checked.value);
    else {
      const message = `A table can have at most ${MAX_ADDED_COLUMNS} added columns. Remove one before you add ${label}.`;
      refused.push({ index, id, refusal: { field: null, message }, isUnknownBase: false });
    }
  }
  for (const base of defaultEntries(tableKey)) if (!columns.has(base.id)) columns.set(base.id, base);
  return { columns: [...columns.values()], refused };
}

/**
 * A usable column list (specification, section 4): unknown, invalid and duplicate entries are dropped,
 * missing base columns appended, mandatory ones enabled. The order stays. Browser and server share this
 * function. Columns of other tables and catalogue fields are allowed but not appended.
 * @param saved anything but a list counts as nothing saved
 * @param catalog known indicators; without it an indicator entry only has to be complete
 * @returns the list, and the dropped entries with reasons (without duplicates)
 */
export function normaliseColumns(
  tableKey: ScannerKey,
  saved: unknown,
  catalog?: Pick<Catalog, 'indicators'>,
): NormalisedColumns {
  const { columns, refused } = readEntries(tableKey, readMembers(saved), catalog);
  return { columns, dropped: refused.map(({ id, refusal }) => ({ id, reason: refusal.message })) };
}

/**
 * Checks a list before it is saved: refuses it where `normaliseColumns` would drop an entry, except for
 * unknown base columns.
 * @returns the normalised list, or the refusal of the first wrong entry, with a field such as
 * `columns[3].indicator.tf`
 */
export function checkColumns(
  tableKey: ScannerKey,
  sent: readonly unknown[],
  catalog: Pick<Catalog, 'indicators'>,
): Result<ColumnEntry[]> {
  if (sent.length > MAX_SENT_COLUMNS) {
    return refuse(`A table can have at most ${MAX_SENT_COLUMNS} columns.`, 'columns');
  }
  const { columns, refused } = readEntries(tableKey, sent, catalog);
  const first = refused.find((entry) => !entry.isUnknownBase);
  return first ? within(`columns[${first.index}]`, failed(first.refusal)) : ok(columns);
}
