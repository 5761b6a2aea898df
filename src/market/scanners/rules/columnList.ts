import { isRecord, type JsonRecord } from '#lib/json.ts';
import { failed, ok, type Refusal, refuse, type Result, within } from '#lib/result.ts';
import { readMembers } from '#lib/read.ts';
import { checkChoice } from '#market/indicators/rules/parameters.ts';
import { checkHtf } from '#market/indicators/rules/htfCandle.ts';
import { delayOf } from '#market/indicators/rules/indicatorKey.ts';
import { isTimeframe } from '#market/indicators/rules/timeframe.ts';
import type { Catalog, ParamValues } from '#market/indicators/rules/types.ts';
import { quoted } from '#lib/wording.ts';
import { readLooks } from './columnLooks.ts';
import { type ColumnEntry, defaultEntries, fieldEntry, htfEntry, indicatorEntry } from './columnEntry.ts';
import type { ScannerKey } from './scanners.ts';

/** An entry that was left out: its id as far as it has one, and a sentence saying why. */
export type Dropped = { id: string; reason: string };

export type NormalisedColumns = { columns: ColumnEntry[]; dropped: Dropped[] };

/** More indicator and custom columns than any table can show. */
export const MAX_ADDED_COLUMNS = 60;
/** Leaves room for every base column beside them. */
const MAX_SENT_COLUMNS = MAX_ADDED_COLUMNS + 60;

const refuseIndicator = () => refuse('An indicator column does not say which indicator it is.', 'indicator');

const isEnabled = (entry: JsonRecord): boolean => entry['enabled'] !== false;

function checkBase(entry: JsonRecord, tableKey: ScannerKey): Result<ColumnEntry> {
  const base = typeof entry['id'] === 'string' ? fieldEntry(tableKey, entry['id']) : null;
  if (!base) return refuse(`This table has no column "${quoted(entry['id'])}".`, 'id');
  return ok({ ...base, enabled: base.mandatory || isEnabled(entry) });
}

const isParamValue = (value: unknown): value is ParamValues[string] =>
  typeof value === 'string' || typeof value === 'number';

/** An indicator entry without a catalog to check it against: all members there, and its id the one that they give. */
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
  return refuse(`The higher-timeframe candle "${candle}" is not offered.`, 'custom.params');
}

function checkEntry(
  entry: unknown,
  tableKey: ScannerKey,
  catalog: Pick<Catalog, 'indicators'> | undefined,
): Result<ColumnEntry> {
  if (!isRecord(entry)) return refuse('Something in the list is not a column.');
  const checked = checkKind(entry, tableKey, catalog);
  return checked.ok ? ok({ ...checked.value, ...readLooks(entry) }) : checked;
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

/** An entry that may not be used: where it stands in the list, and why. */
type RefusedEntry = { index: number; id: string; refusal: Refusal; isUnknownBase: boolean };

/** Whether a refused entry is a base column that the table does not have: of another version, or of another table. */
const isUnknownBase = (entry: unknown): boolean =>
  isRecord(entry) &&
  (entry['type'] === undefined || entry['type'] === 'base') &&
  !('indicator' in entry) &&
  !('custom' in entry) &&
  idOf(entry) !== '';

/** Reads a list entry by entry and appends the base columns that it lacks. Duplicates are passed over silently. */
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
      const message = `A table takes at most ${MAX_ADDED_COLUMNS} added columns; ${label} is one too many.`;
      refused.push({ index, id, refusal: { field: null, message }, isUnknownBase: false });
    }
  }
  for (const base of defaultEntries(tableKey)) if (!columns.has(base.id)) columns.set(base.id, base);
  return { columns: [...columns.values()], refused };
}

/**
 * A saved column list as it may be used (specification, section 4): what is unknown, invalid or there twice is left out,
 * base columns that are missing are appended, mandatory ones are enabled. The order is kept. The same function runs
 * in the browser and on the server. A field of the catalogue that the table lacks by default may be in the list, but
 * is not appended.
 *
 * @param saved what was stored; anything but a list counts as nothing saved
 * @param catalog the indicators that exist; without it an indicator entry only has to be whole
 * @returns the list, and what was dropped with the reason (duplicates are dropped silently)
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
 * Checks a column list before it is saved: where reading one that was saved leaves an entry out, this refuses the list. A
 * base column that the table does not have is left out here too.
 *
 * @returns the normalised list, or the refusal of the first entry at fault, its field such as
 *   `columns[3].indicator.tf`
 */
export function checkColumns(
  tableKey: ScannerKey,
  sent: readonly unknown[],
  catalog: Pick<Catalog, 'indicators'>,
): Result<ColumnEntry[]> {
  if (sent.length > MAX_SENT_COLUMNS) {
    return refuse(`A table has at most ${MAX_SENT_COLUMNS} columns.`, 'columns');
  }
  const { columns, refused } = readEntries(tableKey, sent, catalog);
  const first = refused.find((entry) => !entry.isUnknownBase);
  return first ? within(`columns[${first.index}]`, failed(first.refusal)) : ok(columns);
}
