import { createEvaluator } from '#subjects/conditions/rules/evaluator.ts';
import type { Condition, Logic } from '#subjects/conditions/rules/condition.ts';
import { type Stock, emptyStock } from '#market/rules/stock.ts';

export type ConditionsInput = { stocks: number; changed: number; ticks: number };
/** ms per evaluation of the whole market, in order, and how many matched last. */
export type ConditionsResult = { times: number[]; matched: number };

const indicator = (tf: string, family: string, key: string) =>
  ({ type: 'indicator', family, params: {}, tf, key, valueKey: 'now' }) as const;

const CONDITIONS: Condition[] = [
  { lhs: indicator('60', 'rsi', 'rsi_14'), op: '>', rhs: { type: 'number', value: 20 } },
  { lhs: indicator('D', 'rsi', 'rsi_14'), op: '<=', rhs: { type: 'number', value: 90 } },
  { lhs: { type: 'field', key: 'pips' }, op: '!=', rhs: { type: 'number', value: 0 } },
  { lhs: { type: 'field', key: 'last' }, op: '<', rhs: { type: 'htf', period: '3M', field: 'high' } },
  { lhs: { type: 'field', key: 'last' }, op: 'crosses_above', rhs: indicator('15', 'ema', 'ema_20') },
];
const LOGIC: Logic = { op: 'AND', conditions: CONDITIONS };

/** A stock as a delta leaves it: a new object with other prices. */
function stockOf(index: number, tick: number): Stock {
  const last = 0.1 + ((index * 37 + tick * 11) % 500) / 50;
  return {
    ...emptyStock(`S${index}`),
    status: 'Open',
    last,
    close: 5,
    volume: 1000 * index,
    indicators: {
      '15': { ema_20: { now: 5.05 } },
      '60': { rsi_14: { now: (index * 7 + tick) % 100 } },
      D: { rsi_14: { now: (index * 13) % 100 } },
    },
    htf: { '3M': { high: 9.5 } },
  };
}

async function measure({ stocks: count, changed, ticks }: ConditionsInput): Promise<ConditionsResult> {
  let stocks: ReadonlyMap<string, Stock> = new Map(
    Array.from({ length: count }, (_, index) => [`S${index}`, stockOf(index, 0)]),
  );
  const evaluator = createEvaluator(LOGIC, { holdMs: 60_000 });
  const times: number[] = [];
  let matched = 0;
  for (let tick = 1; tick <= ticks; tick += 1) {
    const next = new Map(stocks);
    for (let one = 0; one < changed; one += 1) {
      const index = (one * 3 + tick) % count;
      next.set(`S${index}`, stockOf(index, tick));
    }
    stocks = next;
    // Deltas come one by one: what is thrown away is collected between them.
    await new Promise((done) => setTimeout(done, 10));
    const start = performance.now();
    matched = evaluator.run(stocks, tick * 1000).size;
    times.push(performance.now() - start);
  }
  return { times, matched };
}

Object.assign(globalThis, { measureConditions: measure });
