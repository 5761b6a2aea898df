import { describe, expect, test } from 'bun:test';
import {
  keptAnnouncement,
  KEPT_MS,
  mattersMost,
} from '../../../../src/subjects/announcements/rules/keptAnnouncement.ts';
import { aRelease } from '../../../support/handAnnouncements.ts';

const NOW = Date.UTC(2026, 10, 18, 0, 0);
const DAY = 86_400_000;
const kept = (change: Parameters<typeof aRelease>[1]) => keptAnnouncement(aRelease('a-1', change), NOW);

describe('what is kept of a release', () => {
  test('is of its date in Sydney, also around midnight and when the clocks change', () => {
    const dateAt = (time: string) => keptAnnouncement(aRelease('a', { time: Date.parse(time) }), NOW)?.date;
    expect([dateAt('2026-11-17T12:59:59Z'), dateAt('2026-11-17T13:00:00Z')]).toEqual([
      '2026-11-17',
      '2026-11-18',
    ]);
    // Summer time began on 4 October 2026 and ended on 5 April.
    expect([dateAt('2026-10-03T14:00:00Z'), dateAt('2026-10-04T12:59:59Z')]).toEqual([
      '2026-10-04',
      '2026-10-04',
    ]);
    expect([dateAt('2026-04-04T13:00:00Z'), dateAt('2026-04-05T13:59:59Z')]).toEqual([
      '2026-04-05',
      '2026-04-05',
    ]);
  });

  test('is nothing of 1970, of before 400 days, of next month and of a time that is none', () => {
    const times = [0, NOW - KEPT_MS, NOW + 8 * DAY, Number.NaN, Number.POSITIVE_INFINITY];
    expect(times.map((time) => kept({ time }))).toEqual(times.map(() => null));
    expect(kept({ time: NOW + DAY })).not.toBeNull();
    expect(kept({ time: NOW - KEPT_MS + 1 })).not.toBeNull();
  });

  test('is nothing without an id, a code or a headline that can be used', () => {
    expect(kept({ headline: ' \n\t ' })).toBeNull();
    for (const code of ['', 'bhp', 'BHP LTD', '__PROTO__', 'A'.repeat(13)]) expect(kept({ code })).toBeNull();
    for (const id of ['', '__proto__', 'constructor', 'a b', 'x'.repeat(201)])
      expect(kept({ id })).toBeNull();
  });

  test('has a headline of one line and bounded length, with HTML as the text that it is', () => {
    expect(kept({ headline: 'x'.repeat(100_000) })?.headline).toHaveLength(500);
    expect(kept({ headline: '<img src=x onerror=alert(1)>' })?.headline).toBe('<img src=x onerror=alert(1)>');
    expect(kept({ headline: '  Annual\u0000\r\n re\u200f\u200bport\u202e ' })?.headline).toBe(
      'Annual report',
    );
  });

  test('links only to the web', () => {
    for (const url of [
      'javascript:alert(1)',
      'data:text/html,x',
      '/relative',
      `https://a/${'x'.repeat(2000)}`,
    ])
      expect(kept({ url, document: url })).toMatchObject({ url: null, document: null });
    expect(kept({ url: 'HTTPS://example.test/a' })?.url).toBe('HTTPS://example.test/a');
  });

  test('has at most ten types', () => {
    const types = Array.from({ length: 50 }, (_, index) => `Type ${index}`);
    expect(kept({ announcementTypes: ['', ...types] })?.announcementTypes).toEqual(types.slice(0, 9));
  });
});

test('what matters most is the newest price-sensitive one, else the newest', () => {
  const [a, b, c] = [
    { id: 'a', isPriceSensitive: false },
    { id: 'b', isPriceSensitive: true },
    { id: 'c', isPriceSensitive: true },
  ] as const;
  expect(mattersMost([a, b, c])).toBe(b);
  expect(mattersMost([a])).toBe(a);
  expect(mattersMost([])).toBeNull();
});
