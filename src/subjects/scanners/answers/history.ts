import {
  boolean,
  choice,
  date,
  epochMs,
  type Field,
  list,
  map,
  number,
  or,
  orNull,
  readBy,
  text,
  type Wire,
} from '#lib/contract/fields.ts';
import { always, object } from '#lib/contract/objects.ts';
import { readBoolean, readMembers, readNumber, readRecord, readText, readTime } from '#lib/read.ts';
import { HISTORY_TABLES } from '#market/scanners/rules/historyTables.ts';

const span = object({ from: epochMs, to: epochMs }, ['from', 'to']);
const wholeDate = readBy(date, (value) => {
  const given = readText(value);
  return given !== null && /^\d{4}-\d{2}-\d{2}$/.test(given) ? given : null;
});

/** A Sydney date and its recorded periods on the market's clock, oldest first. */
const historyDay = object({ date: wholeDate, spans: list(span) }, ['date']);

export type HistoryDay = Wire<typeof historyDay>;

/** Answer of `GET /api/data/tape/days`, newest first. */
export const daysAnswer = object({ days: list(historyDay) });
export type HistoryDaysAnswer = Wire<typeof daysAnswer>;

/** A list in which unreadable members keep their position. */
const placed = <W>(one: Field<W, unknown>) => readBy(list(one), readMembers);

const givenRows = always(
  object({
    codes: placed(text),
    names: placed(text),
    funds: placed(boolean),
    values: readBy(map(list(orNull(number))), readRecord),
  }),
);

/**
 * Rows as columns: each index is a row. Reading gives all lists the length of the codes; a row without a code is empty
 * and is not shown.
 */
const historyRows = readBy(givenRows, (value) => {
  const given = givenRows.read(value);
  const codes = given.codes.map((code) => readText(code) ?? '');
  const values = Object.entries(given.values).map(([field, column]) => {
    const figures = readMembers(column);
    return [field, codes.map((_, index) => readNumber(figures[index]))] as const;
  });
  return {
    codes,
    names: codes.map((code, index) => readText(given.names[index]) ?? code),
    funds: codes.map((_, index) => readBoolean(given.funds[index]) ?? false),
    values: Object.fromEntries(values),
  };
});

export type HistoryRows = Wire<typeof historyRows>;

const ofTable = { table: choice(HISTORY_TABLES), date: or(text, '') };

/** Answer of `GET /api/data/tape`: a table at a past minute, in its default order. */
export const historyAnswer = object({
  ...ofTable,
  /** The recorded minute of the table; null if there is none. */
  time: orNull(epochMs),
  rows: historyRows,
});
export type HistoryAnswer = Wire<typeof historyAnswer>;

const givenChanges = object({
  ...ofTable,
  /** For each row, the minute in which the change was first recorded, and whether the stock entered. */
  times: placed(epochMs),
  entered: placed(boolean),
  rows: historyRows,
  isCut: or(boolean, false),
});

/** Answer of `GET /api/data/tape/changes`: stocks that entered or left a table, newest first. */
export const changesAnswer = readBy(givenChanges, (value) => {
  const known = givenChanges.read(value);
  if (!known) return null;
  return {
    ...known,
    times: known.rows.codes.map((_, index) => readTime(known.times[index]) ?? 0),
    entered: known.rows.codes.map((_, index) => readBoolean(known.entered[index]) ?? false),
  };
});
export type HistoryChangesAnswer = Wire<typeof changesAnswer>;
