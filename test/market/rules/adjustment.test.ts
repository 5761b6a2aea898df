import { describe, expect, test } from 'bun:test';
import {
  adjustedBar,
  adjustmentFactor,
  factorSince,
  type Seen,
} from '../../../src/market/rules/adjustment.ts';

const factor = (price: number, close: number, seen: Seen = 'whole', before: number | null = null) =>
  adjustmentFactor({ date: '2026-11-23', price, close: before }, close, seen);

describe('a previous close beside the last trade before', () => {
  test('recognises every ratio', () => {
    for (const ratio of [1.1, 1.25, 1.5, 2, 10, 11.5, 12, 17, 60, 150]) {
      expect(factor(1, ratio)).toBeCloseTo(ratio, 9);
      expect(factor(ratio, 1)).toBeCloseTo(1 / ratio, 9);
    }
  });
  test('takes a few per cent and two price steps for another closing price', () => {
    for (const close of [0.96, 1.04, 1]) expect(factor(1, close)).toBeNull();
    for (const close of [0.001, 0.002, 0.003, 0.004]) expect(factor(0.002, close)).toBeNull();
    expect(factor(0.02, 0.022)).toBeNull();
    expect(factor(0.002, 0.02)).toBeCloseTo(10, 9);
  });
  test('concludes nothing if the session before was not seen', () => {
    for (const close of [0.1, 0.5, 0.8, 1.25, 1.5, 10]) expect(factor(1, close, 'none')).toBeNull();
  });
  test('needs more than an afternoon can bring if the end of the session was not seen', () => {
    for (const close of [0.5, 0.8, 1.25, 1.5, 2]) expect(factor(1, close, 'part')).toBeNull();
    expect(factor(1, 12, 'part')).toBe(12);
  });
  test('is not compared if it is still the one of the session before', () => {
    expect(factor(2, 1, 'whole', 1)).toBeNull();
  });
  test('is not compared if it is no price', () => {
    expect(factor(1, 0)).toBeNull();
    expect(factor(0, 1)).toBeNull();
  });
});

test('a bar keeps its value: prices times the factor, volume by its inverse', () => {
  const bar = { open: 0.026, high: 0.027, low: 0.025, close: 0.026, volume: 1500 };
  expect(adjustedBar(bar, 15)).toEqual({ open: 0.39, high: 0.405, low: 0.375, close: 0.39, volume: 100 });
});

test('several adjustments multiply, each for the dates before it', () => {
  const list = [
    { date: '2026-06-01', factor: 0.5, at: 0 },
    { date: '2026-11-24', factor: 10, at: 0 },
  ];
  expect(['2026-05-29', '2026-06-01', '2026-11-24'].map((date) => factorSince(list, date))).toEqual([
    5, 10, 1,
  ]);
});
