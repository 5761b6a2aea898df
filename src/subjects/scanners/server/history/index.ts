import { KEPT_DAYS } from '#subjects/scanners/rules/history.ts';
import { MINUTE_MS } from '#lib/units.ts';
import { createUserLimit, userKey, type UserLimit } from '#platform/http/requestLimits.ts';
import {
  createEncodedAnswers,
  encodeInSteps,
  isSameVersion,
  sendEncoded,
  type Version,
} from '#platform/http/encodedAnswers.ts';
import type { ReadQueue, Steps } from '#platform/http/readQueue.ts';
import type { App, Part } from '#platform/app.ts';
import { serve } from '#platform/http/routes.ts';
import type { Inspection } from '#lib/inspection.ts';
import { HISTORY } from '#subjects/scanners/contract.ts';
import { HistoryReading } from './reading.ts';
import { HistoryRecorder } from './recorder.ts';
import { HISTORY_EXTENSION, HistoryStore, partRecord, type HistoryPart } from './store.ts';
import { type DayFiles, dayFiles, folderOf } from '#lib/dayFiles.ts';
import type { Db } from '#platform/db/open.ts';
import { nextTurn } from '#lib/turns.ts';
import { addDays, fromSydney } from '#lib/sydneyTime.ts';
import { isFund } from '#market/rules/stockState.ts';
import type {
  HistoryAnswer,
  HistoryChangesAnswer,
  HistoryDaysAnswer,
  HistoryRows,
} from '#subjects/scanners/answers/history.ts';
import {
  inRankOrder,
  isHistoryTable,
  HISTORY_FIELDS,
  HISTORY_TABLES,
  type HistoryTable,
} from '#market/scanners/rules/historyTables.ts';
import { AppError } from '#platform/http/errors.ts';
import type { HistoryRow } from './codec.ts';

type HistoryQuery = { table: string; date?: string; time?: string };

/** Default and longest range of changes, in minutes. */
const CHANGES_MINUTES = 15;
const MAX_CHANGES_MINUTES = 120;

const DATE = /^\d{4}-\d{2}-\d{2}$/;
const TIME = /^([01]\d|2[0-3]):([0-5]\d)$/;

function tableOf(sent: string): HistoryTable {
  if (isHistoryTable(sent)) return sent;
  if (sent === 'custom') {
    throw new AppError(400, 'History is not available for the custom scanner.');
  }
  throw new AppError(400, `The table must be one of ${HISTORY_TABLES.join(', ')}.`);
}

function isDate(text: string): boolean {
  if (!DATE.test(text)) return false;
  try {
    return addDays(text, 0) === text;
  } catch {
    return false;
  }
}

/** Converts a Sydney time of day to minutes since the epoch. */
function minuteOf(date: string, time: string): number {
  const [, hour, minute] = TIME.exec(time) ?? [];
  if (hour === undefined || minute === undefined) {
    throw new AppError(400, 'Write the time as HH:MM, in Sydney time.');
  }
  return fromSydney(date, Number(hour), Number(minute)) / MINUTE_MS;
}

class HistoryService {
  constructor(
    private readonly app: App,
    private readonly reading: HistoryReading,
  ) {}

  // oxlint-disable-next-line require-yield
  *days(): Steps<HistoryDaysAnswer> {
    return { days: this.reading.days() };
  }

  *at(query: HistoryQuery): Steps<HistoryAnswer> {
    const table = tableOf(query.table);
    const date = this.dateOf(query.date);
    const found = yield* this.reading.at(date, table, this.momentOf(date, query.time));
    return {
      table,
      date,
      time: found && found.minute * MINUTE_MS,
      rows: this.columnsOf(table, found ? inRankOrder(table, found.rows) : []),
    };
  }

  *changes(query: HistoryQuery & { since?: string }): Steps<HistoryChangesAnswer> {
    const table = tableOf(query.table);
    const date = this.dateOf(query.date);
    const to = this.momentOf(date, query.time);
    const asked = query.since === undefined ? to - CHANGES_MINUTES : minuteOf(date, query.since);
    if (asked > to) throw new AppError(400, '`since` is in the future.');
    const since = Math.max(asked, to - MAX_CHANGES_MINUTES);
    const { changes, isCut } = yield* this.reading.changes(date, table, since, to);
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
    if (sent === undefined) return this.app.market.date();
    if (!isDate(sent)) throw new AppError(400, 'Write the date as YYYY-MM-DD.');
    return sent;
  }

  /** The given minute; by default the current one, or the last of a past day. */
  private momentOf(date: string, time: string | undefined): number {
    if (time !== undefined) return minuteOf(date, time);
    const now = Math.floor(this.app.source.clock.now() / MINUTE_MS);
    return Math.min(now, minuteOf(date, '23:59'));
  }

  private columnsOf(table: HistoryTable, rows: readonly HistoryRow[]): HistoryRows {
    const stocks = rows.map(({ code }) => this.app.market.get(code));
    return {
      codes: rows.map(({ code }) => code),
      names: rows.map(({ code }, index) => stocks[index]?.name ?? code),
      funds: stocks.map((stock) => stock !== undefined && isFund(stock)),
      values: Object.fromEntries(
        HISTORY_FIELDS[table].map((field, index) => [field, rows.map(({ values }) => values[index] ?? null)]),
      ),
    };
  }
}

type Day = { source: string; date: string };
type Row = HistoryPart & { minutes: Uint8Array };

/**
 * Moves the scanner history of an earlier version from the database to files, one day per turn. A day is deleted from
 * the database only after its file is written, so that a crash loses nothing.
 * @returns the number of days
 */
export async function moveEarlierHistory({ $client: client }: Db, files: DayFiles): Promise<number> {
  const days = client
    .query<Day, []>('SELECT DISTINCT source, date FROM tape_segments ORDER BY date DESC')
    .all();
  const rowsOf = client.query<Row, [string, string]>(
    'SELECT first, goes_on_from AS goesOnFrom, until, minutes FROM tape_segments WHERE source = ? AND date = ? ORDER BY first',
  );
  const drop = client.query('DELETE FROM tape_segments WHERE source = ? AND date = ?');
  for (const { source, date } of days) {
    const folder = folderOf(source);
    // The file exists if the update was rolled back and installed again.
    if (files.read(folder, date) === null) {
      const records = rowsOf.all(source, date).map(({ minutes, ...part }) => partRecord(part, minutes));
      files.write(folder, date, 0, Buffer.concat(records));
    }
    drop.run(source, date);
    await nextTurn();
  }
  return days.length;
}

const NOT_MOVED = 'Could not move the scanner history out of the database; trying again at the next start';

/** The most that a crash can lose, ms. Longer intervals save SD cards. */
const SAVE_EVERY_MS = 10 * 60_000;

/** Limit per user; a moving slider sends a few requests per second. */
const MAX_REQUESTS_A_MINUTE = 120;

/** Bytes of cached answers. Users of the live history share them; a table of 600 stocks has 60 KB. */
const MAX_ENCODED = 3_000_000;

/** `what` is the kind of request, for example 'changes'. */
type Asking = { userId: number; request: Request; what: string };

/** Sends answers; an unchanged one is encoded only once. @param version changes when an answer may change */
function createSending(version: () => Version, reads: ReadQueue) {
  const kept = createEncodedAnswers(MAX_ENCODED);
  return {
    /** @param key identifies the request */
    async send({ userId, request, what }: Asking, key: string, make: Steps<object>): Promise<Response> {
      const now = version();
      const name = `${what} ${key}`;
      const known = kept.get(name, now);
      if (known) return sendEncoded(known, request);
      const fresh = await reads.run(userKey(userId), `tape ${what}`, encodeInSteps(make, request));
      // If the version changed during the read, the answer may mix versions and is not cached.
      if (isSameVersion(now, version())) kept.put(name, now, fresh);
      return sendEncoded(fresh, request);
    },
    size: kept.size,
  };
}

type Send = ReturnType<typeof createSending>['send'];

const routesOf = (history: HistoryService, send: Send, count: UserLimit) =>
  serve(HISTORY, {
    'GET /api/data/tape': ({ user, query, request }) => {
      count(user.id);
      const { table, date = '', time = '' } = query;
      return send({ userId: user.id, request, what: 'at' }, `${table} ${date} ${time}`, history.at(query));
    },
    'GET /api/data/tape/days': ({ user, request }) => {
      count(user.id);
      return send({ userId: user.id, request, what: 'days' }, '', history.days());
    },
    'GET /api/data/tape/changes': ({ user, query, request }) => {
      count(user.id);
      const { table, date = '', time = '', since = '' } = query;
      return send(
        { userId: user.id, request, what: 'changes' },
        `${table} ${date} ${time} ${since}`,
        history.changes(query),
      );
    },
  });

function inspected(recorder: HistoryRecorder, reading: HistoryReading, encoded: number): Inspection {
  return {
    label: 'Scanner history',
    description:
      'Stored minutes by day, the size of the current day on disk, and the sizes of cached answers and decoded minutes.',
    summary: { ...recorder.figures(), encoded, decoded: reading.held() },
    data: () => reading.days(),
  };
}

/**
 * Scanner history: the stocks in each scanner per minute of the market's clock, for ten days. Written per source every
 * ten minutes and at the stop.
 */
export function createHistory(app: App, files: DayFiles = dayFiles(app.paths.tape, HISTORY_EXTENSION)) {
  const { clock, db, reads, source } = app;
  const log = app.log.child('scannerHistory');
  const store = new HistoryStore(files, source.name);
  const recorder = new HistoryRecorder(app, store);
  const reading = new HistoryReading(store, () => recorder.open(), log);
  const service = new HistoryService(app, reading);
  // Included because the current minute is the default.
  const sending = createSending(
    () => [recorder.version(), Math.floor(source.clock.now() / MINUTE_MS)],
    reads,
  );
  const count = createUserLimit(clock, MAX_REQUESTS_A_MINUTE, 'Too many requests for scanner history.');
  let timer: ReturnType<typeof setInterval> | undefined;
  return {
    name: 'tape',
    service,
    routes: () => routesOf(service, sending.send, count),
    onChanges: () => recorder.onTick(),
    start() {
      timer ??= setInterval(() => recorder.save(), SAVE_EVERY_MS);
      moveEarlierHistory(db, files).catch((error: unknown) => log.error(NOT_MOVED, { error }));
    },
    stop() {
      clearInterval(timer);
      timer = undefined;
      recorder.save();
    },
    prune: () => ({ removed: store.prune(KEPT_DAYS), hasMore: false }),
    inspect: () => inspected(recorder, reading, sending.size()),
  } satisfies Part;
}
