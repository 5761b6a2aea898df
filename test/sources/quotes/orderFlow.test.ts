import { describe, expect, test } from 'bun:test';
import { priceAtStep } from '../../../src/market/rules/priceStep.ts';
import { createBook } from '../../../src/sources/quotes/simulator/book.ts';
import {
  arrivalOf,
  countOrders,
  enterOrder,
  packOrders,
} from '../../../src/sources/quotes/simulator/orderFlow.ts';

const events = [
  { second: 25_200.125, buy: true, step: 410, volume: 5000 },
  { second: 25_201.5, buy: false, step: 412, volume: 4_000_000_000 },
  { second: 25_300, buy: true, step: 410, volume: -2000 },
];

describe('packed orders', () => {
  test('keep moment, side, price and shares', () => {
    const flow = packOrders(events);
    expect(countOrders(flow)).toBe(3);
    expect([0, 1, 2].map((index) => arrivalOf(flow, index))).toEqual([25_200.125, 25_201.5, 25_300]);
    const book = createBook();
    for (let index = 0; index < 3; index += 1) enterOrder(flow, index, book);
    expect(book.levels()).toEqual({
      bids: [{ price: priceAtStep(410), volume: 3000 }],
      asks: [{ price: priceAtStep(412), volume: 4_000_000_000 }],
    });
  });

  test('end: none comes after the last, and none can be entered', () => {
    const flow = packOrders(events);
    expect(arrivalOf(flow, 3)).toBe(Number.POSITIVE_INFINITY);
    expect(() => enterOrder(flow, 3, createBook())).toThrow('There is no order 3.');
    expect(countOrders(packOrders([]))).toBe(0);
  });
});
