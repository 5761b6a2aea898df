import { afterEach, beforeEach, describe, expect, test } from 'bun:test';
import type { StockUpdate } from '#market/rules/stock.ts';
import { fromSydney, sydneyDate } from '#lib/sydneyTime.ts';
import { createHttpClient, type Fetch } from '#lib/httpClient/client.ts';
import { createLog, type LogLine } from '#lib/log.ts';
import type { MarketSink } from '#market/sources/quotes.ts';
import {
  createTradingView,
  type TradingViewOptions,
  createPlatformValues,
} from '#sources/quotes/tradingview/index.ts';
import { createHandScheduler, type HandScheduler } from '#support/handScheduler.ts';
import { createPollPasser } from '#support/passPolls.ts';
import type { RecordedRow } from '#support/recordedScan.ts';
import { createHeldRequests, faultyAnswer, type ServerFault } from '#support/serverFaults.ts';

/** A fault of the server until it is cleared. */
type Fault =
  | ServerFault
  /** An error in a body with HTTP status 200. */
  | { kind: 'errorBody'; error: string }
  /** Only the first part of the rows. */
  | { kind: 'cut'; share: number }
  /** Rejects a column by name, as the platform does, with status 200 or 400. */
  | { kind: 'unknownColumn'; columns: string[]; status: number };

type FakeTradingViewOptions = {
  rows: readonly RecordedRow[];
  /** The test’s clock; bar times follow it. */
  now: () => number;
};

/** Age of the newest bar update, in ms. */
const LAG_MS = 20 * 60_000;

function cellOf(row: RecordedRow, column: string, { now }: FakeTradingViewOptions): unknown {
  if (column === 'time') return fromSydney(sydneyDate(now()), 10, 0) / 1000;
  if (column === 'last_bar_update_time') return Math.floor((now() - LAG_MS) / 1000);
  if (column === 'update_mode') return 'delayed_streaming_1200';
  return row.cells.get(column) ?? null;
}

type Asked = { columns: string[]; range: [number, number] };

function answer({ columns, range }: Asked, options: FakeTradingViewOptions, fault: Fault): Response {
  const asWhole = options.rows.slice(...range);
  const rows = fault.kind === 'cut' ? asWhole.slice(0, Math.floor(asWhole.length * fault.share)) : asWhole;
  return Response.json({
    totalCount: options.rows.length,
    data: rows.map((row) => ({ s: row.symbol, d: columns.map((column) => cellOf(row, column, options)) })),
  });
}

function faulty({ columns }: Asked, fault: Fault): Response | null {
  switch (fault.kind) {
    case 'errorBody':
      return Response.json({ totalCount: 0, error: fault.error, data: null });
    case 'unknownColumn': {
      const refused = columns.find((column) => fault.columns.includes(column));
      if (refused === undefined) return null;
      const body = { totalCount: 0, error: `Unknown field "${refused}"`, data: null };
      return Response.json(body, { status: fault.status });
    }
    default:
      return faultyAnswer(fault, 'Just a moment…');
  }
}

/**
 * Starts a local scanner on a free port of 127.0.0.1 that answers POST /australia/scan from rows: requested columns in order, null for missing
 * ones, `range` honoured.
 */
function startFakeTradingView(initial: FakeTradingViewOptions) {
  let options = initial;
  let fault: Fault = { kind: 'none' };
  /** Every scan request so far. */
  const requests: (Asked & { cookie: string | null })[] = [];
  const held = createHeldRequests();
  const server = Bun.serve({
    port: 0,
    hostname: '127.0.0.1',
    idleTimeout: 0,
    async fetch(request) {
      if (request.method !== 'POST' || new URL(request.url).pathname !== '/australia/scan') {
        return new Response('Not found', { status: 404 });
      }
      const asked = (await request.json()) as Asked;
      requests.push({ ...asked, cookie: request.headers.get('cookie') });
      if (fault.kind === 'hang') await held.hold();
      return faulty(asked, fault) ?? answer(asked, options, fault);
    },
  });
  return {
    url: `http://127.0.0.1:${server.port}`,
    requests,
    setFault(next: Fault) {
      fault = next;
      held.release();
    },
    /** Changes the answers from now on. */
    set(change: Partial<FakeTradingViewOptions>) {
      options = { ...options, ...change };
    },
    async stop() {
      held.release();
      await server.stop(true);
    },
  };
}

const row = (code: string, cells: Record<string, unknown>): RecordedRow => ({
  symbol: `ASX:${code}`,
  cells: new Map(Object.entries({ name: code, type: 'stock', typespecs: ['common'], ...cells })),
});
const price = (close: number) => ({
  close,
  open: close,
  high: close,
  low: close,
  volume: 10,
  change: 0,
  change_abs: 0,
  'RSI|60': 55,
});
const market = (...codes: string[]): RecordedRow[] => codes.map((code, at) => row(code, price(at + 1)));

type Sink = MarketSink & { batches: StockUpdate[][]; removed: string[] };

const createSink = (): Sink => {
  const [batches, removed]: [StockUpdate[][], string[]] = [[], []];
  return {
    batches,
    removed,
    apply: (updates) => ({ applied: batches.push([...updates]), refused: [] }),
    remove: (codes) => void removed.push(...codes),
    jump: () => expect.unreachable('A live market does not jump'),
  };
};

const COOKIE = 'very-secret-session';
/** Tuesday, continuous trading. */
const START = fromSydney('2026-01-20', 11, 0);

let fake: ReturnType<typeof startFakeTradingView>;
let hand: HandScheduler;
let sink: Sink;
let lines: LogLine[];
let stopSource: () => Promise<void>;

beforeEach(() => {
  hand = createHandScheduler(START);
  fake = startFakeTradingView({ rows: market('BHP', 'CBA', 'NEM'), now: hand.now });
  sink = createSink();
  lines = [];
  stopSource = async () => undefined;
});

afterEach(async () => {
  fake.setFault({ kind: 'none' });
  await stopSource();
  await fake.stop();
});

const createSource = ({ fetch, ...options }: Partial<TradingViewOptions> & { fetch?: Fetch } = {}) => {
  const source = createTradingView({
    url: fake.url,
    cookie: COOKIE,
    pollSeconds: 10,
    wall: hand,
    log: createLog(lines.push.bind(lines)),
    http: createHttpClient({ clock: hand, schedule: hand.schedule, ...(fetch && { fetch }) }),
    random: () => 0.5,
    schedule: hand.schedule,
    ...options,
  });
  stopSource = () => source.stop();
  return { source, ...createPollPasser(hand, source, () => sink) };
};

const warnings = (): string[] => lines.filter(({ level }) => level === 'warn').map(({ message }) => message);

describe('polling', () => {
  test('requests the whole market once and applies it as one batch', async () => {
    const { source, start } = createSource();
    await start();
    expect(fake.requests).toHaveLength(1);
    expect(fake.requests[0]?.range).toEqual([0, 5000]);
    expect(fake.requests[0]?.cookie).toBe(`sessionid=${COOKIE}`);
    expect(sink.batches.map((batch) => batch.map(({ code }) => code))).toEqual([['BHP', 'CBA', 'NEM']]);
    expect(source.health()).toEqual({
      healthy: true,
      problem: null,
      lastSuccess: START,
      measuredLagMs: LAG_MS,
    });
    expect(source.label()).toBe('Delayed 20 min');
    expect(source.delayMinutes()).toBe(20);
  });

  test('polls less often while the market is closed', async () => {
    hand.advance(fromSydney('2026-01-20', 21, 0) - START);
    const { start } = createSource();
    await start();
    expect(hand.planned()).toEqual([5 * 60_000]);
  });

  test('requests indicator columns in use from the next poll on', async () => {
    const extra = [{ column: 'RSI|60', tf: '60', key: 'rsi', valueKey: 'now' }];
    let inUse: typeof extra = [];
    const { start, pass } = createSource({ values: { ...createPlatformValues(), columns: () => inUse } });
    await start();
    expect(sink.batches[0]?.[0]).not.toHaveProperty('indicators');
    inUse = extra;
    await pass(10_000);
    expect(sink.batches[1]?.[0]?.indicators).toEqual({ '60': { rsi: { now: 55 } } });
    inUse = [];
    await pass(10_000);
    expect(sink.batches[2]?.[0]?.indicators).toEqual({ '60': { rsi: { now: null } } });
    expect(fake.requests[2]?.columns).not.toContain('RSI|60');
    await pass(10_000);
    expect(sink.batches[3]?.[0]).not.toHaveProperty('indicators');
  });

  test('removes an unlisted stock after three answers; a truncated answer does not count', async () => {
    const { start, pass } = createSource();
    await start();
    fake.set({ rows: market('BHP', 'CBA') });
    await pass(10_000);
    await pass(10_000);
    fake.setFault({ kind: 'cut', share: 0.5 });
    await pass(10_000);
    expect(sink.removed).toEqual([]);
    fake.setFault({ kind: 'none' });
    await pass(20_000);
    expect(sink.removed).toEqual(['NEM']);
  });

  test('removes nothing after a short list with a matching count, and reports it', async () => {
    const codes = Array.from({ length: 40 }, (_, index) => `S${index + 10}`);
    fake.set({ rows: market(...codes) });
    const { source, start, pass } = createSource();
    await start();
    fake.set({ rows: market(...codes.slice(0, 2)) });
    for (let poll = 0; poll < 5; poll += 1) await pass(10_000);
    expect(sink.removed).toEqual([]);
    expect(source.health()).toMatchObject({
      healthy: false,
      problem: 'TradingView lists only 2 of 40 stocks. The others keep their last values.',
    });
    fake.set({ rows: market(...codes) });
    await pass(10_000);
    expect(source.health().healthy).toBe(true);
  });
});

describe('faults', () => {
  const faults: [string, Fault, RegExp][] = [
    ['HTTP 503', { kind: 'status', status: 503 }, /^TradingView answered HTTP 503\. /],
    ['HTTP 403', { kind: 'status', status: 403 }, /refuses the request \(HTTP 403\).*cookie.*expired/i],
    [
      'a redirect',
      { kind: 'status', status: 302, headers: { location: 'http://127.0.0.1:1/' } },
      /redirects elsewhere/,
    ],
    ['an error in a 200', { kind: 'errorBody', error: 'Something broke' }, /"Something broke"/],
    ['a truncated answer', { kind: 'cut', share: 0.5 }, /only 1 of 3 rows/],
  ];
  for (const [name, fault, problem] of faults) {
    test(`${name} affects only the health, costs one log line, and ends with the next good answer`, async () => {
      const { source, start, pass } = createSource();
      await start();
      fake.setFault(fault);
      await pass(10_000);
      expect(sink.batches).toHaveLength(1);
      expect(source.health()).toMatchObject({ healthy: false, lastSuccess: START });
      expect(source.health().problem).toMatch(problem);
      expect(source.health().problem).toContain(
        'The prices shown are 10 seconds old. Next try in 20 seconds.',
      );
      expect(lines).toHaveLength(1);
      fake.setFault({ kind: 'none' });
      await pass(20_000);
      expect(source.health()).toMatchObject({ healthy: true, problem: null, lastSuccess: hand.now() });
      expect(sink.batches).toHaveLength(2);
    });
  }

  test('a missing answer ends at the time limit', async () => {
    fake.setFault({ kind: 'hang' });
    const { source, pass } = createSource({ timeoutMs: 15_000 });
    await source.start(sink);
    while (fake.requests.length === 0) await Bun.sleep(1);
    await pass(15_000);
    expect(source.health().problem).toBe(
      'TradingView did not answer within 15 seconds. No prices have arrived yet. Next try in 20 seconds.',
    );
  });

  test('429 waits for the requested time', async () => {
    const { source, start } = createSource();
    fake.setFault({ kind: 'status', status: 429, headers: { 'retry-after': '120' }, body: 'slow down' });
    await start();
    expect(hand.planned()).toEqual([120_000]);
    expect(source.health().problem).toMatch(/^TradingView asks to slow down \(HTTP 429\)/);
  });

  test('after five failures the circuit opens, passes one probe at a time, and closes again', async () => {
    const { source, start, pass } = createSource();
    fake.setFault({ kind: 'status', status: 500 });
    await start();
    const waits: number[] = [];
    for (let failure = 1; failure < 7; failure += 1) {
      const wait = hand.planned()[0] ?? 0;
      waits.push(wait);
      await pass(wait);
    }
    expect(waits).toEqual([20_000, 40_000, 80_000, 160_000, 300_000, 300_000]);
    expect(fake.requests).toHaveLength(7);
    expect(source.details().circuit.state).toBe('open');
    expect(source.health().problem).toContain('Paused after 7 failures in a row.');
    expect(warnings()).toHaveLength(2);
    fake.setFault({ kind: 'none' });
    await pass(300_000);
    expect(source.details().circuit).toEqual({ state: 'closed', failures: 0 });
    expect(lines.at(-1)).toMatchObject({ level: 'info', message: 'TradingView answers again' });
  });

  test.each([200, 400])('columns unknown to the platform (status %d) are left out', async (status) => {
    const { source, start, pass } = createSource();
    fake.setFault({ kind: 'unknownColumn', columns: ['Value.Traded', 'VWAP|1'], status });
    await start();
    expect(source.health().healthy).toBe(true);
    expect(source.details().columnsRefused).toEqual(['Value.Traded', 'VWAP|1']);
    expect(fake.requests).toHaveLength(3);
    await pass(10_000);
    expect(fake.requests[3]?.columns).not.toContain('Value.Traded');
    expect(sink.batches[1]?.[0]?.value).toBe(10);
  });
});

test('stopping ends the request in progress, applies nothing more and schedules nothing', async () => {
  fake.setFault({ kind: 'hang' });
  const { source } = createSource();
  await source.start(sink);
  while (fake.requests.length === 0) await Bun.sleep(1);
  await source.stop();
  expect(sink.batches).toEqual([]);
  expect(hand.planned()).toEqual([]);
  expect(lines).toEqual([]);
});

test('the cookie never appears in a log line or the health, whatever fails', async () => {
  const { source, start, pass } = createSource({ cookie: `${COOKIE}\r\nx: y` });
  await start();
  await pass(20_000);
  const leaky = createSource({
    fetch: async (_url, init) => {
      throw new TypeError(`Header has invalid value: ${init.headers['cookie']}`);
    },
  });
  await leaky.start();
  expect(leaky.source.health().healthy).toBe(false);
  const output = JSON.stringify([lines, source.health(), source.details(), leaky.source.health()]);
  expect(output).not.toContain(COOKIE);
  await source.stop();
});
