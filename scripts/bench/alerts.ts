import { Engine } from 'json-rules-engine';
import { type Condition, type Logic, conditionsOf } from '#subjects/conditions/rules/condition.ts';
import { readerOf } from '#subjects/conditions/rules/evaluator.ts';
import type { Stock } from '#market/rules/stock.ts';
import { percentile, type Row } from './row.ts';
import { chosenLogic, createAlertBench, openBenchFile, storeAlerts } from './support/alertMarket.ts';
import { measureAllocation } from './support/allocation.ts';
import { BENCH_NOW } from './support/market.ts';

/** Processor time of all threads, which other programs hardly affect, and elapsed time; ms. */
type TickTimes = { processor: number; clock: number };

function take(work: () => void): TickTimes {
  const started = performance.now();
  const before = process.cpuUsage();
  work();
  const { user, system } = process.cpuUsage(before);
  return { processor: (user + system) / 1000, clock: performance.now() - started };
}

const STOCKS = 2000;
const ALERTS = 100_000;
const CHANGING = 600;
/** Ticks until the state of the first evaluation is on disk. */
const WARM_UP = 80;
const TICKS = 300;
const LIMIT_MS = 10;
const COMPARED_STOCKS = 20;
const LIMIT_RATIO = 20;

export async function run(): Promise<Row[]> {
  const { db, close } = openBenchFile();
  try {
    const fixture = createAlertBench(db, STOCKS);
    const { engine, market, listings, random } = fixture;
    const alerts = Array.from({ length: ALERTS }, (_, index) => {
      const listing = listings[index % STOCKS] ?? { code: '' };
      return { symbol: listing.code, persistent: true, logic: chosenLogic(listing, random) };
    });
    storeAlerts(db, alerts);
    Bun.gc(true);
    const before = process.memoryUsage().rss;
    const started = performance.now();
    engine.resume();
    const resumed = performance.now() - started;
    Bun.gc(true);
    const megabytes = (process.memoryUsage().rss - before) / 1024 / 1024;
    const { refused } = market.apply(listings);
    if (refused.length > 0) throw new Error(`The market refused ${refused.length} listings.`);
    engine.onChanges(market.flush());
    const { taken, moves, fired } = runTicks(fixture);
    const times = taken.map(({ processor }) => processor);
    const clock = taken.map((tick) => tick.clock);
    const p95 = percentile(times, 0.95);
    const ours = percentile(times, 0.5) / (CHANGING * (ALERTS / STOCKS));
    const theirs = await rulesEngine(market, alerts, STOCKS);
    return [
      {
        what: `Tick with ${ALERTS} alerts of 3 conditions, ${CHANGING} of ${STOCKS} stocks changed (${TICKS} ticks, ${(fired / TICKS).toFixed(0)} triggers written per tick)`,
        measured: `CPU time p50 ${percentile(times, 0.5).toFixed(2)} ms, p95 ${p95.toFixed(2)} ms, worst ${Math.max(...times).toFixed(1)} ms; wall time p50 ${percentile(clock, 0.5).toFixed(2)} ms, p95 ${percentile(clock, 0.95).toFixed(2)} ms; database checkpoints between ticks ${mean(moves).toFixed(2)} ms per tick, worst ${Math.max(...moves).toFixed(1)} ms`,
        target: `p95 ≤ ${LIMIT_MS} ms`,
        ok: p95 <= LIMIT_MS,
      },
      comparison(ours, theirs),
      {
        what: `${ALERTS} alerts: memory, and time to load them at the start`,
        measured: `${megabytes.toFixed(0)} MB resident, ${resumed.toFixed(0)} ms`,
        target: '',
        ok: null,
      },
      await measureAllocation(),
    ];
  } finally {
    close();
  }
}

const mean = (values: readonly number[]): number =>
  values.reduce((sum, value) => sum + value, 0) / values.length;

function runTicks({ engine, market, trades, time, moveToFile }: ReturnType<typeof createAlertBench>) {
  const taken: TickTimes[] = [];
  const moves: number[] = [];
  let fired = 0;
  let isCounting = false;
  engine.listen((triggers) => {
    if (isCounting) fired += triggers.length;
  });
  for (let tick = 0; tick < WARM_UP + TICKS; tick += 1) {
    time.passed += 1000;
    market.apply(trades(CHANGING));
    const changes = market.flush();
    isCounting = tick >= WARM_UP;
    const tickTaken = take(() => engine.onChanges(changes));
    if (isCounting) taken.push(tickTaken);
    const moved = take(moveToFile);
    if (isCounting) moves.push(moved.processor);
  }
  return { taken, moves, fired };
}

function comparison(ours: number, theirs: number): Row {
  const ratio = theirs / ours;
  const micros = (ms: number): string => `${(ms * 1000).toFixed(2)} µs`;
  return {
    what: `Time per alert compared with json-rules-engine (the alerts of ${COMPARED_STOCKS} stocks; Bellbird includes state, triggers and disk)`,
    measured: `${micros(ours)}, json-rules-engine ${micros(theirs)}: ${ratio.toFixed(0)} times faster`,
    target: `≥ ${LIMIT_RATIO} times`,
    ok: ratio >= LIMIT_RATIO,
  };
}

const RULE_OPERATORS: Readonly<Record<string, string>> = {
  '>': 'greaterThan',
  '>=': 'greaterThanInclusive',
  '<': 'lessThan',
  '<=': 'lessThanInclusive',
  crosses_above: 'crossesAbove',
  crosses_below: 'crossesBelow',
};

const factOf = (operand: Condition['rhs']): string => JSON.stringify(operand);

/** A rule as in the engine's documentation: facts by name, a fact on the right if two values are compared. */
const ruleOf = (logic: Logic) => ({
  conditions: {
    all: conditionsOf(logic).map(({ lhs, op, rhs }) => ({
      fact: op.startsWith('crosses') ? `${factOf(lhs)} crossing` : factOf(lhs),
      operator: RULE_OPERATORS[op] ?? op,
      value: rhs.type === 'number' ? rhs.value : { fact: factOf(rhs) },
    })),
  },
  event: { type: 'fired' },
});

type Crossing = { before: number; now: number };

function createRulesEngine(logics: readonly Logic[]): Engine {
  const engine = new Engine(logics.map(ruleOf), { allowUndefinedFacts: true });
  engine.addOperator(
    'crossesAbove',
    ({ before, now }: Crossing, level: number) => before <= level && now > level,
  );
  engine.addOperator(
    'crossesBelow',
    ({ before, now }: Crossing, level: number) => before >= level && now < level,
  );
  return engine;
}

function factsOf(logics: readonly Logic[], stock: Stock): Record<string, unknown> {
  const facts: Record<string, unknown> = {};
  for (const { lhs, op, rhs } of logics.flatMap(conditionsOf)) {
    for (const operand of [lhs, rhs]) {
      if (operand.type !== 'number') facts[factOf(operand)] ??= readerOf(operand)(stock, BENCH_NOW);
    }
    const now = facts[factOf(lhs)];
    if (op.startsWith('crosses')) facts[`${factOf(lhs)} crossing`] = { before: now, now };
  }
  return facts;
}

/** Processor time per alert in json-rules-engine with one engine per stock, ms, without reading the facts. */
async function rulesEngine(
  market: { get(code: string): Stock | undefined },
  alerts: readonly { symbol: string; logic: Logic }[],
  stocks: number,
): Promise<number> {
  const bySymbol = Map.groupBy(
    alerts.filter((_, index) => index % stocks < COMPARED_STOCKS),
    ({ symbol }) => symbol,
  );
  const engines = [...bySymbol].flatMap(([symbol, list]) => {
    const stock = market.get(symbol);
    const logics = list.map(({ logic }) => logic);
    return stock
      ? [{ engine: createRulesEngine(logics), facts: factsOf(logics, stock), count: list.length }]
      : [];
  });
  const times: number[] = [];
  for (let turn = 0; turn < 15; turn += 1) {
    const before = process.cpuUsage();
    for (const { engine, facts } of engines) await engine.run(facts);
    const { user, system } = process.cpuUsage(before);
    times.push((user + system) / 1000);
  }
  const evaluated = engines.reduce((sum, { count }) => sum + count, 0);
  return percentile(times, 0.5) / evaluated;
}
