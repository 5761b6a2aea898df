import { isRecord } from '../../src/lib/json.ts';
import type { Delta, Snapshot } from '../../src/market/rules/stream.ts';

const isRecordOfRecords = (value: unknown): boolean =>
  isRecord(value) && Object.values(value).every(isRecord);

const isCount = (value: unknown): boolean =>
  typeof value === 'number' && Number.isInteger(value) && value >= 0;

const isTextList = (value: unknown): boolean =>
  Array.isArray(value) && value.every((item) => typeof item === 'string');

const isTimeOrNull = (value: unknown): boolean => value === null || typeof value === 'number';

const isMeta = (value: unknown): boolean =>
  isRecord(value) &&
  isCount(value.stockCount) &&
  typeof value.dateToday === 'string' &&
  isRecord(value.flags) &&
  isRecord(value.feed) &&
  typeof value.marketTime === 'number' &&
  typeof value.clockOffsetMs === 'number' &&
  typeof value.clockSpeed === 'number';

/** Whether a value has every member of a snapshot as this server sends it; browsers ask for less. */
export function isSnapshot(value: unknown): value is Snapshot {
  return (
    isRecord(value) &&
    isRecordOfRecords(value.stocks) &&
    isMeta(value.meta) &&
    isRecord(value.fx) &&
    isRecordOfRecords(value.fx.data) &&
    isTimeOrNull(value.fx.lastUpdated)
  );
}

/** Whether a value has every member of a delta as this server sends it; browsers ask for less. */
export function isDelta(value: unknown): value is Delta {
  return (
    isRecord(value) &&
    isRecord(value.stocks) &&
    isRecordOfRecords(value.stocks.upsert) &&
    isTextList(value.stocks.delete) &&
    isRecord(value.meta) &&
    isCount(value.meta.stockCount) &&
    isRecord(value.fx) &&
    isRecordOfRecords(value.fx.upsert) &&
    isTextList(value.fx.delete) &&
    isTimeOrNull(value.fx.lastUpdated)
  );
}
