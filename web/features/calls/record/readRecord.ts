import {
  type CallResult,
  HOLDING_BINS,
  RESULT_BINS,
  type ResultGroup,
  type ResultStats,
  type SourceRecord,
} from '../../../../src/domain/calls/record.ts';
import {
  readBoolean,
  readCount,
  readList,
  readNumber,
  readRecord,
  readText,
  readTime,
} from '../../../../src/lib/read.ts';
import { api, readAnswer, unwrap } from '../../../shared/api/client.ts';
import { type Nullable, readMetrics, readPerson } from '../readCalls.ts';

/** One source of a submitter's record as it was read. */
export type ReadSource = Omit<SourceRecord, 'metrics'> & { metrics: Nullable<SourceRecord['metrics']> };
export type ReadRecord = { submitter: { display: string }; source: string | null; records: ReadSource[] };

const readGroup = (value: unknown): ResultGroup => {
  const { count, wins, mean } = readRecord(value);
  return { count: readCount(count) ?? 0, wins: readCount(wins) ?? 0, mean: readNumber(mean) };
};

function readResult(value: unknown): CallResult | null {
  const { publicId, symbol, percent, endedAt, days } = readRecord(value);
  const result = readNumber(percent);
  const time = readTime(endedAt);
  if (result === null || time === null) return null;
  return {
    publicId: readText(publicId) || null,
    symbol: readText(symbol) || null,
    percent: result,
    endedAt: time,
    days: readNumber(days) ?? 0,
  };
}

function readMonth(value: unknown): ResultStats['months'][number] | null {
  const month = readText(readRecord(value).month);
  return month ? { month, ...readGroup(value) } : null;
}

/** As many members as there are bins; what is not told is empty. */
const binned = <T, Bin>(bins: readonly Bin[], value: unknown, read: (member: unknown) => T): T[] =>
  bins.map((_, index) => read(Array.isArray(value) ? value[index] : undefined));

function readStats(value: unknown): ResultStats {
  const stats = readRecord(value);
  return {
    ...readGroup(stats),
    median: readNumber(stats.median),
    best: readList(stats.best, readResult),
    worst: readList(stats.worst, readResult),
    distribution: binned(RESULT_BINS, stats.distribution, (count) => readCount(count) ?? 0),
    holding: binned(HOLDING_BINS, stats.holding, readGroup),
    medianDays: readNumber(stats.medianDays),
    months: readList(stats.months, readMonth),
    newest: readList(stats.newest, readResult),
  };
}

function readSource(value: unknown): ReadSource | null {
  const record = readRecord(value);
  const source = readText(record.source);
  if (!source) return null;
  return {
    source,
    metrics: readMetrics(record.metrics),
    awaiting: readCount(record.awaiting) ?? 0,
    neverTraded: readCount(record.neverTraded) ?? 0,
    rejected: readCount(record.rejected) ?? 0,
    ended: readStats(record.ended),
    running: readGroup(record.running),
    isCut: readBoolean(record.isCut) ?? false,
  };
}

/** `GET /api/calls/by/:name`. */
export function readSubmitterRecord(body: unknown): ReadRecord {
  const { submitter, source, records } = readAnswer(body);
  return {
    submitter: readPerson(submitter),
    source: readText(source) || null,
    records: readList(records, readSource),
  };
}

/** What a submitter's verified results say. @throws ApiError; 404 for nobody of that name */
export const fetchRecord = (name: string): Promise<ReadRecord> =>
  unwrap(api.calls.by({ name: encodeURIComponent(name) }).get(), readSubmitterRecord);
