import { describe, expect, test } from 'bun:test';
import { previewOf, previewText } from '#subjects/alerts/rules/preview.ts';
import type { Logic } from '#subjects/conditions/rules/condition.ts';
import { emptyStock } from '#market/rules/stock.ts';
import { allOf, field, number } from '#support/conditions.ts';
import type { WatchedScan } from '#subjects/alerts/answers/scanAlert.ts';
import {
  bestStricter,
  stricterLimits,
  withStricter,
} from '#subjects/alerts/rules/scanAlerts/scanBacktest.ts';
import type { ScanFilters } from '#market/scanners/rules/filters.ts';

const BHP = { ...emptyStock('BHP'), status: 'Open' as const, last: 50, volume: 1000, close: 49 };
const last = (op: '>' | '<' | 'crosses_above' | 'crosses_below', value: number) =>
  allOf({ lhs: field('last'), op, rhs: number(value) });
const preview = (logic: Logic, stock = BHP) => previewOf(logic, stock, 0);
const period = (fired: number, tradingDays = 5) => ({ from: 0, to: 1, fired, tradingDays });

describe('a preview', () => {
  test('reports a true condition, a distance, and a crossing', () => {
    expect(preview(last('>', 5))).toEqual({ holds: true, away: null, isBeyond: false });
    expect(preview(last('>', 50.6))).toEqual({ holds: false, away: expect.closeTo(1.2), isBeyond: false });
    expect(preview(last('crosses_above', 51))).toMatchObject({ holds: false, away: expect.closeTo(2) });
    expect(preview(last('crosses_above', 49))).toEqual({ holds: false, away: null, isBeyond: true });
    expect(preview(last('crosses_below', 51))).toMatchObject({ isBeyond: true });
  });

  test('takes the longest distance of several conditions and the shortest of a group', () => {
    const both = {
      op: 'AND' as const,
      conditions: [...last('>', 51).conditions, ...last('<', 60).conditions, ...last('>', 55).conditions],
    };
    expect(preview(both).away).toBeCloseTo(10);
    const group: Logic = {
      op: 'AND',
      conditions: [
        { op: 'OR', conditions: [...last('>', 55).conditions, ...last('<', 49).conditions] as never },
      ],
    };
    expect(preview(group).away).toBeCloseTo(2);
  });

  test('has no distance if a value is unknown or has none', () => {
    expect(preview(last('>', 60), { ...BHP, last: null as never })).toEqual({
      holds: null,
      away: null,
      isBeyond: false,
    });
    const yesNo = allOf({ lhs: field('change_percent'), op: '>', rhs: number(99) });
    expect(preview(yesNo, { ...BHP, change_percent: 1 })).toMatchObject({ holds: false, away: null });
  });
});

test('the text of a preview describes when the alert will fire', () => {
  const base = { preview: null, backtest: null, isLive: false, isOn: true };
  const backtest = { minutes: period(0), days: null, holdsNow: false };
  expect(previewText({ ...base, preview: preview(last('>', 5)) })).toBe('Already true: fires immediately');
  expect(previewText({ ...base, preview: preview(last('>', 50.6)), backtest })).toBe(
    '1.2% away · never in the last 5 days',
  );
  expect(previewText({ ...base, backtest: { ...backtest, minutes: period(14) } })).toBe(
    '14 times in the last 5 days',
  );
  expect(previewText({ ...base, backtest: { ...backtest, minutes: null, days: period(1, 250) } })).toBe(
    'Once in the last 250 days',
  );
  expect(previewText({ ...base, preview: preview(last('>', 50.01)) })).toBe('Less than 0.1% away');
  expect(previewText(base)).toBeNull();
});

describe('a stricter alert on a scan', () => {
  const SCANNER: WatchedScan = { type: 'scanner', key: 'intraDaySmall' };
  const change = (limit: number, perDay: number) => ({ kind: 'minChange' as const, limit, perDay });

  test('tries only stricter settings', () => {
    const limits = stricterLimits({ scan: SCANNER, dayMaximum: 3 });
    expect(limits[0]).toEqual({ kind: 'dayMaximum', limit: 1 });
    const filters = { minValue: 1e6, minChange: 20 };
    const kinds = stricterLimits({ scan: { ...SCANNER, filters }, dayMaximum: 1 });
    expect(kinds.filter(({ kind }) => kind === 'minChange').map(({ limit }) => limit)).toEqual([30, 50]);
    expect(kinds.find(({ kind }) => kind === 'minValue')?.limit).toBe(2.5e6);
    expect(kinds.some(({ kind }) => kind === 'dayMaximum')).toBe(false);
  });

  test('keeps the filters of the alert', () => {
    const filters: ScanFilters = { minValue: 0, text: 'gold' };
    const stricter = withStricter(
      { scan: { ...SCANNER, filters }, dayMaximum: 3 },
      { kind: 'minChange', limit: 5 },
    );
    expect(stricter).toEqual({ scan: { ...SCANNER, filters: { ...filters, minChange: 5 } }, dayMaximum: 3 });
    expect(
      withStricter({ scan: SCANNER, dayMaximum: 3 }, { kind: 'minValue', limit: 1e6 }).scan.filters,
    ).toEqual({ minValue: 1e6 });
    expect(withStricter({ scan: SCANNER, dayMaximum: 3 }, { kind: 'dayMaximum', limit: 1 }).dayMaximum).toBe(
      1,
    );
  });

  test('is the least strict one that is enough, and never one that would not fire', () => {
    expect(bestStricter(600, [change(1, 90), change(2, 19), change(3, 4)])).toEqual(change(2, 19));
    expect(bestStricter(600, [change(1, 90), change(2, 0)])).toEqual(change(1, 90));
    expect(bestStricter(600, [change(1, 400), change(2, 0)])).toBeNull();
    expect(bestStricter(600, [])).toBeNull();
  });
});
