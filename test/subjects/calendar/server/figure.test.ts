import { describe, expect, test } from 'bun:test';
import { readFigure, readFigures } from '../../../../src/sources/calendar/forexFactory/week.ts';

describe('a figure of the weekly file', () => {
  test.each([
    ['66K', 66, null, 'K'],
    ['0.2%', 0.2, '%', 'ZERO'],
    ['-0.37%', -0.37, '%', 'ZERO'],
    ['-144.7B', -144.7, null, 'B'],
    ['2.95T', 2.95, null, 'T'],
    ['4.16M', 4.16, null, 'M'],
    ['99.5', 99.5, null, 'ZERO'],
    ['0', 0, null, 'ZERO'],
    ['-30', -30, null, 'ZERO'],
    ['$1.2B', 1.2, '$', 'B'],
    ['-€3M', -3, '€', 'M'],
    [' 5K ', 5, null, 'K'],
    ['4.17|2.6', 4.17, '%', 'ZERO'],
    ['3.49|2.4', 3.49, '%', 'ZERO'],
  ] as const)('%s', (text, value, unit, potency) => {
    expect(readFigure(text)).toEqual({ value, unit, potency });
  });

  test.each(['', ' ', '2-0-7', '<1.00%', 'n/a', '1.2.3', '5X', '1|2|3', '%', '-', '9'.repeat(40)])(
    'that is none: %p',
    (text) => {
      expect(readFigure(text)).toBeNull();
    },
  );

  test('forecast and previous share a unit and a potency', () => {
    expect(readFigures('66K', '50K')).toEqual({ consensus: 66, previous: 50, unit: null, potency: 'K' });
    expect(readFigures('1.1M', '950K')).toEqual({ consensus: 1100, previous: 950, unit: null, potency: 'K' });
    expect(readFigures('', '4.17|2.6')).toEqual({
      consensus: null,
      previous: 4.17,
      unit: '%',
      potency: 'ZERO',
    });
    expect(readFigures('2.5%', '3')).toEqual({ consensus: 2.5, previous: null, unit: '%', potency: 'ZERO' });
    expect(readFigures('', '')).toEqual({ consensus: null, previous: null, unit: null, potency: 'ZERO' });
  });
});
