import { expect, test } from 'bun:test';
import { createLog } from '../../../src/lib/log.ts';
import { EMPTY_PLAN } from '../../../src/market/indicators/plan.ts';
import { WriteQueue, MAX_VALUES_A_TICK } from '../../../src/market/indicators/writeQueue.ts';
import { createMarket } from '../../../src/market/market.ts';
import { aStock } from '../../support/aStock.ts';

const log = createLog(() => undefined);

/** A queue before as many columns, and the stocks that it looks at. */
function setUp(columns: number) {
  const looked: string[] = [];
  const market = {
    ...createMarket({ clock: { now: () => 0 } }),
    get: (code: string) => (looked.push(code), aStock({ code })),
  };
  const places = new Set(Array.from({ length: columns }, (_, index) => `value ${index}`));
  const plan = { ...EMPTY_PLAN, places };
  const loader = { framesOf: () => [], giveUp: () => undefined, plan: () => plan };
  const queue = new WriteQueue(market, loader, log);
  return {
    queue,
    /** The stocks of one tick. */
    tick(): string[] {
      looked.length = 0;
      queue.work();
      return [...looked];
    },
  };
}

const codes = Array.from({ length: 2000 }, (_, index) => `S${index}`);

test('the values of every stock that traded ride with its trade while ten columns are in use', () => {
  const { queue, tick } = setUp(10);
  for (const code of codes) queue.addChanged(code);
  expect(tick()).toEqual(codes);
  expect(tick()).toEqual([]);
});

test('with very many columns a tick computes a bounded number of values, and stocks have them in the order of their trades', () => {
  const { queue, tick } = setUp(200);
  for (const code of codes) queue.addChanged(code);
  const first = tick();
  expect(first).toEqual(codes.slice(0, MAX_VALUES_A_TICK / 200));
  // One that trades again keeps its place among those that wait, and goes behind them when it had its turn.
  for (const code of ['S150', 'S0']) queue.addChanged(code);
  const others: string[] = [];
  for (let some = tick(); some.length > 0; some = tick()) {
    expect(some.length).toBeLessThanOrEqual(first.length);
    others.push(...some);
  }
  expect(others).toEqual([...codes.slice(first.length), 'S0']);
});
