import type { Condition, Logic } from '#subjects/conditions/rules/condition.ts';
import type { StockUpdate } from '#market/rules/stock.ts';
import { createRandom } from '#lib/random.ts';
import { allOf, field, is, RSI } from '#support/conditions.ts';
import { percentile, type Row } from './row.ts';
import { openBenchFile } from './support/alertMarket.ts';
import { take } from './support/processorTime.ts';
import { createScanAlertBench, storeScanAlerts } from './support/scanAlertMarket.ts';

const STOCKS = 2000;
const ALERTS = 1000;
/** Of these on the scanners; each of the others has a saved scan of its own. */
const ON_SCANNERS = 100;
const CHANGING = 600;
/** In which all scans look at all stocks. */
const FIRST_TICKS = 80;
const TICKS = 300;
/** At most so much of a tick, processor time. */
const LIMIT_MS = 3;

const SCANNERS = ['preMarket', 'intraDaySmall', 'intraDayMidLarge', 'intraDayLargeCap'] as const;

/** Four conditions as people choose them, of which two scans have hardly one in common. */
function scanLogic(random: () => number): Logic {
  const others: Condition[] = [
    is(field('volume'), '>', Math.round(10_000 * 300 ** random())),
    is(field('relativeVolume'), '>', Math.round(random() * 40) / 10),
    is(RSI, random() < 0.5 ? '>' : '<', Math.round(200 + random() * 600) / 10),
    is(field('value'), '>', Math.round(10_000 * 300 ** random())),
    is(field('last'), '>', field(random() < 0.5 ? 'open' : 'close')),
  ];
  const from = Math.floor(random() * others.length);
  const pick = (index: number) => others[(from + index) % others.length];
  return allOf(
    is(field('last'), random() < 0.5 ? '>' : '<', Number((0.2 * 500 ** random()).toFixed(2))),
    is(field('change_percent'), '>', Math.round(20 + random() * 50) / 10),
    ...[pick(0), pick(1)].filter((one) => one !== undefined),
  );
}

/** A second moves an hour's RSI by hundredths, and not by the half points of the other benches. */
const calm = (update: StockUpdate): StockUpdate => {
  const now = update.indicators?.['60']?.['rsi_14']?.['now'];
  return typeof now === 'number'
    ? { ...update, indicators: { '60': { rsi_14: { now: 50 + (now - 50) / 10 } } } }
    : update;
};

/** What a tick costs with alerts on whole scans, none of whose saved scans asks what another asks. */
export async function run(): Promise<Row[]> {
  const { db, close } = openBenchFile();
  try {
    const random = createRandom(11);
    const saved = Array.from({ length: ALERTS - ON_SCANNERS }, (_, index) => ({
      id: index + 1,
      name: `Scan ${index + 1}`,
      lists: null,
      problem: null,
      logic: scanLogic(random),
    }));
    const stage = createScanAlertBench(db, STOCKS, saved);
    storeScanAlerts(db, [
      ...saved.map(({ id, name }) => ({ type: 'scan', id, name }) as const),
      ...Array.from({ length: ON_SCANNERS }, (_, index) => ({
        type: 'scanner' as const,
        key: SCANNERS[index % SCANNERS.length] ?? 'preMarket',
      })),
    ]);
    stage.engine.resume();
    // As an hour after the open, and not all at the price that they opened and closed at.
    const spread = (price: number): number => Number((price * (0.94 + 0.12 * random())).toFixed(3));
    stage.market.apply(
      stage.listings.map((listing) => {
        const [open, close] = [spread(listing.last), spread(listing.last)];
        return {
          ...listing,
          open,
          close,
          high: Math.max(open, listing.last),
          low: Math.min(open, listing.last),
        };
      }),
    );
    const first: number[] = [];
    const times: number[] = [];
    for (let tick = 0; tick < FIRST_TICKS + TICKS; tick += 1) {
      stage.time.passed += 1000;
      stage.market.apply(stage.trades(CHANGING).map(calm));
      const changes = stage.market.flush();
      const { processor } = take(() => stage.engine.onChanges(changes));
      (tick < FIRST_TICKS ? first : times).push(processor);
      stage.moveToFile();
    }
    const mean = times.reduce((sum, one) => sum + one, 0) / times.length;
    const fired =
      db.$client.query<{ n: number }, []>('SELECT count(*) AS n FROM scan_alert_triggers').get()?.n ?? 0;
    return [
      {
        what: `Tick of the alerts on whole scans: ${ALERTS} on ${stage.engine.counts().scans} different scans, ${STOCKS} stocks, ${CHANGING} changed (${TICKS} ticks, ${fired} triggers)`,
        measured: `processor time p50 ${percentile(times, 0.5).toFixed(2)} ms, p95 ${percentile(times, 0.95).toFixed(2)} ms, mean ${mean.toFixed(2)} ms; while all is looked at for the first time at most ${Math.max(...first).toFixed(1)} ms`,
        target: `mean ≤ ${LIMIT_MS} ms`,
        ok: mean <= LIMIT_MS,
      },
    ];
  } finally {
    close();
  }
}
