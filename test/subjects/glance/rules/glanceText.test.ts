import { describe, expect, test } from 'bun:test';
import {
  changeText,
  moneyText,
  rangeText,
  strengthOf,
  usualText,
  wayOf,
} from '../../../../src/subjects/glance/rules/glanceText.ts';

const TOTALS = {
  ...{ stocks: 9, traded: 8, advancers: 1, decliners: 1, highs: 0, lows: 0, ranged: 8, value: 1 },
};

describe('the words of the market', () => {
  test('say a change with its sign, and its way as it is shown', () => {
    expect([1.234, -0.5, 0, null].map(changeText)).toEqual(['+1.23 %', '−0.50 %', '0.00 %', '–']);
    expect([1, -1, 0.004, -0.004, null].map(wayOf)).toEqual(['up', 'down', 'flat', 'flat', 'flat']);
    expect([0, 0.1, -0.7, 2, -9, null].map(strengthOf)).toEqual([0, 1, 2, 3, 4, 0]);
    expect(moneyText(3.21e9)).toBe('$3.2 B');
  });

  test('compare the value with the usual one, or say why they do not', () => {
    const curve = new Array<number | null>(79).fill(200);
    expect(usualText(236, { curve, sessions: 20, minutes: 30 })).toBe('118 % of usual');
    expect(usualText(1, { curve, sessions: 2, minutes: 30 })).toBe('usual known after 3 sessions, 2 so far');
    expect(usualText(1, { curve, sessions: 3, minutes: -5 })).toBe('compared from 10:00');
    expect(usualText(1, { curve: curve.fill(null), sessions: 3, minutes: 5 })).toBe(
      'usual not known for this time',
    );
    expect(usualText(1, null)).toBe('');
  });

  test('say what new highs and lows are measured by', () => {
    expect(rangeText(TOTALS, undefined)).toContain('52-week range that the source states');
    expect(rangeText(TOTALS, '2025-11-28')).toContain('since Friday 28 November 2025');
    expect(rangeText({ ...TOTALS, ranged: 0 }, null)).toContain('no earlier prices');
    expect(rangeText({ ...TOTALS, ranged: 0 }, undefined)).toContain('reading earlier prices');
  });
});
