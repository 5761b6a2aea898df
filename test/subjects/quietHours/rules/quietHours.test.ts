import { describe, expect, test } from 'bun:test';
import { digestMessage } from '#subjects/quietHours/rules/digest.ts';
import {
  checkQuietHours,
  holdsAt,
  isDigestDue,
  isQuiet,
  minuteIn,
  NO_QUIET_HOURS,
  type QuietHours,
} from '#subjects/quietHours/rules/quietHours.ts';

const at = (time: string): number => Date.parse(time);
const hours = (change: Partial<QuietHours> = {}): QuietHours => ({
  ...NO_QUIET_HOURS,
  active: true,
  ...change,
});

describe('quiet hours', () => {
  test.each([
    // Sydney is eleven hours ahead in summer.
    ['2026-11-27T09:59:00Z', false],
    ['2026-11-27T10:00:00Z', true],
    ['2026-11-27T19:59:00Z', true],
    ['2026-11-27T20:00:00Z', false],
  ])('over midnight: %s', (time, quiet) => expect(isQuiet(hours(), at(time))).toBe(quiet));

  test('follow the clocks of the zone, even on the days of a change', () => {
    // Clocks go from 2:00 to 3:00 on 4 October 2026, and from 3:00 to 2:00 on 5 April 2026.
    const night = hours({ from: 60, until: 150 });
    expect(isQuiet(night, at('2026-10-03T15:59:00Z'))).toBe(true);
    expect(isQuiet(night, at('2026-10-03T16:00:00Z'))).toBe(false);
    expect(isQuiet(night, at('2026-04-04T15:40:00Z'))).toBe(false);
    expect(isQuiet(night, at('2026-04-04T16:10:00Z'))).toBe(true);
    expect(minuteIn('Australia/Perth', at('2026-11-27T10:00:00Z'))).toBe(18 * 60);
    expect(
      isQuiet(hours({ from: 540, until: 1020, zone: 'Europe/London' }), at('2026-11-27T10:00:00Z')),
    ).toBe(true);
  });

  test('hold no messages while off', () => {
    expect(holdsAt(hours({ active: false }), at('2026-11-27T12:00:00Z'))).toBe(false);
    expect(holdsAt(hours(), at('2026-11-27T12:00:00Z'))).toBe(true);
    expect(holdsAt(hours(), at('2026-11-27T23:00:00Z'))).toBe(false);
    expect(holdsAt(hours({ digest: 'always' }), at('2026-11-27T23:00:00Z'))).toBe(true);
  });
});

describe('a digest is due', () => {
  const QUIET = '2026-11-27T12:10:00Z';
  const LOUD = '2026-11-27T23:10:00Z';
  test.each([
    ['end', QUIET, '2026-11-27T19:59:00Z', false],
    ['end', QUIET, '2026-11-27T20:00:00Z', true],
    ['hourly', QUIET, '2026-11-27T12:59:00Z', false],
    ['hourly', QUIET, '2026-11-27T13:00:00Z', true],
    ['hourly', QUIET, '2026-11-27T20:00:00Z', true],
    ['always', QUIET, '2026-11-27T13:00:00Z', false],
    ['always', QUIET, '2026-11-27T20:00:00Z', true],
    ['always', LOUD, '2026-11-27T23:59:00Z', false],
    ['always', LOUD, '2026-11-28T00:00:00Z', true],
    // The clock was set back by a day: the digest is not delayed.
    ['always', LOUD, '2026-11-26T23:20:00Z', true],
    ['end', QUIET, '2026-11-26T23:20:00Z', true],
  ] as const)('%s, of %s, at %s', (digest, oldest, now, due) => {
    expect(isDigestDue(hours({ digest }), at(oldest), at(now))).toBe(due);
  });

  test('immediately when quiet hours are turned off', () => {
    expect(isDigestDue(hours({ active: false }), at(QUIET), at(QUIET))).toBe(true);
  });
});

test.each([
  [{}, null],
  [{ from: -1 }, 'from'],
  [{ until: 1440 }, 'until'],
  [{ from: 420 }, 'until'],
  [{ zone: 'Mars/Olympus' }, 'zone'],
  [{ zone: 7 }, 'zone'],
  [{ digest: 'never' }, 'digest'],
  [{ active: 1 }, 'active'],
])('%j is refused by the member at fault', (change, field) => {
  const checked = checkQuietHours({ ...hours(), ...change });
  expect(checked.ok ? null : checked.error.field).toBe(field);
});

describe('a digest', () => {
  const now = at('2026-11-27T20:00:00Z');
  const messages = (count: number, title = 'BHP 50.61') =>
    Array.from({ length: count }, (_, n) => ({
      createdAt: at('2026-11-27T10:04:00Z') + n * 60_000,
      message: { title, lines: ['Last above 50 · 21:04 Sydney', 'Breakout'] },
    }));

  test('has a line for each message with its time, then the number of others', () => {
    const { title, lines, page } = digestMessage(messages(3), 12, now, null);
    expect(title).toBe('15 messages during quiet hours');
    expect(lines).toEqual([
      '27 Nov 21:04 · BHP 50.61 · Last above 50 · 21:04 Sydney',
      '27 Nov 21:05 · BHP 50.61 · Last above 50 · 21:04 Sydney',
      '27 Nov 21:06 · BHP 50.61 · Last above 50 · 21:04 Sydney',
      'and 12 more',
      'Times are in Sydney time.',
    ]);
    expect(page).toBe('#/watchlist/triggers');
  });

  test('is short enough for either platform, for any messages', () => {
    const { lines } = digestMessage(messages(30, '😀'.repeat(400)), 0, now, 'https://x.au');
    expect(lines.join('\n').length).toBeLessThan(1900);
    expect(lines.at(-2)).toMatch(/^and \d+ more$/);
    expect(digestMessage(messages(1), 0, now, null).title).toBe('One message during quiet hours');
  });
});
