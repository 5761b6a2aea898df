import { describe, expect, test } from 'bun:test';
import {
  checkEventGuard,
  guardChoiceText,
  guardedBy,
  guardText,
} from '../../../../src/subjects/alerts/rules/eventGuard.ts';
import { guardingEvents } from '../../../../src/subjects/calendar/rules/guardingEvents.ts';
import { aCalendarEvent } from '../../../support/aCalendarEvent.ts';

const AT = Date.parse('2026-01-20T00:30:00Z');
const event = { name: 'Employment Change', currency: 'AUD', at: AT };

describe('the choice of a guard', () => {
  test.each([
    [null, null],
    [undefined, null],
    [{ mode: 'hold' }, { mode: 'hold', currencies: ['AUD', 'USD'] }],
    [
      { mode: 'mark', currencies: ['USD', 'AUD', 'USD'] },
      { mode: 'mark', currencies: ['AUD', 'USD'] },
    ],
  ])('%j is taken as %j', (sent, value) => {
    expect(checkEventGuard(sent)).toEqual({ ok: true, value: value as never });
  });

  test.each([
    ['a word', 'hold', 'event_guard'],
    ['another mode', { mode: 'skip' }, 'event_guard'],
    ['no currency', { mode: 'hold', currencies: [] }, 'event_guard.currencies'],
    [
      'a currency that is not offered',
      { mode: 'hold', currencies: ['AUD', 'XXX'] },
      'event_guard.currencies',
    ],
    ['a thousand of them', { mode: 'hold', currencies: Array(1000).fill('XXX') }, 'event_guard.currencies'],
  ])('%s is refused', (_, sent, field) => {
    expect(checkEventGuard(sent)).toMatchObject({ ok: false, error: { field } });
  });
});

describe('the event that guards', () => {
  const at = (minutes: number, members = {}) =>
    aCalendarEvent({ dateUtc: new Date(AT + minutes * 60_000).toISOString(), ...members });

  test('is of HIGH impact, has a time, and is five minutes away at most, both ends included', () => {
    const events = [
      at(5),
      at(-5),
      at(5.01),
      at(-5.01),
      at(0, { volatility: 'MEDIUM' }),
      at(0, { isAllDay: true }),
      at(0, { dateUtc: 'soon' }),
    ];
    expect(guardingEvents(events, AT).map((one) => (one.at - AT) / 60_000)).toEqual([5, -5]);
  });

  test('is the nearest of the chosen currencies', () => {
    const events = [
      { ...event, name: 'far', at: AT + 240_000 },
      { ...event, name: 'near', at: AT - 60_000 },
      { ...event, name: 'other', currency: 'USD' },
    ];
    expect(guardedBy(['AUD'], events, AT)?.name).toBe('near');
    expect(guardedBy(['AUD', 'USD'], events, AT)?.name).toBe('other');
    expect(guardedBy(['NZD'], events, AT)).toBeNull();
  });
});

test('what a trigger has to do with an event, in words', () => {
  const since = AT - 120_000;
  expect(guardText({ kind: 'marked', event, since: null })).toBe(
    'Within 5 minutes of Employment Change (AUD, HIGH) at 11:30',
  );
  expect(guardText({ kind: 'late', event, since })).toBe(
    'Held back since 11:28 for Employment Change (AUD, HIGH) at 11:30',
  );
  expect(guardText({ kind: 'withheld', event, since })).toEndWith('so it did not fire');
  expect(guardChoiceText({ mode: 'mark', currencies: ['AUD'] })).toBe('Marked around HIGH events of AUD');
});
