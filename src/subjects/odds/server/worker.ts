import { parentPort } from 'node:worker_threads';
import { packJson, unpackJson } from '#lib/pack.ts';
import { openSessions } from '#market/sessions/files.ts';
import type { SessionReader } from '#market/sessions/rules/sessionDay.ts';
import { holdSpecialDays } from '#market/rules/tradingDay.ts';
import type { SavedScan } from '#subjects/conditions/rules/savedScan.ts';
import type { Wire } from '#lib/contract/fields.ts';
import type { oddsDayAnswer } from '../answers/odds.ts';
import { joined, pickRows, sortedRows } from '../rules/entryRows.ts';
import { bestOfLuck } from '../rules/luck.ts';
import type { LeftOut, OddsEntries } from '../rules/result.ts';
import { figuresOf, resultOf } from '../rules/statistics.ts';
import { OpenedDays } from './dailyBars.ts';
import { OddsRun } from './engine/run.ts';
import type { Since } from './engine/trades.ts';
import {
  type CollectedDay,
  type EngineInput,
  type EntryPages,
  type JobOf,
  type OddsJob,
  type OddsMessage,
  PAGE,
} from './job.ts';

/** The first state comes after the first session, later ones at least this long after another, ms. */
const STATE_EVERY_MS = 400;
/** Statistics take at most this share of the time. */
const STATE_SHARE = 0.1;

function createRun(
  { asked, adjustments, daily, indicators, names, dates }: EngineInput,
  saved: Since | null,
): { run: OddsRun; days: OpenedDays | null } {
  const scans = new Map<number, SavedScan>(asked.scans.map((scan) => [scan.id, scan]));
  const byCode = new Map(adjustments);
  const nameOf = new Map(names);
  const adjustmentsOf = (code: string) => byCode.get(code) ?? [];
  const days = daily && new OpenedDays(daily, adjustmentsOf, dates);
  const run = new OddsRun({
    scan: asked.scan,
    settings: asked.settings,
    scanOf: (id) => scans.get(id) ?? null,
    catalog: { indicators },
    dates,
    adjustments: adjustmentsOf,
    ...(days && { dailyBars: days.of }),
    // Recorded sessions have the exchange's hours.
    ignoreStatus: false,
    ...(asked.listed && { listed: new Set(asked.listed) }),
    names: (code) => nameOf.get(code) ?? code,
    ...(saved && { since: saved }),
  });
  return { run, days };
}

/** Numbers keep eight digits, which halves the text. */
const shortJson = (value: unknown): string =>
  JSON.stringify(value, (_key, member: unknown) =>
    typeof member === 'number' ? Number(member.toPrecision(8)) : member,
  );

/** A session whose file is missing: it counts as a gap. */
const unreadable = (date: string, source: string): SessionReader => ({
  date,
  source,
  gaps: [{ from: 0, until: 1440 }],
  isComplete: false,
  *stocks() {},
});

/** A run of the engine. Sessions whose file is damaged are read as far as possible, and counted. */
class EngineRun {
  private readonly run: OddsRun;
  private readonly days: OpenedDays | null;
  private damaged = 0;

  constructor(
    private readonly input: EngineInput,
    saved: Since | null = null,
  ) {
    holdSpecialDays(parentPort ?? this, input.specialDays);
    ({ run: this.run, days: this.days } = createRun(input, saved));
  }

  /** Reads the sessions one by one. @param after called after each, with the number of those that were read */
  read(isWanted: (session: SessionReader) => boolean, after: (done: number) => void): void {
    const { folder, source, dates } = this.input;
    const history = openSessions(folder, source);
    if (this.run.refused !== null) return;
    for (const [index, date] of dates.entries()) {
      const session = history.read(date) ?? unreadable(date, source);
      if (isWanted(session)) this.readSession(session);
      after(index + 1);
    }
    this.days?.close();
  }

  private readSession(session: SessionReader): void {
    const { run } = this;
    run.begin(session);
    try {
      for (const stock of session.stocks()) run.stock(stock);
    } catch (error) {
      if (!(error instanceof RangeError)) throw error;
      this.damaged += 1;
    }
    run.end();
    // Unpacked columns count little for the collector: without this, memory doubles, and the time stays the same.
    Bun.gc(true);
  }

  /** The part of a state that only the worker knows. */
  state(done: number, variants: number): string {
    const { refused } = this.run;
    const { notes, ...result } = this.run.result();
    return shortJson({
      isDone: done === this.input.dates.length,
      sessions: { done, of: this.input.dates.length },
      result: refused === null ? { ...result, notes: [...notes, ...this.ownNotes()] } : null,
      refused,
      luck: result.all.entries > 0 ? bestOfLuck(result.days, variants) : null,
    });
  }

  entryPages(): EntryPages {
    const { total } = this.run.entries(0, 0);
    const pages = Array.from({ length: Math.ceil(total / PAGE) }, (_, index) =>
      packJson(this.run.entries(index * PAGE, PAGE)),
    );
    return { total, pages };
  }

  /** The sessions from a date on. The last one is not final. */
  collected(from: string): CollectedDay[] {
    const { run } = this;
    const { dates, gapMinutes } = run.result().days;
    const all = run.entries(0, Number.MAX_SAFE_INTEGER);
    return dates.flatMap((date, index): CollectedDay[] => {
      if (date < from) return [];
      const entries = entriesOf(all, date);
      const day = { date, entryCount: entries.total, entries: packJson(entries) };
      const isFinal = index < dates.length - 1;
      return [{ ...day, isFinal, leftOut: run.leftOutOf(date), gapMinutes: gapMinutes[index] ?? 0 }];
    });
  }

  private ownNotes(): string[] {
    const { damaged } = this;
    if (damaged === 0) return [];
    return [
      damaged === 1
        ? 'One session is damaged and incomplete.'
        : `${damaged} sessions are damaged and incomplete.`,
    ];
  }
}

/** The entries of one session. */
function entriesOf(all: OddsEntries, date: string): OddsEntries {
  return pickRows(
    all,
    all.dates.flatMap((one, row) => (one === date ? [row] : [])),
  );
}

function send(message: OddsMessage, transferred: readonly Uint8Array[] = []): void {
  parentPort?.postMessage(
    message,
    transferred.map(({ buffer }) => buffer as ArrayBuffer),
  );
}

function answer({ id, input, variants }: JobOf<'run'>): void {
  const run = new EngineRun(input);
  const of = input.dates.length;
  let next = 0;
  run.read(
    () => true,
    (done) => {
      const now = performance.now();
      if (now < next || done === of) return;
      send({ id, kind: 'state', json: run.state(done, variants) });
      const took = performance.now() - now;
      next = now + Math.max(STATE_EVERY_MS, took / STATE_SHARE);
    },
  );
  const entries = run.entryPages();
  send({ id, kind: 'done', json: run.state(of, variants), entries }, entries.pages);
}

function collect({ id, input, from, saved, current }: JobOf<'collect'>): void {
  const run = new EngineRun(input, saved);
  run.read(
    ({ date, isComplete }) => date !== current || isComplete,
    () => {},
  );
  send({ id, kind: 'collected', days: run.collected(from) });
}

/** The result of stored days. */
function sum({ id, days, notes }: JobOf<'sum'>): void {
  const entries = joined(days.map((day) => unpackJson(day.entries) as OddsEntries));
  const dates = days.map(({ date }) => date);
  const counted = (why: LeftOut): number => days.reduce((total, { leftOut }) => total + leftOut[why], 0);
  const result = resultOf({
    entries: figuresOf(entries, dates),
    dates,
    sessions: dates.length,
    gapMinutes: days.map(({ gapMinutes }) => gapMinutes),
    leftOut: { noFill: counted('noFill'), noExit: counted('noExit'), gap: counted('gap') },
    notes,
  });
  send({ id, kind: 'answered', json: shortJson(result) });
}

function sort({ id, pages, sort: order, names }: JobOf<'sort'>): void {
  const all = joined(pages.map((page) => unpackJson(page) as OddsEntries));
  const nameOf = new Map(names);
  const rows = sortedRows(all, order, (code) => nameOf.get(code) ?? '');
  const sorted = pages.map((_, page) => packJson(pickRows(all, rows.slice(page * PAGE, (page + 1) * PAGE))));
  send({ id, kind: 'sorted', entries: { total: rows.length, pages: sorted } }, sorted);
}

/** The minutes of a stock in which it traded; null without such a session. */
function minutesOf({ place, date, symbol }: JobOf<'day'>): Wire<typeof oddsDayAnswer> | null {
  const session = openSessions(place.folder, place.source).read(date);
  if (!session) return null;
  for (const stock of session.stocks()) {
    if (stock.code !== symbol) continue;
    const [open, high, low, last, total] = (['open', 'high', 'low', 'last', 'volume'] as const).map((name) =>
      stock.column(name),
    );
    const rows = Array.from({ length: stock.rows }, (_, row) => row).filter((row) => (open?.[row] ?? 0) > 0);
    // JSON has no NaN, which is an unknown volume.
    const of = (column: Float64Array | undefined): number[] => rows.map((row) => column?.[row] || 0);
    const totals = of(total);
    return {
      symbol,
      date,
      minutes: rows.map((row) => stock.minutes[row] ?? 0),
      open: of(open),
      high: of(high),
      low: of(low),
      last: of(last),
      volume: totals.map((value, index) => Math.max(0, value - (totals[index - 1] ?? 0))),
      gaps: session.gaps.map(({ from, until }) => ({ from, until })),
    };
  }
  return null;
}

function work(job: OddsJob): void {
  switch (job.kind) {
    case 'run':
      return answer(job);
    case 'collect':
      return collect(job);
    case 'sum':
      return sum(job);
    case 'sort':
      return sort(job);
    case 'day': {
      const minutes = minutesOf(job);
      return send({ id: job.id, kind: 'answered', json: minutes && JSON.stringify(minutes) });
    }
    default:
      throw new TypeError('Unknown kind of work');
  }
}

parentPort?.on('message', (job: OddsJob) => {
  try {
    work(job);
  } catch (error) {
    send({ id: job.id, kind: 'failed', message: String(error) });
  }
});
