import { describe, expect, test } from 'bun:test';
import { lastSessionNotice, sessionAt } from '../../../src/market/rules/session.ts';
import { fromSydney } from '../../../src/market/rules/sydneyTime.ts';

const at = (date: string, hour: number, minute = 0, second = 0): number =>
  fromSydney(date, hour, minute, second);

describe('the session that the market shows', () => {
  test.each([
    ['a trading day just before 07:00', at('2026-11-20', 6, 59, 59), '2026-11-19'],
    ['a trading day at 07:00', at('2026-11-20', 7), '2026-11-20'],
    ['the evening', at('2026-11-20', 23, 59), '2026-11-20'],
    ['a Saturday', at('2026-11-21', 11), '2026-11-20'],
    ['a Sunday', at('2026-11-22', 23, 30), '2026-11-20'],
    ['the early Monday', at('2026-11-23', 0, 30), '2026-11-20'],
    ['Monday at 07:00', at('2026-11-23', 7), '2026-11-23'],
    ['Easter Monday, after Good Friday', at('2026-04-06', 12), '2026-04-02'],
    ['Boxing Day after Christmas', at('2026-12-28', 12), '2026-12-24'],
    ['the Sunday on which daylight saving begins', at('2026-10-04', 12), '2026-10-02'],
    ['the Monday after daylight saving began', at('2026-10-05', 6, 59), '2026-10-02'],
    ['the Monday after daylight saving ended', at('2027-04-05', 7), '2027-04-05'],
  ])('on %s', (_, now, date) => {
    expect(sessionAt(now).date).toBe(date);
  });

  test('lasts to the next trading day’s 07:00, whatever the clocks do meanwhile', () => {
    expect(sessionAt(at('2026-10-03', 12))).toEqual({
      date: '2026-10-02',
      since: at('2026-10-02', 7),
      until: at('2026-10-05', 7),
    });
  });
});

test.each([
  ['the session’s own date', '2026-11-20', at('2026-11-20', 21), null],
  ['a Saturday', '2026-11-20', at('2026-11-21', 11), 'Last session: Friday 20 November'],
  ['after midnight', '2026-11-19', at('2026-11-20', 3), 'Last session: Thursday 19 November'],
  ['a market whose date is ahead', '2026-11-23', at('2026-11-22', 3), null],
])('the notice on %s', (_, date, now, text) => {
  expect(lastSessionNotice(date, now)).toBe(text);
});
