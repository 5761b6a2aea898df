import { describe, expect, test } from 'bun:test';
import { Demand } from '../../../src/market/indicators/demand.ts';
import { type DemandItem, demandItemId } from '../../../src/market/indicators/rules/demandItem.ts';

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
