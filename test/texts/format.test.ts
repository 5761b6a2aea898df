import { describe, expect, test } from 'bun:test';
import fc from 'fast-check';
import {
  DASH,
  formatClock,
  formatDate,
  formatNumber,
  formatSigned,
  formatTime,
  MINUS,
} from '../../src/texts/format.ts';

describe('numbers', () => {
  test('have separators and a fixed count of decimals', () => {
    expect(formatNumber(1234567.891, 0)).toBe('1,234,568');
    expect(formatNumber(0.1, 3)).toBe('0.100');
    expect(formatNumber(2, 1)).toBe('2.0');
  });

  test('use the true minus sign, and none for what rounds to zero', () => {
    expect(formatNumber(-1.25, 2)).toBe(`${MINUS}1.25`);
    expect(MINUS).toBe('\u2212');
    expect(formatNumber(-0.04, 1)).toBe('0.0');
    expect(formatNumber(-0, 0)).toBe('0');
  });

  test('are what Intl writes, with a true minus sign, in every size', () => {
    const number = fc.oneof(
      fc.double({ noNaN: true, noDefaultInfinity: true }),
      fc.integer({ min: -3_000_000, max: 3_000_000 }).map((tenths) => tenths / 10_000),
      fc.integer({ min: -200_000, max: 200_000 }).map((halves) => (halves * 10 + 5) / 10_000),
    );
    fc.assert(
      fc.property(number, fc.integer({ min: 0, max: 5 }), (value, decimals) => {
        const digits = { minimumFractionDigits: decimals, maximumFractionDigits: decimals };
        const intl = new Intl.NumberFormat('en-AU', { ...digits, signDisplay: 'negative' }).format(value);
        expect(formatNumber(value, decimals)).toBe(intl.replace('-', MINUS));
      }),
      { numRuns: 2000 },
    );
  });

  test('are a dash when missing', () => {
    for (const missing of [null, undefined, Number.NaN, Number.POSITIVE_INFINITY]) {
      expect(formatNumber(missing, 2)).toBe(DASH);
      expect(formatSigned(missing, 2)).toBe(DASH);
    }
  });

  test('carry a plus sign when signed and shown above zero', () => {
    expect(formatSigned(3.14, 1)).toBe('+3.1');
    expect(formatSigned(-3.14, 1)).toBe(`${MINUS}3.1`);
    expect(formatSigned(0.04, 1)).toBe('0.0');
    expect(formatSigned(0, 0)).toBe('0');
  });

  test('read back as the number that was rounded', () => {
    fc.assert(
      fc.property(
        fc.double({ min: -1e9, max: 1e9, noNaN: true }),
        fc.integer({ min: 0, max: 4 }),
        (value, decimals) => {
          const text = formatSigned(value, decimals);
          const back = Number(text.replaceAll(',', '').replace(MINUS, '-'));
          expect(Math.abs(back - value)).toBeLessThanOrEqual(0.5000001 * 10 ** -decimals);
          expect(text).not.toContain('-');
          expect(text.split('.')[1]?.length ?? 0).toBe(decimals);
        },
      ),
    );
  });
});

describe('dates and times', () => {
  test('dates are written out, en-AU', () => {
    expect(formatDate('2026-11-21')).toBe('Saturday 21 November 2026');
    expect(formatDate('')).toBe('');
  });

  test('are what the runtime writes of them, in summer and winter', () => {
    const part = (options: Intl.DateTimeFormatOptions) => new Intl.DateTimeFormat('en-AU', options);
    const long = part({ timeZone: 'UTC', weekday: 'long', day: 'numeric', month: 'long', year: 'numeric' });
    const time = {
      timeZone: 'Australia/Sydney',
      hour: '2-digit',
      minute: '2-digit',
      hourCycle: 'h23',
    } as const;
    const [short, clock] = [part(time), part({ ...time, second: '2-digit' })];
    for (let day = 0; day < 800; day += 1) {
      const instant = Date.UTC(2026, 0, 1) + day * 86_400_000 + day * 108_001;
      const date = new Date(instant).toISOString().slice(0, 10);
      expect(formatDate(date)).toBe(long.format(Date.parse(date)).replaceAll(',', ''));
      expect(formatTime(instant)).toBe(short.format(instant));
      expect(formatClock(instant)).toBe(clock.format(instant));
    }
  });

  test('times are of Sydney, midnight being 00', () => {
    expect(formatTime('2026-11-18T22:59:00.000Z')).toBe('09:59');
    expect(formatTime('2026-11-18T13:30:00.000Z')).toBe('00:30');
    expect(formatTime('2026-06-18T14:05:00.000Z')).toBe('00:05');
    expect(formatTime('not a time')).toBe(DASH);
    expect(formatTime(null)).toBe(DASH);
    expect(formatTime(Number.NaN)).toBe(DASH);
    expect(formatTime(1e20)).toBe(DASH);
  });

  test('no text breaks them', () => {
    fc.assert(
      fc.property(fc.string(), (text) => {
        expect(() => formatDate(text)).not.toThrow();
        expect(() => formatTime(text)).not.toThrow();
      }),
    );
  });
});
