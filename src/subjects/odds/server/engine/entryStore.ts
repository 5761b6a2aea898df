import { EXIT_REASONS, type ExitReason, type OddsEntries } from '../../rules/result.ts';
import type { EntryFigures } from '../../rules/statistics.ts';

/** An entry with its result. Prices are AUD in those of the entry’s day, results percent. */
export type ClosedTrade = {
  code: string;
  /** Sessions are indexes in the run’s dates, minutes those of the day in Sydney. */
  session: number;
  minute: number;
  fillMinute: number;
  fill: number;
  exitSession: number;
  exitMinute: number;
  exit: number;
  reason: ExitReason;
  result: number;
  resultBefore: number;
  hasNews: boolean;
};

const WHOLE = [
  'stocks',
  'sessions',
  'minutes',
  'fillMinutes',
  'exitSessions',
  'exitMinutes',
  'reasons',
  'news',
] as const;
const REAL = ['fills', 'exits', 'results', 'resultsBefore'] as const;

type Columns = Record<(typeof WHOLE)[number], Uint16Array> & Record<(typeof REAL)[number], Float64Array>;

function columnsOf(size: number, before?: Columns): Columns {
  const columns = {} as Columns;
  for (const name of WHOLE) {
    columns[name] = new Uint16Array(size);
    if (before) columns[name].set(before[name]);
  }
  for (const name of REAL) {
    columns[name] = new Float64Array(size);
    if (before) columns[name].set(before[name]);
  }
  return columns;
}

/** All entries with a result, compact, because every entry of a year can be a million. */
export class EntryStore {
  private count = 0;
  private size = 1024;
  private columns = columnsOf(this.size);
  private readonly codes: string[] = [];
  private readonly numbers = new Map<string, number>();
  /** Rows of the newest entries first; null after an addition. */
  private order: Uint32Array | null = null;

  add(trade: ClosedTrade): void {
    if (this.count === this.size) {
      this.size = Math.ceil(this.size * 1.5);
      this.columns = columnsOf(this.size, this.columns);
    }
    const { columns, count } = this;
    columns.stocks[count] = this.numberOf(trade.code);
    columns.sessions[count] = trade.session;
    columns.minutes[count] = trade.minute;
    columns.fillMinutes[count] = trade.fillMinute;
    columns.exitSessions[count] = trade.exitSession;
    columns.exitMinutes[count] = trade.exitMinute;
    columns.reasons[count] = EXIT_REASONS.indexOf(trade.reason);
    columns.news[count] = Number(trade.hasNews);
    columns.fills[count] = trade.fill;
    columns.exits[count] = trade.exit;
    columns.results[count] = trade.result;
    columns.resultsBefore[count] = trade.resultBefore;
    this.count += 1;
    this.order = null;
  }

  figures(): EntryFigures {
    return { count: this.count, ...this.columns };
  }

  /** A page of the entries, newest first. */
  page(dates: readonly string[], offset: number, limit: number): OddsEntries {
    const { columns, codes } = this;
    this.order ??= this.newestFirst();
    const rows = this.order.subarray(offset, offset + limit);
    const list = <T>(of: (row: number) => T): T[] => Array.from(rows, of);
    const text = (from: readonly string[], column: Uint16Array) => (row: number) =>
      from[column[row] ?? 0] ?? '';
    const of = (column: Uint16Array | Float64Array) => (row: number) => column[row] ?? 0;
    return {
      total: this.count,
      symbols: list(text(codes, columns.stocks)),
      dates: list(text(dates, columns.sessions)),
      minutes: list(of(columns.minutes)),
      fillMinutes: list(of(columns.fillMinutes)),
      fills: list(of(columns.fills)),
      exitDates: list(text(dates, columns.exitSessions)),
      exitMinutes: list(of(columns.exitMinutes)),
      exits: list(of(columns.exits)),
      reasons: list((row) => EXIT_REASONS[columns.reasons[row] ?? 0] ?? 'time'),
      results: list(of(columns.results)),
      resultsBefore: list(of(columns.resultsBefore)),
      hasNews: list((row) => columns.news[row] === 1),
    };
  }

  /** Trades that end in a later session are added after those of that session, and stocks come one by one. */
  private newestFirst(): Uint32Array {
    const { sessions, minutes, stocks } = this.columns;
    const timeOf = (row: number): number => (sessions[row] ?? 0) * 1440 + (minutes[row] ?? 0);
    const rows = Uint32Array.from({ length: this.count }, (_, row) => row);
    return rows.sort((a, b) => timeOf(b) - timeOf(a) || (stocks[a] ?? 0) - (stocks[b] ?? 0));
  }

  private numberOf(code: string): number {
    const known = this.numbers.get(code);
    if (known !== undefined) return known;
    this.numbers.set(code, this.codes.length);
    return this.codes.push(code) - 1;
  }
}
