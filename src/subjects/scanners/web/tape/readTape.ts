import type {
  TapeAnswer,
  TapeChangesAnswer,
  TapeDay,
  TapeDaysAnswer,
  TapeRows,
  TapeSpan,
} from '../../rules/tape/tape.ts';
import { TAPE_FIELDS, type TapeTable } from '../../rules/tape/tapeTables.ts';
import { readBoolean, readList, readNumber, readRecord, readText, readTime } from '../../../../lib/read.ts';
import { readAnswer } from '../../../../../web/api/client.ts';

function readSpan(value: unknown): TapeSpan | null {
  const given = readRecord(value);
  const [from, to] = [readTime(given.from), readTime(given.to)];
  return from === null || to === null ? null : { from, to };
}

function readDay(value: unknown): TapeDay | null {
  const given = readRecord(value);
  const date = readText(given.date);
  return date !== null && /^\d{4}-\d{2}-\d{2}$/.test(date)
    ? { date, spans: readList(given.spans, readSpan) }
    : null;
}

/** GET /data/tape/days. */
export const readDays = (body: unknown): TapeDaysAnswer => ({
  days: readList(readAnswer(body).days, readDay),
});

const listOf = (value: unknown): unknown[] => (Array.isArray(value) ? (value as unknown[]) : []);

/** Columns of the same length; a row without a code is left out by an empty one. */
function readRows(value: unknown, table: TapeTable): TapeRows {
  const given = readRecord(value);
  const codes = listOf(given.codes).map((code) => readText(code) ?? '');
  const names = listOf(given.names);
  const funds = listOf(given.funds);
  const values = readRecord(given.values);
  return {
    codes,
    names: codes.map((code, index) => readText(names[index]) ?? code),
    funds: codes.map((_, index) => readBoolean(funds[index]) ?? false),
    values: Object.fromEntries(
      TAPE_FIELDS[table].map((field) => {
        const column = listOf(values[field]);
        return [field, codes.map((_, index) => readNumber(column[index]))];
      }),
    ),
  };
}

/** GET /data/tape. */
export function readTape(body: unknown, table: TapeTable): TapeAnswer {
  const given = readAnswer(body);
  return {
    table,
    date: readText(given.date) ?? '',
    time: readTime(given.time),
    rows: readRows(given.rows, table),
  };
}

/** GET /data/tape/changes. */
export function readChanges(body: unknown, table: TapeTable): TapeChangesAnswer {
  const given = readAnswer(body);
  const rows = readRows(given.rows, table);
  const [times, entered] = [listOf(given.times), listOf(given.entered)];
  return {
    table,
    date: readText(given.date) ?? '',
    times: rows.codes.map((_, index) => readTime(times[index]) ?? 0),
    entered: rows.codes.map((_, index) => readBoolean(entered[index]) ?? false),
    rows,
    isCut: readBoolean(given.isCut) ?? false,
  };
}
