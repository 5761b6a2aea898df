import { describe, expect, test } from 'bun:test';
import fc from 'fast-check';
import { emptyStock } from '../../src/market/rules/stock.ts';
import { derive, mergeUpdate } from '../../src/market/derive.ts';

const shown = (value: number | null, decimals: number): string =>
  value === null
    ? '—'
    : new Intl.NumberFormat('en-AU', {
        minimumFractionDigits: decimals,
        maximumFractionDigits: decimals,
      }).format(value);

/** Seven decimals, as providers send; closer to a half than that, binary fractions decide. */
const amount = fc.integer({ min: 11_000, max: 4e12 }).map((parts) => parts / 1e7);
const price = fc.integer({ min: 1, max: 400_000 }).map((steps) => steps / 1000);

describe('shortened numbers', () => {
  test('show what the full ones would have shown', () => {
    fc.assert(
      fc.property(amount, (value) => {
        const sent = { vwap: value, relativeVolume: value, value, marketCap: value };
        const stock = mergeUpdate(emptyStock('AAA'), { code: 'AAA', ...sent });
        expect(shown(stock.vwap, 3)).toBe(shown(value, 3));
        expect(shown(stock.relativeVolume, 2)).toBe(shown(value, 2));
        expect(shown(stock.value, 0)).toBe(shown(value, 0));
        expect(shown(stock.marketCap, 0)).toBe(shown(value, 0));
      }),
    );
  });

  test('percents show what the full ones would have shown', () => {
    fc.assert(
      fc.property(price, price, (last, close) => {
        const stock = mergeUpdate(emptyStock('AAA'), { code: 'AAA', last, close, match_price: last });
        derive(stock, {}, false);
        // In thousandths of a dollar the quotient is exact to the last binary digit.
        const percent =
          ((Math.round(last * 1000) - Math.round(close * 1000)) * 100) / Math.round(close * 1000);
        expect(shown(stock.change_percent, 1).replace('-0.0', '0.0')).toBe(
          shown(percent, 1).replace('-0.0', '0.0'),
        );
        expect(stock.indicativeChangePercent).toBe(stock.change_percent);
        expect(Object.is(stock.change_percent, -0)).toBe(false);
      }),
    );
  });

  test('leave a price above or below the average where it was', () => {
    fc.assert(
      fc.property(price, price, fc.integer({ min: 1, max: 1e6 }), (close, near, shares) => {
        const vwap = (near * shares + near * 1.001 * 7) / (shares + 7);
        const stock = mergeUpdate(emptyStock('AAA'), { code: 'AAA', close, vwap });
        if (Math.abs(close - vwap) > 1e-8) expect(close > (stock.vwap ?? 0)).toBe(close > vwap);
      }),
    );
  });

  test('traded value is made of the average as it came, not of the shortened one', () => {
    const stock = mergeUpdate(emptyStock('AAA'), { code: 'AAA', vwap: 1.23456789, volume: 10_000_000 });
    derive(stock, { vwap: 1.23456789 }, false);
    expect(stock).toMatchObject({ vwap: 1.2345, value: 12_345_679 });
  });
});
