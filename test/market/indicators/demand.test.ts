import { describe, expect, test } from 'bun:test';
import { type DemandItem, demandItemId } from '../../../src/market/indicators/rules/demandItem.ts';
import { Demand } from '../../../src/market/indicators/demand.ts';

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
  test('are the union of what everybody asks for, each once', () => {
    const demand = new Demand();
    demand.set('user:1', [demandItem('a'), demandItem('b'), demandItem('a')]);
    demand.set('user:2', [demandItem('b'), demandItem('c')]);
    expect(keys(demand.current())).toEqual(['a', 'b', 'c']);
    demand.set('user:1', []);
    expect(keys(demand.current())).toEqual(['b', 'c']);
    expect(demand.leftOut()).toBe(0);
  });

  test('are told when they change, and only then', () => {
    const demand = new Demand();
    let told = 0;
    const end = demand.listen(() => {
      told += 1;
    });
    demand.set('user:1', [demandItem('a')]);
    const before = demand.current();
    demand.set('user:2', [demandItem('a')]);
    expect(told).toBe(1);
    expect(demand.current()).toBe(before);
    demand.set('user:2', []);
    demand.set('user:1', []);
    expect(told).toBe(2);
    end();
    demand.set('user:1', [demandItem('b')]);
    expect(told).toBe(2);
  });

  test('of one who asks for everything do not push out those of others, whoever came first', () => {
    for (const order of [
      ['greedy', 'modest'],
      ['modest', 'greedy'],
    ]) {
      const demand = new Demand(10);
      for (const owner of order)
        demand.set(
          owner,
          owner === 'greedy' ? many('x', 500) : [demandItem('a'), demandItem('b'), demandItem('x499')],
        );
      const served = keys(demand.current());
      expect(served).toHaveLength(10);
      expect(served).toEqual(expect.arrayContaining(['a', 'b', 'x499']));
      expect(demand.leftOut()).toBe(492);
    }
  });

  test('that waited are served when others go', () => {
    const demand = new Demand(3);
    demand.set('user:1', many('x', 3));
    demand.set('user:2', [demandItem('a'), demandItem('b')]);
    expect(demand.leftOut()).toBe(2);
    demand.set('user:1', []);
    expect(keys(demand.current())).toEqual(['a', 'b']);
    expect(demand.leftOut()).toBe(0);
  });
});
