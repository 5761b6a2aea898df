import { percentile, type Row } from './row.ts';
import { createAlertBench, openBenchFile, storeAlerts } from './support/alertMarket.ts';

const STOCKS = 2000;
const FIRING = 5000;
const OTHERS = 95_000;
const RUNS = 5;
const LIMIT_MS = 100;

const above = (level: number) => ({
  op: 'AND' as const,
  conditions: [
    {
      lhs: { type: 'field', key: 'last' } as const,
      op: 'crosses_above' as const,
      rhs: { type: 'number', value: level } as const,
    },
    {
      lhs: { type: 'field', key: 'volume' } as const,
      op: '>' as const,
      rhs: { type: 'number', value: 0 } as const,
    },
    {
      lhs: { type: 'field', key: 'last' } as const,
      op: '>' as const,
      rhs: { type: 'field', key: 'close' } as const,
    },
  ],
});

/** A market gap: thousands of alerts fire in one tick, and are on disk with their messages before it ends. */
export async function run(): Promise<Row[]> {
  const times = Array.from({ length: RUNS }, gapOnce);
  const median = percentile(times, 0.5);
  return [
    {
      what: `Tick in which ${FIRING} of ${FIRING + OTHERS} alerts fire: triggers, alerts, states and messages in one transaction in a file, told to the stream in the same tick (median of ${RUNS})`,
      measured: `${median.toFixed(0)} ms (${times.map((time) => time.toFixed(0)).join(', ')})`,
      target: `≤ ${LIMIT_MS} ms`,
      ok: median <= LIMIT_MS,
    },
  ];
}

function gapOnce(): number {
  const { db, close } = openBenchFile();
  try {
    const { engine, market, listings, time } = createAlertBench(db, STOCKS);
    const flat = listings.map((listing) => ({ ...listing, last: 10, high: 10, low: 10, close: 9.9 }));
    const levels = (count: number, level: number) =>
      Array.from({ length: count }, (_, index) => ({
        symbol: flat[index % STOCKS]?.code ?? '',
        persistent: index % 2 === 0,
        logic: above(level + (index % 97) / 100),
      }));
    storeAlerts(db, [...levels(FIRING, 10.5), ...levels(OTHERS, 20)]);
    engine.resume();
    market.apply(flat);
    engine.onChanges(market.flush());
    for (let tick = 0; tick < 60; tick += 1) {
      time.passed += 1000;
      engine.onChanges(market.flush());
    }
    let told = 0;
    engine.listen((triggers) => {
      told += triggers.length;
    });
    market.apply(flat.map((listing) => ({ ...listing, last: 12, high: 12 })));
    const changes = market.flush();
    const started = performance.now();
    engine.onChanges(changes);
    const took = performance.now() - started;
    const stored = db.$client.query<{ n: number }, []>('SELECT count(*) AS n FROM outbox').get()?.n;
    if (told !== FIRING || stored !== FIRING)
      throw new Error(`${told} told and ${stored} stored of ${FIRING}.`);
    return took;
  } finally {
    close();
  }
}
