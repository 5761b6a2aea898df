import { afterEach, beforeEach, describe, expect, jest, test } from 'bun:test';
import { quoteTitle } from '#subjects/stock/web/ChartPage.tsx';
import { quoteOf } from '#subjects/stock/web/shared/StockQuote.tsx';
import { createFollowing, SETTLE_MS } from '#web/windows/following.ts';
import { aStock } from '#support/aStock.ts';

const of = (change: Parameters<typeof aStock>[0]) => quoteTitle('BHP', aStock({ code: 'BHP', ...change }));

describe('the title of a chart', () => {
  test('has price and change, and an arrow instead of the sign', () => {
    expect(of({ status: 'Open', last: 46.2, change_percent: 1.23 })).toBe('BHP 46.20 ▲1.2%');
    expect(of({ status: 'Open', last: 0.045, change_percent: -10 })).toBe('BHP 0.045 ▼10.0%');
  });
  test('has no arrow if the displayed change is zero', () =>
    expect(of({ status: 'Open', last: 46.2, change_percent: -0.04 })).toBe('BHP 46.20 0.0%'));
  test('uses the match price before the opening', () => {
    const stock = aStock({ status: 'Pre Open', last: 1, match_price: 50, indicativeChangePercent: 2 });
    expect(quoteTitle('BHP', stock)).toBe('BHP 50.00 ▲2.0%');
    expect(quoteOf(stock).kind).toBe('Match');
  });
  test('marks a halted stock, because its price is an earlier one', () => {
    const stock = aStock({ code: 'BHP', status: 'Halted', last: 46.2, change_percent: 1.23 });
    expect(quoteTitle('BHP', stock)).toBe('BHP halted 46.20 ▲1.2%');
    expect(quoteOf(stock).kind).toBe('Halted');
    expect(quoteOf({ ...stock, status: 'Suspended' }).kind).toBe('Suspended');
  });
  test('invents nothing for a stock that did not trade or is not listed', () => {
    expect(of({ status: 'Open', last: null, change_percent: null })).toBe('BHP –');
    expect(quoteTitle('XYZ', null)).toBe('XYZ chart');
  });
});

describe('the stock that a chart follows', () => {
  let shown: string[];
  beforeEach(() => {
    shown = [];
    jest.useFakeTimers();
  });
  afterEach(() => {
    jest.useRealTimers();
  });
  const follow = () => createFollowing((code) => shown.push(code));

  test('is shown immediately', () => {
    follow().take('BHP');
    expect(shown).toEqual(['BHP']);
  });

  test('is the last one of a quick sequence, once it stops', () => {
    const { take } = follow();
    for (const code of ['A', 'B', 'C', 'D']) {
      take(code);
      jest.advanceTimersByTime(SETTLE_MS - 1);
    }
    expect(shown).toEqual(['A']);
    jest.advanceTimersByTime(1);
    expect(shown).toEqual(['A', 'D']);
    jest.advanceTimersByTime(SETTLE_MS);
    take('E');
    expect(shown).toEqual(['A', 'D', 'E']);
  });

  test('does not change after the end', () => {
    const { take, stop } = follow();
    take('A');
    take('B');
    stop();
    jest.advanceTimersByTime(10 * SETTLE_MS);
    expect(shown).toEqual(['A']);
  });
});
