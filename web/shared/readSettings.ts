import type { SubscriptionType } from '../../src/domain/accounts/accountRules.ts';
import { QUOTE_SITES, type QuoteSite } from '../../src/domain/market/quoteLink.ts';
import { type ColumnEntry, type Dropped, normaliseColumns } from '../../src/domain/scanners/columnList.ts';
import { SCANNER_KEYS, type ScannerKey } from '../../src/domain/scanners/scanners.ts';
import { isRecord, type JsonRecord } from '../../src/lib/json.ts';
import { readBoolean, readChoice, readList, readRecord, readText } from '../../src/lib/read.ts';
import { readAnswer } from './api/client.ts';

export type Settings = {
  username: string;
  subscriptionType: SubscriptionType;
  requestedSubscriptionType: SubscriptionType | null;
  quoteSite: QuoteSite;
  /** Saved column layouts by scanner; absent means the default layout. */
  columnPreferences: Readonly<Partial<Record<ScannerKey, readonly ColumnEntry[]>>>;
  /** What the server left out of saved layouts because it no longer exists, by scanner. */
  droppedColumns?: Readonly<Partial<Record<ScannerKey, readonly Dropped[]>>>;
};

/** What saving a table's columns answers; null layouts when the answer does not say what was saved. */
export type SavedColumns = {
  columnPreferences: Settings['columnPreferences'] | null;
  dropped: NonNullable<Settings['droppedColumns']>;
};

const readTier = readChoice<SubscriptionType>(['free', 'basic', 'premium']);
const readSite = readChoice<QuoteSite>(QUOTE_SITES.map(({ id }) => id));

/** The lists of those scanners that have one. */
function byScanner<T>(
  value: unknown,
  read: (list: readonly unknown[], key: ScannerKey) => T,
): Partial<Record<ScannerKey, T>> {
  const lists = readRecord(value);
  const known = SCANNER_KEYS.flatMap((key) => {
    const list = lists[key];
    return Array.isArray(list) ? [[key, read(list, key)] as const] : [];
  });
  return Object.fromEntries(known);
}

/** A column whose texts are text: which of them may be is for `normaliseColumns` to say. */
function readColumn(value: unknown): JsonRecord | null {
  if (!isRecord(value)) return null;
  const { enabled, label, valueKey } = value;
  const indicator = readRecord(value.indicator);
  return {
    ...value,
    enabled: readBoolean(enabled) ?? true,
    label: readText(label) ?? readText(indicator.key),
    valueKey: readText(valueKey) ?? 'now',
    ...(isRecord(value.indicator) ? { indicator: { ...indicator, tf: readText(indicator.tf) } } : {}),
  };
}

const readLayouts = (value: unknown): Settings['columnPreferences'] =>
  byScanner(value, (list, key) => normaliseColumns(key, readList(list, readColumn)).columns);

function readOneDropped(value: unknown): Dropped | null {
  const { id, reason } = readRecord(value);
  const sentence = readText(reason);
  return sentence ? { id: readText(id) ?? '', reason: sentence } : null;
}

const readDropped = (value: unknown): SavedColumns['dropped'] =>
  byScanner(value, (list) => readList(list, readOneDropped));

/** GET /settings (specification 7.1). A tier that is not known counts as free, a quote site as none. */
export function readSettings(body: unknown): Settings {
  const answer = readAnswer(body);
  return {
    username: readText(answer.username) ?? '',
    subscriptionType: readTier(answer.subscriptionType) ?? 'free',
    requestedSubscriptionType: readTier(answer.requestedSubscriptionType),
    quoteSite: readSite(answer.quoteSite) ?? 'none',
    columnPreferences: readLayouts(answer.columnPreferences),
    droppedColumns: readDropped(answer.droppedColumns),
  };
}

/** POST /settings/table-columns (specification 7.1). */
export function readSavedColumns(body: unknown): SavedColumns {
  const { columnPreferences, dropped } = readAnswer(body);
  return {
    columnPreferences: isRecord(columnPreferences) ? readLayouts(columnPreferences) : null,
    dropped: readDropped(dropped),
  };
}

/** What another window of this browser, perhaps of another version, says that it changed. */
export function readSettingsChange(value: unknown): Partial<Settings> {
  const { quoteSite, columnPreferences, droppedColumns } = readRecord(value);
  const site = readSite(quoteSite);
  return {
    ...(site === null ? {} : { quoteSite: site }),
    ...(isRecord(columnPreferences) ? { columnPreferences: readLayouts(columnPreferences) } : {}),
    ...(isRecord(droppedColumns) ? { droppedColumns: readDropped(droppedColumns) } : {}),
  };
}
