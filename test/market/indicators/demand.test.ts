import { describe, expect, test } from 'bun:test';
import { createLog } from '../../../src/lib/log.ts';
import { Demand } from '../../../src/market/indicators/demand.ts';
import { EMPTY_PLAN } from '../../../src/market/indicators/plan.ts';
import { type DemandItem, demandItemId } from '../../../src/market/indicators/rules/demandItem.ts';
import { MAX_VALUES_A_TICK, WriteQueue } from '../../../src/market/indicators/writeQueue.ts';
import { createMarket } from '../../../src/market/market.ts';
import { aStock } from '../../support/aStock.ts';

const demandItem = (key: string): DemandItem => ({
  kind: 'indicator',
  choice: { family: key, params: {}, tf: 'D', delay: 0 },
  key,
});
const keys = (items: readonly DemandItem[]): string[] =>
  items.map((one) => demandItemId(one).split(':')[2] ?? '').sort();
const many = (name: string, count: number): DemandItem[] =>
  Array.from({ length: count }, (_, index) => demandItem(`${name}${index}`));

describe('values in use', () => {
  test('of one who asks for everything do not push out those of others, whoever came first', () => {
    const asked = { greedy: many('x', 500), modest: ['a', 'b', 'x499'].map(demandItem) };
    for (const order of [['greedy', 'modest'] as const, ['modest', 'greedy'] as const]) {
      const demand = new Demand(10);
      for (const owner of order) demand.set(owner, asked[owner]);
      const served = keys(demand.current());
      expect(served).toHaveLength(10);
      expect(served).toEqual(expect.arrayContaining(['a', 'b', 'x499']));
      expect(demand.leftOut()).toBe(492);
    }
  });
});

describe('the queue of writing', () => {
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
});
