import { joinSpans, MAX_STEP } from '#subjects/scanners/rules/history.ts';
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
import { HISTORY } from '#subjects/scanners/contract.ts';
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
import type { OpenedSession } from '#market/sessions/opened.ts';
import { changesIn, type HistoryRow, rowsAt, timesIn } from './reading.ts';

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

/** Converts a Sydney time to minutes of the day. */
function minuteOf(time: string): number {
  const [, hour, minute] = TIME.exec(time) ?? [];
  if (hour === undefined || minute === undefined) {
    throw new AppError(400, 'Write the time as HH:MM, in Sydney time.');
  }
  return Number(hour) * 60 + Number(minute);
}

const LAST_MINUTE = 23 * 60 + 59;

const timeIn = (date: string, minute: number): number => fromSydney(date, 0, 0) + minute * MINUTE_MS;

class HistoryService {
  constructor(private readonly app: App) {}

  *days(): Steps<HistoryDaysAnswer> {
    const { sessions } = this.app;
    const days: HistoryDaysAnswer['days'] = [];
    for (const date of sessions.dates().toReversed()) {
      // A table is what was known after its minute.
      const spans = sessions.opened
        .covered(date)
        .map(({ from, until }) => ({ from: timeIn(date, from + 1), to: timeIn(date, until) }));
      if (spans.length > 0) days.push({ date, spans: joinSpans(spans) });
      yield;
    }
    return { days };
  }

  *at(query: HistoryQuery): Steps<HistoryAnswer> {
    const table = tableOf(query.table);
    const date = this.dateOf(query.date);
    const minute = this.momentOf(date, query.time);
    const time = timesIn(this.app.sessions.opened.covered(date), minute - MAX_STEP + 1, minute).at(-1);
    const session = time === undefined ? null : yield* this.open(date);
    const rows =
      session && time !== undefined ? yield* rowsAt(session, table, time, this.ignoreStatus()) : [];
    return {
      table,
      date,
      time: session && time !== undefined ? timeIn(date, time) : null,
      rows: this.columnsOf(table, inRankOrder(table, rows)),
    };
  }

  *changes(query: HistoryQuery & { since?: string }): Steps<HistoryChangesAnswer> {
    const table = tableOf(query.table);
    const date = this.dateOf(query.date);
    const to = this.momentOf(date, query.time);
    const asked = query.since === undefined ? to - CHANGES_MINUTES : minuteOf(query.since);
    if (asked > to) throw new AppError(400, '`since` is in the future.');
    const since = Math.max(asked, to - MAX_CHANGES_MINUTES);
    // The changes of the first minute need the table before it.
    const times = timesIn(this.app.sessions.opened.covered(date), since - MAX_STEP + 1, to);
    const first = Math.max(
      0,
      times.findLastIndex((time) => time <= since),
    );
    const session = yield* this.open(date);
    const { changes, isCut } = session
      ? yield* changesIn(session, table, times.slice(first), this.ignoreStatus())
      : { changes: [], isCut: false };
    return {
      table,
      date,
      times: changes.map(({ time }) => timeIn(date, time)),
      entered: changes.map(({ isEntered }) => isEntered),
      rows: this.columnsOf(
        table,
        changes.map(({ row }) => row),
      ),
      isCut,
    };
  }

  private *open(date: string): Steps<OpenedSession | null> {
    const { sessions } = this.app;
    return sessions.dates().includes(date) ? yield* sessions.opened.open(date) : null;
  }

  private ignoreStatus(): boolean {
    return this.app.source.ignoreStatus();
  }

  private dateOf(sent: string | undefined): string {
    if (sent === undefined) return this.app.market.date();
    if (!isDate(sent)) throw new AppError(400, 'Write the date as YYYY-MM-DD.');
    return sent;
  }

  /** The given minute; by default the current one, or the last of a past day. */
  private momentOf(date: string, time: string | undefined): number {
    if (time !== undefined) return minuteOf(time);
    const now = this.app.source.clock.now();
    return Math.min(Math.floor((now - timeIn(date, 0)) / MINUTE_MS), LAST_MINUTE);
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

/** Scanner history: the stocks in each scanner per minute of the market's clock, from the session history. */
export function createHistory(app: App) {
  const { clock, reads, sessions, source } = app;
  const service = new HistoryService(app);
  // Included because the current minute is the default.
  const sending = createSending(
    () => [sessions.version(), Math.floor(source.clock.now() / MINUTE_MS)],
    reads,
  );
  const count = createUserLimit(clock, MAX_REQUESTS_A_MINUTE, 'Too many requests for scanner history.');
  return {
    name: 'tape',
    routes: () => routesOf(service, sending.send, count),
    inspect: () => ({
      label: 'Scanner history',
      description: 'The size of cached answers. The minutes are in the session history.',
      summary: { encoded: sending.size() },
      data: () => sessions.opened.figures(),
    }),
  } satisfies Part;
}
