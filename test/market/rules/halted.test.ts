import { expect, test } from 'bun:test';
import { isActive, isHalted } from '../../../src/market/rules/halted.ts';
import { STOCK_STATUSES } from '../../../src/market/rules/stock.ts';

test('a status is of the pre-open, active or halted, and only one of them', () => {
  const halted = STOCK_STATUSES.filter((status) => isHalted({ status }));
  const active = STOCK_STATUSES.filter((status) => isActive({ status }));
  expect(halted).toEqual(['Halted', 'Suspended']);
  expect(active).toEqual(['Open', 'CSPA', 'Post Close', 'Post Trading', 'Adjust']);
  expect(STOCK_STATUSES.filter((status) => !halted.includes(status) && !active.includes(status))).toEqual([
    'Pre Open',
  ]);
});
