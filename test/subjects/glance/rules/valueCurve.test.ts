import { describe, expect, test } from 'bun:test';
import fc from 'fast-check';
import {
  CURVE_POINTS,
  emptyCurve,
  meanCurve,
  pointAfter,
  pointAt,
  sumOfCurves,
  usualAt,
} from '../../../../src/subjects/glance/rules/valueCurve.ts';

const flat = (value: number | null) => new Array<number | null>(CURVE_POINTS).fill(value);
const rising = Array.from({ length: CURVE_POINTS }, (_one, point) => point * 100);

describe('the points of a session', () => {
  test('are five minutes apart from 10:00 until 16:30', () => {
    expect([-1, 0, 4.9, 5, 389, 390, 500].map(pointAt)).toEqual([-1, 0, 0, 1, 77, 78, 78]);
  });

  test('count a minute that is over by then', () => {
    expect([-2, -1, 0, 4, 5, 389, 500].map(pointAfter)).toEqual([0, 0, 1, 1, 2, 78, 78]);
  });
});

describe('the usual value', () => {
  test('is not told of fewer than three sessions', () => {
    expect(meanCurve([flat(10), flat(20)])).toEqual(flat(null));
    expect(meanCurve([flat(10), flat(20), flat(30)])).toEqual(flat(20));
  });

  test('leaves out the points that a session was not seen at', () => {
    const late = [...flat(null).slice(0, 40), ...flat(60).slice(40)];
    const mean = meanCurve([flat(10), flat(20), flat(30), late]);
    expect(mean[39]).toBe(20);
    expect(mean[40]).toBe(30);
  });

  test('lies on the line between two points, and is not known before 10:00', () => {
    expect(usualAt(rising, -0.1)).toBeNull();
    expect(usualAt(rising, 0)).toBe(0);
    expect(usualAt(rising, 7.5)).toBe(150);
    expect(usualAt(rising, 390)).toBe(7800);
    expect(usualAt(rising, 500)).toBe(7800);
    expect(usualAt(emptyCurve(), 7)).toBeNull();
  });

  test('never falls as time goes on where no curve does', () => {
    fc.assert(
      fc.property(
        fc.double({ min: 0, max: 400, noNaN: true }),
        fc.double({ min: 0, max: 60, noNaN: true }),
        (at, more) => {
          const before = usualAt(rising, at) ?? 0;
          return (usualAt(rising, at + more) ?? 0) >= before;
        },
      ),
    );
  });

  test('of all is known where shares and funds are', () => {
    expect(sumOfCurves([1, null, 3], [10, 20, null])).toEqual([11, null, null]);
  });
});
