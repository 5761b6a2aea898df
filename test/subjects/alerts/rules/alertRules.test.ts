import fc from 'fast-check';
import { describe, expect, test } from 'bun:test';
import { checkAlertLogic, checkDestinations } from '#subjects/alerts/rules/alertRules.ts';
import { conditionsOf } from '#subjects/conditions/rules/condition.ts';
import { builtInCatalog } from '#market/indicators/rules/metainfo.ts';
import { checkExpiry } from '#subjects/alerts/rules/expiry.ts';
import { checkSnooze } from '#subjects/alerts/rules/alert.ts';
import { MAX_ALERT_NAME, SCAN_OPTIONS, STOCK_OPTIONS } from '#subjects/alerts/answers/options.ts';
import { checkEventFilter, eventNow } from '#subjects/alerts/rules/eventFilter.ts';
import { guardingEvents } from '#subjects/calendar/rules/events.ts';
import { aCalendarEvent } from '#support/aCalendarEvent.ts';

const catalog = builtInCatalog();
const checkName = (sent: unknown) => STOCK_OPTIONS.name.check(sent, 0);
const checkNote = (sent: unknown) => STOCK_OPTIONS.note.check(sent, 0);
const condition = { lhs: 'last', op: '>', rhs: 1 };

describe('the name of an alert', () => {
  test.each([
    [undefined, null],
    ['  ', null],
    [' Breakout ', 'Breakout'],
    ['*bold* <b>_x_</b> [link](http://x)', '*bold* <b>_x_</b> [link](http://x)'],
    ['👩‍👩‍👧 Müller', '👩‍👩‍👧 Müller'],
    ['😀'.repeat(MAX_ALERT_NAME), '😀'.repeat(MAX_ALERT_NAME)],
  ])('is accepted, number %#', (sent, kept) => expect(checkName(sent)).toEqual({ ok: true, value: kept }));

  test.each([
    'x'.repeat(MAX_ALERT_NAME + 1),
    '😀'.repeat(MAX_ALERT_NAME + 1),
    'two\nlines',
    'a\u0007b',
    'a\u202eb',
    'a\ud800b',
    5,
  ])('an invalid name is refused with its field, number %#', (sent) => {
    expect(checkName(sent)).toMatchObject({ ok: false, error: { field: 'name' } });
  });

  test('becomes one line of well-formed text within the limit, for any input', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 200 }), (sent) => {
        const checked = checkName(sent);
        if (!checked.ok || checked.value === null) return;
        expect([...checked.value].length).toBeLessThanOrEqual(MAX_ALERT_NAME);
        expect(checked.value).toBe(checked.value.trim());
        expect(checked.value.isWellFormed()).toBe(true);
        expect(checked.value).not.toMatch(/[\p{Cc}\p{Zl}\p{Zp}]/u);
        expect(checkName(checked.value)).toEqual(checked);
      }),
    );
  });
});

describe('the conditions of an alert', () => {
  test('number 1 to 20, including those in groups', () => {
    const of = (...conditions: unknown[]) => checkAlertLogic(catalog, { op: 'AND', conditions });
    const many = (count: number) => Array.from({ length: count }, () => condition);
    expect(of(condition).ok).toBe(true);
    expect(of(...many(20)).ok).toBe(true);
    expect(of(...many(18), { op: 'OR', conditions: many(2) }).ok).toBe(true);
    expect(of()).toMatchObject({ error: { field: 'logic_json.conditions' } });
    expect(of(...many(21))).toMatchObject({ error: { message: 'An alert can have at most 20 conditions.' } });
    expect(of(...many(18), { op: 'OR', conditions: many(3) }).ok).toBe(false);
    expect(of({ op: 'OR', conditions: [] }).ok).toBe(false);
  });

  test('are normalised or refused with a message, for any input; never more than 20', () => {
    fc.assert(
      fc.property(fc.jsonValue({ maxDepth: 5 }), fc.boolean(), (sent, isList) => {
        const checked = checkAlertLogic(
          catalog,
          isList ? { op: 'AND', conditions: [sent, condition] } : sent,
        );
        if (!checked.ok) {
          expect(checked.error.message).toMatch(/^[A-Z].*\.$/);
          expect(checked.error.field).toStartWith('logic_json');
          return;
        }
        expect(conditionsOf(checked.value).length).toBeLessThanOrEqual(20);
        expect(checkAlertLogic(catalog, checked.value)).toEqual(checked);
      }),
    );
  });
});

describe('the destinations of an alert', () => {
  const before = { telegram: true, discord: false, devices: [] };
  test.each([
    [undefined, before],
    [{}, before],
    [{ discord: true }, { telegram: true, discord: true, devices: [] }],
    [
      { telegram: false, discord: false, devices: [] },
      { telegram: false, discord: false, devices: [] },
    ],
  ])('keep the values that were not sent, number %#', (sent, chosen) => {
    expect(checkDestinations(sent, before)).toEqual({ ok: true, value: chosen });
    expect(before).toEqual({ telegram: true, discord: false, devices: [] });
  });

  test('are refused unless each platform has a boolean', () => {
    for (const sent of [[true], 'telegram', { telegram: 1 }, { discord: 'true' }]) {
      expect({ sent, ok: checkDestinations(sent, before).ok }).toEqual({ sent, ok: false });
    }
  });
});

const NOW = Date.parse('2026-11-16T00:00:00Z');

test('an alert expires at a future time or never', () => {
  expect(checkExpiry(undefined, NOW)).toEqual({ ok: true, value: null });
  expect(checkExpiry(null, NOW)).toEqual({ ok: true, value: null });
  const at = Date.parse('2026-11-27T05:10:00Z');
  expect(checkExpiry('2026-11-27T16:10:00+11:00', NOW)).toEqual({ ok: true, value: at });
  expect(checkExpiry('2026-11-27T05:10Z', NOW)).toEqual({ ok: true, value: at });
  for (const sent of [
    '2026-11-27',
    '2026-11-27T16:10',
    at,
    '2026-11-16T00:00:00Z',
    '2030-01-01T00:00:00Z',
    '2026-13-27T16:10:00Z',
  ]) {
    expect(checkExpiry(sent, NOW)).toMatchObject({ ok: false, error: { field: 'expires_at' } });
  }
});

test('an alert can be snoozed for at most a day', () => {
  expect(checkSnooze(null, NOW)).toEqual({ ok: true, value: null });
  expect(checkSnooze('2026-11-16T01:00:00Z', NOW)).toEqual({ ok: true, value: NOW + 3_600_000 });
  for (const sent of ['2026-11-15T23:00:00Z', '2026-11-17T00:00:01Z', 'soon', 5]) {
    expect(checkSnooze(sent, NOW)).toMatchObject({ ok: false, error: { field: 'snoozed_until' } });
  }
});

test('a note is one line of at most 160 characters', () => {
  expect(checkNote('  Sell half  ')).toEqual({ ok: true, value: 'Sell half' });
  expect(checkNote(' ')).toEqual({ ok: true, value: null });
  expect(checkNote('😀'.repeat(160))).toMatchObject({ ok: true });
  for (const sent of ['x'.repeat(161), '😀'.repeat(161), 'two\nlines', 5]) {
    expect(checkNote(sent)).toMatchObject({ ok: false, error: { field: 'note' } });
  }
});

test.each([
  ['urgent', 'yes'],
  ['urgent', null],
  ['group', 'x'.repeat(31)],
  ['group', 'a\nb'],
  ['group', 7],
  ['sound', 'trumpet'],
] as const)('%s is not %j', (name, sent) => {
  for (const options of [STOCK_OPTIONS, SCAN_OPTIONS]) {
    expect(options[name].check(sent, 0)).toMatchObject({ ok: false, error: { field: name } });
  }
});

test.each([
  ['urgent', true, true],
  ['group', ' Banks ', 'Banks'],
  ['group', '😀'.repeat(30), '😀'.repeat(30)],
  ['group', null, null],
  ['sound', null, null],
  ['sound', 'knock', 'knock'],
] as const)('%s may be %j', (name, sent, value) => {
  expect(SCAN_OPTIONS[name].check(sent, 0)).toEqual({ ok: true, value: value as never });
});

test.each([
  [1, true],
  [390, true],
  [0, false],
  [391, false],
  [1.5, false],
  ['5', false],
  [null, false],
])('a cooldown of %p minutes is valid: %p', (minutes, isTaken) =>
  expect(STOCK_OPTIONS.cooldownMinutes.check(minutes, 0).ok).toBe(isTaken),
);

const AT = Date.parse('2026-01-20T00:30:00Z');
const event = { name: 'Employment Change', currency: 'AUD', at: AT };

describe('the event filter of an alert', () => {
  test.each([
    [null, null],
    [undefined, null],
    [{ mode: 'mark' }, { mode: 'mark', currencies: ['AUD', 'USD'] }],
    [
      { mode: 'mark', currencies: ['USD', 'AUD', 'USD'] },
      { mode: 'mark', currencies: ['AUD', 'USD'] },
    ],
  ])('%j is read as %j', (sent, value) => {
    expect(checkEventFilter(sent)).toEqual({ ok: true, value: value as never });
  });

  test.each([
    ['a word', 'hold', 'event_guard'],
    ['another mode', { mode: 'skip' }, 'event_guard'],
    ['no currency', { mode: 'mark', currencies: [] }, 'event_guard.currencies'],
    [
      'a currency that is not offered',
      { mode: 'mark', currencies: ['AUD', 'XXX'] },
      'event_guard.currencies',
    ],
  ])('%s is refused', (_, sent, field) => {
    expect(checkEventFilter(sent)).toMatchObject({ ok: false, error: { field } });
  });
});

describe('the event in an alert’s message', () => {
  const at = (minutes: number, members = {}) =>
    aCalendarEvent({ dateUtc: new Date(AT + minutes * 60_000).toISOString(), ...members });

  test('has HIGH impact and a time, and is at most five minutes away, both ends included', () => {
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

  test('is the nearest one of the chosen currencies', () => {
    const events = [
      { ...event, name: 'far', at: AT + 240_000 },
      { ...event, name: 'near', at: AT - 60_000 },
      { ...event, name: 'other', currency: 'USD' },
    ];
    const nameFor = (...currencies: string[]) =>
      eventNow({ mode: 'mark', currencies }, { guarding: () => events, now: () => AT })?.name;
    expect(nameFor('AUD')).toBe('near');
    expect(nameFor('AUD', 'USD')).toBe('other');
    expect(nameFor('NZD')).toBeUndefined();
  });
});
