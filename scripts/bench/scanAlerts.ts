import type { Condition, Logic } from '#subjects/conditions/rules/condition.ts';
import type { SavedScan } from '#subjects/conditions/rules/savedScan.ts';
import { field, is, number, RSI } from '#support/conditions.ts';
import { percentile, type Row } from './row.ts';
import { createAlertBench, openBenchFile, storeAlerts } from './support/alertMarket.ts';
import { take } from './support/processorTime.ts';

const STOCKS = 2000;
const ALERTS = 1000;
const SCANS = 100;
const CHANGING = 600;
const WARM_UP = 40;
const TICKS = 300;
/** A scan has its conditions evaluated as an alert has, and one more asks of it. */
const LIMIT_RATIO = 1.5;

/** Four conditions as a scan has them, none of which is the same in any two scans. */
function scanLogic(index: number): Logic {
  const conditions: Condition[] = [
    is(field('last'), '>', 1 + index / 10),
    is(field('volume'), '>', 1000 + index),
    is(RSI, '<', 40 + index / 4),
    { lhs: field('change_percent'), op: '>', rhs: number(-5 + index / 20) },
  ];
  return { op: 'AND', conditions };
}

const scans: readonly SavedScan[] = Array.from({ length: SCANS }, (_, index) => ({
  id: index + 1,
  name: `Scan ${index + 1}`,
  logic: scanLogic(index),
  lists: null,
  problem: null,
}));

const entering = ({ id, name }: SavedScan): Logic => ({
  op: 'AND',
  conditions: [is({ type: 'scan', id, name }, 'crosses_above', 0.5)],
});

/** An engine with alerts whose conditions are made of scans. */
function createSide(logicOf: (scan: SavedScan) => Logic) {
  const { db, close } = openBenchFile();
  const stage = createAlertBench(db, STOCKS, () => (id) => scans[id - 1] ?? null);
  storeAlerts(
    db,
    Array.from({ length: ALERTS }, (_, index) => {
      const scan = scans[index % SCANS];
      if (!scan) throw new Error('There is no such scan.');
      return { symbol: stage.listings[index * 2]?.code ?? '', persistent: true, logic: logicOf(scan) };
    }),
  );
  const started = take(() => void stage.engine.resume()).processor;
  stage.market.apply(stage.listings);
  stage.engine.onChanges(stage.market.flush());
  const times: number[] = [];
  return {
    started,
    times,
    counts: stage.engine.counts,
    tick(isCounted: boolean): void {
      stage.time.passed += 1000;
      stage.market.apply(stage.trades(CHANGING));
      const changes = stage.market.flush();
      const { processor } = take(() => stage.engine.onChanges(changes));
      if (isCounted) times.push(processor);
      stage.moveToFile();
    },
    close,
  };
}

const meanOf = (times: readonly number[]): number => times.reduce((sum, one) => sum + one, 0) / times.length;

/** What a tick costs with alerts on saved scans, beside the same alerts with the scans' conditions in themselves. */
export async function run(): Promise<Row[]> {
  const sides = [createSide(entering), createSide(({ logic }) => logic)] as const;
  const [withScans, spelledOut] = sides;
  try {
    for (let tick = 0; tick < WARM_UP + TICKS; tick += 1) {
      for (const side of tick % 2 === 0 ? sides : sides.toReversed()) side.tick(tick >= WARM_UP);
    }
    const ratio = percentile(withScans.times, 0.5) / percentile(spelledOut.times, 0.5);
    const textOf = (times: readonly number[]): string =>
      `p50 ${percentile(times, 0.5).toFixed(3)} ms, p95 ${percentile(times, 0.95).toFixed(3)} ms, mean ${meanOf(times).toFixed(3)} ms`;
    return [
      {
        what: `Tick of the alert engine, ${ALERTS} alerts on ${withScans.counts().scans} saved scans of 4 conditions, ${STOCKS} stocks, ${CHANGING} changed (${TICKS} ticks, by turns)`,
        measured: `processor time ${textOf(withScans.times)}; with the same conditions in the alerts themselves ${textOf(spelledOut.times)}; taken up at the start in ${withScans.started.toFixed(0)} ms; ${ratio.toFixed(2)} times by the medians`,
        target: `≤ ${LIMIT_RATIO} times`,
        ok: ratio <= LIMIT_RATIO,
      },
    ];
  } finally {
    for (const { close } of sides) close();
  }
}
