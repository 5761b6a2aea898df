import { describe, expect, test } from 'bun:test';
import fc from 'fast-check';
import { csvOf, harmless } from '#texts/csv.ts';
import {
  DASH,
  formatClock,
  formatDate,
  formatNumber,
  formatSigned,
  formatTime,
  MINUS,
} from '#texts/format.ts';
import { formatAge, formatMoment } from '#texts/moment.ts';

describe('numbers', () => {
  test('match Intl, with a true minus sign, at every size', () => {
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

  test('have a plus sign when signed and displayed above zero', () => {
    expect(formatSigned(3.14, 1)).toBe('+3.1');
    expect(formatSigned(-3.14, 1)).toBe(`${MINUS}3.1`);
    expect(formatSigned(0.04, 1)).toBe('0.0');
  });
});

describe('dates and times', () => {
  test('match the runtime’s format, in summer and winter', () => {
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

  test('times are in Sydney time, with midnight as 00', () => {
    expect(formatTime('2026-11-18T13:30:00.000Z')).toBe('00:30');
    expect(formatTime('2026-06-18T14:05:00.000Z')).toBe('00:05');
    expect(formatTime('not a time')).toBe(DASH);
    expect(formatTime(1e20)).toBe(DASH);
  });
});

test('a moment has its date and time in the given zone', () => {
  const time = Date.UTC(2026, 10, 21, 23, 42, 7);
  expect(formatMoment(time, 'Australia/Sydney')).toBe('22 Nov 2026, 10:42:07');
  expect(formatMoment(new Date(time).toISOString(), 'UTC')).toBe('21 Nov 2026, 23:42:07');
  expect(formatMoment(Date.UTC(2026, 10, 21, 13, 30), 'Australia/Sydney')).toBe('22 Nov 2026, 00:30:00');
  expect([formatMoment(null), formatMoment('soon')]).toEqual(['–', '–']);
});

test.each([
  [59_999, 'just now'],
  [60_000, '1 min ago'],
  [3_600_000, '1 h ago'],
  [47 * 3_600_000, '47 h ago'],
  [48 * 3_600_000, '2 days ago'],
])('%d ms is %j', (age, text) => expect(formatAge(age)).toBe(text));

const table = {
  headings: ['Code', '+DI (14)', 'Last'],
  rows: [
    ['BHP', 'say "no", please', -1.5],
    ['=1+1', 'two\nlines', 0.1 + 0.2],
    ['CBA', null, Number.NaN],
  ],
};

describe('a table as CSV', () => {
  test('quotes where needed, keeps numbers and ends each line according to RFC 4180', () => {
    expect(csvOf(table)).toBe(
      '\uFEFFCode,\'+DI (14),Last\r\nBHP,"say ""no"", please",-1.5\r\n\'=1+1,"two\nlines",0.3\r\nCBA,,\r\n',
    );
  });

  test.each(['=A1', '+1', '@SUM(A1)', '\tx', '＝A1', ' =A1', '\0=A1', '\u00a0=A1', '\u200b=A1', ' \t\n -1'])(
    'makes %j harmless',
    (text) => {
      expect(harmless(text)).toBe(`'${text}`);
    },
  );
});
