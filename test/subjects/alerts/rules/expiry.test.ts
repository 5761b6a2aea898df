import { expect, test } from 'bun:test';
import { checkAlertNote } from '../../../../src/subjects/alerts/rules/alertRules.ts';
import { checkExpiry, expiredReason } from '../../../../src/subjects/alerts/rules/expiry.ts';
import { checkSnooze } from '../../../../src/subjects/alerts/rules/snooze.ts';

const NOW = Date.parse('2026-11-16T00:00:00Z');

test('an alert expires at a moment that is to come, or never', () => {
  expect(checkExpiry(undefined, NOW)).toEqual({ ok: true, value: null });
  expect(checkExpiry(null, NOW)).toEqual({ ok: true, value: null });
  const at = Date.parse('2026-11-27T05:10:00Z');
  expect(checkExpiry('2026-11-27T16:10:00+11:00', NOW)).toEqual({ ok: true, value: at });
  expect(checkExpiry('2026-11-27T05:10Z', NOW)).toEqual({ ok: true, value: at });
  for (const sent of [
    '2026-11-27',
    '2026-11-27T16:10',
    at,
    '',
    '2026-11-15T23:59:59Z',
    '2026-11-16T00:00:00Z',
    '2030-01-01T00:00:00Z',
    '2026-13-27T16:10:00Z',
    'Z'.repeat(100_000),
    {},
  ]) {
    expect(checkExpiry(sent, NOW)).toMatchObject({ ok: false, error: { field: 'expires_at' } });
  }
});

test('that it is over is said in the market’s time', () => {
  expect(expiredReason(Date.parse('2026-11-27T05:10:00Z'))).toBe('It expired on 27 Nov 2026 16:10 Sydney.');
});

test('an alert is snoozed for a day at most', () => {
  expect(checkSnooze(null, NOW)).toEqual({ ok: true, value: null });
  expect(checkSnooze('2026-11-16T01:00:00Z', NOW)).toEqual({ ok: true, value: NOW + 3_600_000 });
  for (const sent of [
    '2026-11-15T23:00:00Z',
    '2026-11-17T00:00:01Z',
    'soon',
    5,
    undefined,
    '1'.repeat(1e5),
    // A moment, but of 41 characters.
    `2026-11-16T01:00:00.${'0'.repeat(20)}Z`,
  ]) {
    expect(checkSnooze(sent, NOW)).toMatchObject({ ok: false, error: { field: 'snoozed_until' } });
  }
});

test('a note is one line of at most 160 characters', () => {
  expect(checkAlertNote('  Sell half  ')).toEqual({ ok: true, value: 'Sell half' });
  expect(checkAlertNote(' ')).toEqual({ ok: true, value: null });
  expect(checkAlertNote('😀'.repeat(160))).toMatchObject({ ok: true });
  for (const sent of [
    'x'.repeat(161),
    '😀'.repeat(161),
    'two\nlines',
    '\ud800',
    '\u202e',
    5,
    'x'.repeat(1e6),
  ]) {
    expect(checkAlertNote(sent)).toMatchObject({ ok: false, error: { field: 'note' } });
  }
});
