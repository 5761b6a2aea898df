import { describe, expect, test } from 'bun:test';
import { fromSydney } from '../../../../src/market/rules/sydneyTime.ts';
import { firstTimeOf, waitAt } from '../../../../src/sources/announcements/asx/poll.ts';

const SECOND = 1000;
const MINUTE = 60 * SECOND;

describe('how often the list is looked at', () => {
  test.each([
    ['a trading day, before', '2026-11-18', 7, 0, 5 * MINUTE],
    ['shortly before it begins', '2026-11-18', 7, 28, 2 * MINUTE],
    ['from 07:30', '2026-11-18', 7, 30, 20 * SECOND],
    ['until 20:30', '2026-11-18', 20, 29, 20 * SECOND],
    ['afterwards', '2026-11-18', 20, 30, 5 * MINUTE],
    ['a Saturday', '2026-11-21', 11, 0, 5 * MINUTE],
    ['a holiday', '2026-01-26', 11, 0, 5 * MINUTE],
    ['the night after it', '2026-01-27', 7, 26, 4 * MINUTE],
    // Sydney's clock went back on 5 April (a Sunday) and on again on 4 October: UTC differs, the hours do not.
    ['the Tuesday after daylight saving ended', '2026-04-07', 7, 30, 20 * SECOND],
    ['just before', '2026-04-07', 7, 29, MINUTE],
    ['the Monday after it began', '2026-10-05', 7, 30, 20 * SECOND],
    ['its evening', '2026-10-05', 20, 31, 5 * MINUTE],
  ])('%s (%s %d:%d)', (_, date, hour, minute, wait) => {
    expect(waitAt(fromSydney(date, hour, minute))).toBe(wait);
  });

  test.each([
    ['Tuesday', '2026-11-17', '2026-11-16'],
    ['Monday', '2026-11-16', '2026-11-13'],
    ['Sunday', '2026-11-15', '2026-11-13'],
    ['the day after Easter', '2026-04-07', '2026-04-02'],
    ['the Sunday on which daylight saving ends', '2026-04-05', '2026-04-02'],
    ['the Monday after it began', '2026-10-05', '2026-10-02'],
  ])('reads back to the midnight of the previous trading day: %s', (_, date, first) => {
    expect(firstTimeOf(fromSydney(date, 12, 0))).toBe(fromSydney(first, 0, 0));
  });
});
