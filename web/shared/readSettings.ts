import type { SubscriptionType } from '../../src/subjects/accounts/rules/accountRules.ts';
import type { PaidPlan } from '../../src/subjects/accounts/rules/upgrade.ts';
import type { Dropped } from '../../src/subjects/scanners/rules/columnList.ts';
import type { ScannerKey } from '../../src/subjects/scanners/rules/scanners.ts';
import { isRecord, type JsonRecord } from '../../src/lib/json.ts';
import {
  type Reader,
  readBoolean,
  readChoice,
  readCount,
  readList,
  readMap,
  readRecord,
  readText,
} from '../../src/lib/read.ts';
import { readAnswer } from '../api/client.ts';
import { QUOTE_LINKS, type QuoteLink } from '../../src/market/rules/quoteLink.ts';
import { readLooks } from '../../src/subjects/scanners/rules/columnLooks.ts';
import type { ColumnEntry } from '../../src/subjects/scanners/rules/columnEntry.ts';

export type Settings = {
  username: string;
  subscriptionType: SubscriptionType;
  requestedSubscriptionType: PaidPlan | null;
  /** Why the last request for a plan was declined; null when it was not. */
  upgradeDeclinedReason?: string | null;
  /** Null when the server does not say. */
  accessLevel?: number | null;
  /** The quote link, by its name on the wire. */
  quoteSite: QuoteLink;
  /** Saved column layouts by scanner; absent means the default layout. */
  columnPreferences: Readonly<Partial<Record<ScannerKey, readonly ColumnEntry[]>>>;
  /** What the server left out of saved layouts because it no longer exists, by scanner. */
  droppedColumns?: Readonly<Partial<Record<ScannerKey, readonly Dropped[]>>>;
} & ValueUse;

/** What the server says of indicator values, as it came: `columns/valueUse.ts` reads it where it is shown. */
type ValueUse = { indicatorValues?: unknown; waitingColumns?: unknown };

/** What saving a table's columns answers; null layouts when the answer does not say what was saved. */
export type SavedColumns = {
  columnPreferences: Settings['columnPreferences'] | null;
  dropped: NonNullable<Settings['droppedColumns']>;
} & ValueUse;

const readTier = readChoice<SubscriptionType>(['free', 'basic', 'premium']);
const readPaidPlan = readChoice<PaidPlan>(['basic', 'premium']);
const readColumnType = readChoice<ColumnEntry['type']>(['base', 'indicator', 'custom']);
const readQuoteLink = readChoice<QuoteLink>(QUOTE_LINKS.map(({ id }) => id));

/** The lists of those tables that have one. */
const byTable = <T>(value: unknown, read: Reader<T>): Partial<Record<ScannerKey, T[]>> =>
  readMap(value, (list) => (Array.isArray(list) ? readList(list, read) : null));

const readParamValue = (value: unknown): string | number | null =>
  typeof value === 'number' ? value : readText(value);

function readIndicator(value: unknown): ColumnEntry['indicator'] | null {
  const { family, params, tf, key } = readRecord(value);
  const texts = { family: readText(family), tf: readText(tf), key: readText(key) };
  if (!texts.family || !texts.tf || !texts.key) return null;
  return { family: texts.family, tf: texts.tf, key: texts.key, params: readMap(params, readParamValue) };
}

function readCustom(value: unknown): ColumnEntry['custom'] | null {
  const { family, params, key } = readRecord(value);
  const { period, field } = readRecord(params);
  const texts = { period: readText(period), field: readText(field), key: readText(key) };
  if (family !== 'htf_candle' || !texts.period || !texts.field || !texts.key) return null;
  return { family, params: { period: texts.period, field: texts.field }, key: texts.key };
}

/**
 * A column in its form. Whether there is such a column is for `normaliseColumns` to say, which each scanner asks. Here
 * one that only a newer server knows is kept, so that it is not lost when the list is saved.
 */
function readColumn(value: unknown): ColumnEntry | null {
  const column = readRecord(value);
  const id = readText(column.id);
  const type = readColumnType(column.type);
  const indicator = type === 'indicator' ? readIndicator(column.indicator) : undefined;
  const custom = type === 'custom' ? readCustom(column.custom) : undefined;
  if (!id || !type || indicator === null || custom === null) return null;
  return {
    id,
    enabled: readBoolean(column.enabled) ?? true,
    mandatory: readBoolean(column.mandatory) ?? false,
    type,
    label: readText(column.label) ?? id,
    ...readLooks(column),
    ...(indicator ? { valueKey: readText(column.valueKey) ?? 'now', indicator } : {}),
    ...(custom ? { custom } : {}),
  };
}

const readLayouts = (value: unknown): Settings['columnPreferences'] => byTable(value, readColumn);

function readOneDropped(value: unknown): Dropped | null {
  const { id, reason } = readRecord(value);
  const sentence = readText(reason);
  return sentence ? { id: readText(id) ?? '', reason: sentence } : null;
}

const readDropped = (value: unknown): SavedColumns['dropped'] => byTable(value, readOneDropped);

/** GET /settings (specification 7.1). A plan that is not known counts as free, a quote link as none. */
export function readSettings(body: unknown): Settings {
  const answer = readAnswer(body);
  return {
    username: readText(answer.username) ?? '',
    subscriptionType: readTier(answer.subscriptionType) ?? 'free',
    requestedSubscriptionType: readPaidPlan(answer.requestedSubscriptionType),
    upgradeDeclinedReason: readText(answer.upgradeDeclinedReason)?.trim() || null,
    accessLevel: readCount(answer.accessLevel) || null,
    quoteSite: readQuoteLink(answer.quoteSite) ?? 'none',
    columnPreferences: readLayouts(answer.columnPreferences),
    droppedColumns: readDropped(answer.droppedColumns),
    indicatorValues: answer.indicatorValues,
    waitingColumns: answer.waitingColumns,
  };
}

/** The event account_changed of the alert stream: the account's part of the settings, as far as it says. */
export function readAccountChange(account: JsonRecord): Partial<Settings> {
  const subscriptionType = readTier(account.subscriptionType);
  const accessLevel = readCount(account.accessLevel) || null;
  const { requestedSubscriptionType: requested, upgradeDeclinedReason: reason } = account;
  return {
    ...(accessLevel === null ? {} : { accessLevel }),
    ...(subscriptionType === null ? {} : { subscriptionType }),
    ...(requested === undefined ? {} : { requestedSubscriptionType: readPaidPlan(requested) }),
    ...(reason === undefined ? {} : { upgradeDeclinedReason: readText(reason)?.trim() || null }),
  };
}

/** POST /settings/table-columns (specification 7.1). */
export function readSavedColumns(body: unknown): SavedColumns {
  const answer = readAnswer(body);
  const { columnPreferences, dropped } = answer;
  return {
    columnPreferences: isRecord(columnPreferences) ? readLayouts(columnPreferences) : null,
    dropped: readDropped(dropped),
    indicatorValues: answer.indicatorValues,
    waitingColumns: answer.waitingColumns,
  };
}

/** What another window of this browser, perhaps of another version, says that it changed. */
export function readSettingsChange(value: unknown): Partial<Settings> {
  const { quoteSite, columnPreferences, droppedColumns } = readRecord(value);
  const quoteLink = readQuoteLink(quoteSite);
  return {
    ...(quoteLink === null ? {} : { quoteSite: quoteLink }),
    ...(isRecord(columnPreferences) ? { columnPreferences: readLayouts(columnPreferences) } : {}),
    ...(isRecord(droppedColumns) ? { droppedColumns: readDropped(droppedColumns) } : {}),
  };
}
