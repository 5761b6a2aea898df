import { fromSydney, sydneyDate } from '../../src/market/rules/sydneyTime.ts';
import type { RecordedRow } from './recordedScan.ts';
import { createHeldRequests, faultyAnswer, type ServerFault } from './serverFaults.ts';

/** What the server does wrong until told otherwise. */
export type Fault =
  | ServerFault
  /** An error in a body with HTTP status 200. */
  | { kind: 'errorBody'; error: string }
  | { kind: 'dataNull' }
  /** Every row lacks its last cells. */
  | { kind: 'halfRow' }
  /** Only the first part of the rows. */
  | { kind: 'cut'; share: number }
  /** Refuses a column by name, as the platform does, with status 200 or 400. */
  | { kind: 'unknownColumn'; columns: string[]; status: number };

/** How the bars are dated: today at the recorded close, on a given day, or not at all. */
export type BarTimes = { kind: 'today' } | { kind: 'date'; date: string } | { kind: 'none' };

export type FakeTradingViewOptions = {
  rows: readonly RecordedRow[];
  /** The tester's clock; bar times follow it. */
  now?: () => number;
  barTimes?: BarTimes;
  /** How old the newest bar update is, ms; null gives the recorded close, 16:11 in Sydney. */
  lagMs?: number | null;
  updateMode?: string;
  /** Replaces cells, for columns the recording lacks or for wrong ones; undefined keeps what is there. */
  override?: (symbol: string, column: string) => unknown;
};

export type SeenRequest = {
  columns: string[];
  range: [number, number];
  cookie: string | null;
  body: unknown;
};

export type FakeTradingView = {
  /** Base address, http://127.0.0.1:port. */
  url: string;
  setFault(fault: Fault): void;
  /** Changes what is answered from now on. */
  set(change: Partial<FakeTradingViewOptions>): void;
  /** Every scan request so far. */
  requests: SeenRequest[];
  stop(): Promise<void>;
};

const DAILY_OPEN_HOUR = 10;

function timesOf(options: FakeTradingViewOptions): { bar: number; update: number } | null {
  const times = options.barTimes ?? { kind: 'today' };
  if (times.kind === 'none') return null;
  const now = (options.now ?? Date.now)();
  const date = times.kind === 'date' ? times.date : sydneyDate(now);
  const lag = options.lagMs ?? null;
  const update = lag === null ? fromSydney(date, 16, 11) : now - lag;
  return { bar: fromSydney(date, DAILY_OPEN_HOUR, 0), update };
}

function cellOf(row: RecordedRow, column: string, options: FakeTradingViewOptions): unknown {
  const replaced = options.override?.(row.symbol, column);
  if (replaced !== undefined) return replaced;
  const times = timesOf(options);
  if (column === 'time') return times === null ? null : times.bar / 1000;
  if (column === 'last_bar_update_time') return times === null ? null : Math.floor(times.update / 1000);
  if (column === 'update_mode') return options.updateMode ?? 'delayed_streaming_1200';
  return row.cells.get(column) ?? null;
}

const HTML = 'Just a moment…';

type Asked = { columns: string[]; range: [number, number] };

function answer(asked: Asked, options: FakeTradingViewOptions, fault: Fault): Response {
  const [from, to] = asked.range;
  const asWhole = options.rows.slice(from, to);
  const rows = fault.kind === 'cut' ? asWhole.slice(0, Math.floor(asWhole.length * fault.share)) : asWhole;
  const width = fault.kind === 'halfRow' ? Math.floor(asked.columns.length / 2) : asked.columns.length;
  const columns = asked.columns.slice(0, width);
  return Response.json({
    totalCount: options.rows.length,
    data: rows.map((row) => ({ s: row.symbol, d: columns.map((column) => cellOf(row, column, options)) })),
  });
}

function faulty(asked: Asked, fault: Fault): Response | null {
  switch (fault.kind) {
    case 'errorBody':
      return Response.json({ totalCount: 0, error: fault.error, data: null });
    case 'dataNull':
      return Response.json({ totalCount: 0, data: null });
    case 'unknownColumn': {
      const refused = asked.columns.find((column) => fault.columns.includes(column));
      if (refused === undefined) return null;
      const body = { totalCount: 0, error: `Unknown field "${refused}"`, data: null };
      return Response.json(body, { status: fault.status });
    }
    default:
      return faultyAnswer(fault, HTML);
  }
}

function askedOf(body: unknown): Asked | null {
  if (typeof body !== 'object' || body === null) return null;
  const columns = 'columns' in body && Array.isArray(body.columns) ? body.columns : null;
  const range: unknown = 'range' in body ? body.range : null;
  if (columns === null || !columns.every((column) => typeof column === 'string')) return null;
  if (!Array.isArray(range) || range.length !== 2 || !range.every((end) => typeof end === 'number'))
    return null;
  return { columns, range: [Number(range[0]), Number(range[1])] };
}

/**
 * Starts a local scanner on a free port of 127.0.0.1 that answers POST /australia/scan from recorded rows: asked
 * columns in order, null for those the recording lacks, repeated symbols as recorded, `range` honoured.
 */
export function startFakeTradingView(initial: FakeTradingViewOptions): FakeTradingView {
  let options = initial;
  let fault: Fault = { kind: 'none' };
  const requests: SeenRequest[] = [];
  const held = createHeldRequests();
  const server = Bun.serve({
    port: 0,
    hostname: '127.0.0.1',
    idleTimeout: 0,
    async fetch(request) {
      if (request.method !== 'POST' || new URL(request.url).pathname !== '/australia/scan') {
        return new Response('Not found', { status: 404 });
      }
      const body: unknown = await request.json();
      const asked = askedOf(body);
      if (asked === null) return new Response('Bad request', { status: 400 });
      requests.push({ ...asked, cookie: request.headers.get('cookie'), body });
      if (fault.kind === 'hang') await held.hold();
      return faulty(asked, fault) ?? answer(asked, options, fault);
    },
  });
  return {
    url: `http://127.0.0.1:${server.port}`,
    requests,
    setFault(next) {
      fault = next;
      held.release();
    },
    set(change) {
      options = { ...options, ...change };
    },
    async stop() {
      held.release();
      await server.stop(true);
    },
  };
}
