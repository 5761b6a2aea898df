import { createRandom } from '#lib/random.ts';
import type { CalendarEvent } from '#market/calendar/rules/calendarEvent.ts';
import { createMeta } from '#market/meta.ts';
import type { CalendarSink, CalendarSource } from '#sources/calendar/source.ts';
import { createLocalTimes } from '#sources/calendar/simulator/index.ts';
import { eventAt, planWeek } from '#sources/calendar/simulator/week.ts';
import { finish } from '#platform/http/readQueue.ts';
import { packParts, packWhole } from '#market/stream/snapshot.ts';
import { type BenchComposition, composeForBench } from './support/composition.ts';
import { BENCH_NOW, createBenchMarket } from './support/market.ts';
import { createBenchSource } from './support/source.ts';
import { take } from './support/processorTime.ts';
import { percentile, type Row } from './row.ts';
import { coreOf } from '#support/coreOf.ts';

const STOCKS = 2000;
/** What all countries of FXStreet have in 98 hours of a busy week: 1,187 in a month was counted. */
const BUSY = 300;
const MANY = 5000;
const LIMIT_MS = 8;
const MONDAYS = ['2026-01-05', '2026-01-12', '2026-01-19', '2026-01-26'];

const wall = { now: () => BENCH_NOW, monotonic: () => performance.now() };
const kb = (bytes: number): string => `${(bytes / 1000).toFixed(1)} kB`;

/** Events with ids as long and as random as real ones, spread over what is kept; the figures of half of them are out. */
function events(count: number): CalendarEvent[] {
  const random = createRandom(1);
  const hex = (length: number): string =>
    Array.from({ length }, () => Math.floor(random() * 16).toString(16)).join('');
  const times = createLocalTimes();
  const planned = MONDAYS.flatMap((monday) => planWeek(monday, 1, times));
  return Array.from({ length: count }, (_, at) => {
    const time = BENCH_NOW + Math.round((at / count - 0.5) * 96 * 60) * 60_000;
    const item = planned[at % planned.length];
    if (!item) throw new Error('Nothing is planned.');
    return {
      ...eventAt(item, time < BENCH_NOW ? Number.MAX_SAFE_INTEGER : 0),
      id: [8, 4, 4, 4, 12].map(hex).join('-'),
      dateUtc: new Date(time).toISOString().replace('.000Z', 'Z'),
    };
  });
}

/** A source that gives what it is told to. */
function createGivenCalendar(): { source: CalendarSource; given: () => CalendarSink } {
  let into: CalendarSink | null = null;
  const source: CalendarSource = {
    name: 'bench',
    label: () => 'Bench',
    clock: wall,
    start: async (sink) => {
      into = sink;
    },
    stop: async () => {},
    health: () => ({ healthy: true, problem: null, lastSuccess: null }),
  };
  const given = (): CalendarSink => {
    if (!into) throw new Error('The calendar was not started.');
    return into;
  };
  return { source, given };
}

/** What the events add to a snapshot of the whole market. */
function snapshotRow({ parts }: BenchComposition): Row {
  const market = parts.market.service;
  const meta = createMeta(coreOf({ source: createBenchSource(wall), clock: wall }), { market })();
  const state = { stocks: [...market.flushed()], meta };
  const fx = parts.calendar.service.snapshot();
  const without = finish(packWhole({ ...state, fx: { data: {}, lastUpdated: null } }, 'bench-0'));
  const withEvents = finish(packWhole({ ...state, fx }, 'bench-0'));
  const bytes = (messages: typeof without): number =>
    messages.reduce((sum, { block }) => sum + block.byteLength, 0);
  const plain = JSON.stringify(fx).length;
  const added = bytes(withEvents) - bytes(without);
  const { others } = finish(packParts({ ...state, fx }, 'bench-0'));
  return {
    what: `A busy week in a snapshot (${Object.keys(fx.data).length} events within 98 hours)`,
    measured: `${kb(added)} more compressed, ${kb(plain)} plain; nothing in the first part, ${kb(others[0]?.block.byteLength ?? 0)} as the part after it`,
    target: '',
    ok: null,
  };
}

export async function run(): Promise<Row[]> {
  const { source, given } = createGivenCalendar();
  const composition = composeForBench({ clock: wall, runtime: { calendar: source } });
  const { calendar, market, tick } = composition.parts;
  market.service.apply(createBenchMarket(STOCKS).listings);
  await calendar.start();
  tick.service.run();
  given().apply(events(BUSY));
  for (let at = 0; at < 5; at += 1) tick.service.run();
  const snapshot = snapshotRow(composition);
  const many = events(MANY);
  const applied = take(() => given().apply(many)).processor;
  const times: number[] = [];
  for (let at = 0; at < MANY / 100 + 5; at += 1) {
    times.push(take(() => tick.service.run()).processor);
  }
  const p95 = percentile(times, 0.95);
  return [
    snapshot,
    {
      what: `Ticks after ${MANY} events came at once: told and written in slices`,
      measured: `processor time: applied in ${applied.toFixed(1)} ms; ticks p50 ${percentile(times, 0.5).toFixed(2)} ms, p95 ${p95.toFixed(2)} ms`,
      target: `p95 ≤ ${LIMIT_MS} ms`,
      ok: p95 <= LIMIT_MS,
    },
  ];
}
