import { expect, test } from 'bun:test';
import { axisPrices } from '../../../../src/subjects/stock/web/shared/auction/auctionPlan.ts';

test.each([
  ['between two steps of a tenth of a cent', 0.0448, 0.0462, [0.046, 0.045]],
  ['of the cheapest stocks', 0.0019, 0.0031, [0.003, 0.002]],
  ['over the half-cent steps', 0.1, 0.2, [0.15, 0.11, 0.19]],
  ['of a price that never changed', 0.04495, 0.04505, [0.045]],
])('the price axis of an auction names prices that orders may have, %s', (_name, low, high, prices) => {
  expect(axisPrices(low, high)).toEqual(prices);
});
