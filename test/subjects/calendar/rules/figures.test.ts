import { describe, expect, test } from 'bun:test';
import { formatExactFigure, formatFigure } from '../../../../src/subjects/calendar/rules/figures.ts';
import { aCalendarEvent } from '../../../support/aCalendarEvent.ts';

const NONE = { actual: null, consensus: null, previous: null, revised: null };

describe('a figure in a table', () => {
  test.each([
    [-0.2, '%', 'ZERO', '−0.2%'],
    [4.35, '%', 'ZERO', '4.4%'],
    [0, '%', 'ZERO', '0.0%'],
    [-0.04, '%', 'ZERO', '0.0%'],
    [54.6, null, 'ZERO', '54.6'],
    [101.257, null, 'ZERO', '101.26'],
    [66, null, 'K', '66K'],
    [222.45, null, 'K', '222.5K'],
    [-1.523, '$', 'B', '−$1.523B'],
    [3.2, '€', 'M', '€3.2M'],
    [1234.5, '¥', 'B', '¥1,234.5B'],
    [25, 'bp', 'ZERO', '25 bp'],
    [1, '', 'T', '1T'],
  ] as const)('%p of %p in %p is %p', (actual, unit, potency, text) => {
    expect(formatFigure(actual, aCalendarEvent({ ...NONE, actual, unit, potency }))).toBe(text);
  });

  test('has as many decimals as its neighbours', () => {
    const event = aCalendarEvent({ ...NONE, actual: 50, consensus: 49.85, previous: 49.8, unit: null });
    expect(formatFigure(event.actual, event)).toBe('50.00');
    expect(formatFigure(event.previous, event)).toBe('49.80');
  });

  test('is a dash while it is not known', () => {
    expect(formatFigure(null, aCalendarEvent(NONE))).toBe('–');
    expect(formatExactFigure(null, aCalendarEvent(NONE))).toBe('–');
  });
});

test('an exact figure keeps its decimals', () => {
  const percent = { unit: '%', potency: 'ZERO' } as const;
  expect(formatExactFigure(4.35, percent)).toBe('4.35%');
  expect(formatExactFigure(4, percent)).toBe('4.0%');
  expect(formatExactFigure(0.0625, percent)).toBe('0.0625%');
  expect(formatExactFigure(-12.5, { unit: '$', potency: 'B' })).toBe('−$12.5B');
});
