import { addDays, fromSydney } from '#market/rules/sydneyTime.ts';
import { isFund } from '#market/rules/securities.ts';
import type {
  TapeAnswer,
  TapeChangesAnswer,
  TapeDaysAnswer,
  TapeRows,
} from '#subjects/scanners/answers/tape.ts';
import { MINUTE_MS } from '#subjects/scanners/rules/tape/tape.ts';
import {
  inRankOrder,
  isTapeTable,
  TAPE_FIELDS,
  TAPE_TABLES,
  type TapeTable,
} from '#subjects/scanners/rules/tape/tapeTables.ts';
import { AppError } from '#platform/http/errors.ts';
import type { Steps } from '#platform/http/readQueue.ts';
import type { Clock } from '#lib/clock.ts';
import type { TapeRow } from './pack/codec.ts';
import type { Market } from '#market/types.ts';
import type { TapeReading } from './reading.ts';

export type TapeQuery = { table: string; date?: string; time?: string };

type TapeServiceDeps = {
  market: Pick<Market, 'get' | 'date'>;
  /** The market's. */
  clock: Clock;
  reading: TapeReading;
};

/** So far back changes are told when nobody says how far, and at most. */
const CHANGES_MINUTES = 15;
const MAX_CHANGES_MINUTES = 120;

const DATE = /^\d{4}-\d{2}-\d{2}$/;
const TIME = /^([01]\d|2[0-3]):([0-5]\d)$/;

function tableOf(sent: string): TapeTable {
  if (isTapeTable(sent)) return sent;
  if (sent === 'custom') {
    throw new AppError(400, 'The tape does not keep the custom scanner: its scans are each user’s own.');
  }
  throw new AppError(400, `The table is one of ${TAPE_TABLES.join(', ')}.`);
}

/** Whether a text is a date of the calendar. */
function isDate(text: string): boolean {
  if (!DATE.test(text)) return false;
  try {
    return addDays(text, 0) === text;
  } catch {
    return false;
  }
}

/** A time of day in Sydney as minutes since the epoch. */
function minuteOf(date: string, time: string): number {
  const [, hour, minute] = TIME.exec(time) ?? [];
  if (hour === undefined || minute === undefined) {
    throw new AppError(400, 'A time of day is written as HH:MM, in Sydney.');
  }
  return fromSydney(date, Number(hour), Number(minute)) / MINUTE_MS;
}

/** Answers what is asked of the tape, in steps. Throws AppError 400 for a table, a date or a time that can't be. */
export class TapeService {
  constructor(private readonly deps: TapeServiceDeps) {}

  // oxlint-disable-next-line require-yield
  *days(): Steps<TapeDaysAnswer> {
    return { days: this.deps.reading.days() };
  }

  *at(query: TapeQuery): Steps<TapeAnswer> {
    const table = tableOf(query.table);
    const date = this.dateOf(query.date);
    const found = yield* this.deps.reading.at(date, table, this.momentOf(date, query.time));
    return {
      table,
      date,
      time: found && found.minute * MINUTE_MS,
      rows: this.columnsOf(table, found ? inRankOrder(table, found.rows) : []),
    };
  }

  *changes(query: TapeQuery & { since?: string }): Steps<TapeChangesAnswer> {
    const table = tableOf(query.table);
    const date = this.dateOf(query.date);
    const to = this.momentOf(date, query.time);
    const asked = query.since === undefined ? to - CHANGES_MINUTES : minuteOf(date, query.since);
    if (asked > to) throw new AppError(400, 'The changes are asked for since a time that is not yet there.');
    const since = Math.max(asked, to - MAX_CHANGES_MINUTES);
    const { changes, isCut } = yield* this.deps.reading.changes(date, table, since, to);
    const rows = changes.map(({ row }) => row);
    return {
      table,
      date,
      times: changes.map(({ minute }) => minute * MINUTE_MS),
      entered: changes.map(({ isEntered }) => isEntered),
      rows: this.columnsOf(table, rows),
      isCut,
    };
  }

  private dateOf(sent: string | undefined): string {
    if (sent === undefined) return this.deps.market.date();
    if (!isDate(sent)) throw new AppError(400, 'A date is written as YYYY-MM-DD.');
    return sent;
  }

  /** The minute that is asked for; without a time the present one, or the last of a day that is over. */
  private momentOf(date: string, time: string | undefined): number {
    if (time !== undefined) return minuteOf(date, time);
    const now = Math.floor(this.deps.clock.now() / MINUTE_MS);
    return Math.min(now, minuteOf(date, '23:59'));
  }

  private columnsOf(table: TapeTable, rows: readonly TapeRow[]): TapeRows {
    const stocks = rows.map(({ code }) => this.deps.market.get(code));
    return {
      codes: rows.map(({ code }) => code),
      names: rows.map(({ code }, index) => stocks[index]?.name ?? code),
      funds: stocks.map((stock) => stock !== undefined && isFund(stock)),
      values: Object.fromEntries(
        TAPE_FIELDS[table].map((field, index) => [field, rows.map(({ values }) => values[index] ?? null)]),
      ),
    };
  }
}
