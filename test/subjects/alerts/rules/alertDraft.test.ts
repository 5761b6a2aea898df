import { describe, expect, test } from 'bun:test';
import {
  type AlertDraft,
  draftOfAlert,
  hasWholeConditions,
  payloadKey,
  payloadOf,
} from '#subjects/alerts/rules/alertDraft.ts';
import type { Logic } from '#subjects/conditions/rules/condition.ts';
import { NOWHERE } from '#subjects/alerts/rules/alert.ts';
import { crossingAt, stepsFrom } from '#subjects/alerts/rules/crossingAt.ts';
import { allOf, is, LAST } from '#support/conditions.ts';

const logic = allOf(is(LAST, '>', 50));
const PLAIN = { urgent: false, group: null, sound: null } as const;
const SAVED_PLAIN = { ...PLAIN, cooldown_minutes: 1 };
const whole = (id: number, value: number) => ({ id, ...is(LAST, '>', value) });
const draft = (change: Partial<AlertDraft> = {}): AlertDraft => ({
  name: 'Breakout',
  active: true,
  persistent: false,
  destinations: NOWHERE,
  conditions: [whole(0, 50)],
  note: null,
  expires_at: null,
  event_guard: null,
  ...SAVED_PLAIN,
  ...change,
});

describe('the payload of a draft', () => {
  test('has the typed values, the name trimmed, and null for an empty name', () => {
    expect(payloadOf(draft({ name: '  Breakout ' }), null)).toEqual({
      name: 'Breakout',
      persistent: false,
      logic_json: logic,
      destinations: NOWHERE,
      note: null,
      expires_at: null,
      event_guard: null,
      ...SAVED_PLAIN,
    });
    expect(payloadOf(draft({ group: ' Miners ' }), null)?.group).toBe('Miners');
    expect(payloadOf(draft({ group: ' ' }), null)?.group).toBeNull();
    expect(payloadOf(draft({ note: ' Sell half ' }), null)?.note).toBe('Sell half');
    expect(payloadOf(draft({ name: '  ' }), null)?.name).toBeNull();
  });

  test.each([
    ['no condition', []],
    ['a missing number', [whole(0, Number.NaN)]],
    ['an incomplete condition after a complete one', [whole(0, 1), whole(1, Number.NaN)]],
    ['too many conditions', Array.from({ length: 21 }, (_, id) => whole(id, id))],
  ])('is null for a new alert with %s, and keeps the conditions of a saved one', (_, conditions) => {
    expect(hasWholeConditions({ conditions })).toBe(false);
    expect(payloadOf(draft({ conditions }), null)).toBeNull();
    expect(payloadOf(draft({ conditions, name: 'Other' }), logic)).toMatchObject({
      name: 'Other',
      logic_json: logic,
    });
  });

  test('is the same after saving and reopening', () => {
    const more = {
      note: null,
      expires_at: '2026-11-27T05:10:00.000Z',
      event_guard: { mode: 'mark' as const, currencies: ['AUD', 'USD'] },
      cooldown_minutes: 30,
      urgent: true,
      group: 'Miners',
      sound: 'knock' as const,
    };
    const saved = {
      name: null,
      active: false,
      persistent: true,
      logic_json: logic,
      destinations: NOWHERE,
      ...more,
    };
    const opened = draftOfAlert(saved);
    expect(opened).toMatchObject({ name: null, active: false, persistent: true });
    expect(payloadOf(opened, null)).toEqual({
      name: null,
      persistent: true,
      logic_json: logic,
      destinations: NOWHERE,
      ...more,
    });
  });
});

test('equal payloads have the same key, whatever the order of their members', () => {
  const more = { note: null, expires_at: null, event_guard: null, ...SAVED_PLAIN };
  const one = { name: null, persistent: false, logic_json: logic, destinations: NOWHERE, ...more };
  const turned = {
    ...one,
    logic_json: {
      conditions: [{ rhs: { value: 50, type: 'number' }, op: '>', lhs: { key: 'last', type: 'field' } }],
      op: 'AND',
    } as Logic,
    destinations: { devices: [], discord: false, telegram: false },
  };
  expect(payloadKey(turned)).toBe(payloadKey(one));
  const filtered = { ...one, event_guard: { mode: 'mark' as const, currencies: ['AUD', 'USD'] } };
  const swapped = { ...one, event_guard: { mode: 'mark' as const, currencies: ['USD', 'AUD'] } };
  expect(payloadKey(filtered)).toBe(payloadKey(swapped));
  expect(payloadKey(filtered)).not.toBe(payloadKey(one));
  const elsewhere = { telegram: true, discord: false, devices: [] };
  for (const other of [{ cooldown_minutes: 5 }, { sound: 'bell' as const }, { destinations: elsewhere }]) {
    expect(payloadKey({ ...one, ...other })).not.toBe(payloadKey(one));
  }
});

test.each([
  [46.2537, 46.2, 46.25, '>='],
  [46.1449, 46.2, 46.14, '<='],
  [46.1961, 46.2, 46.2, '>='],
  [0.04261, 0.04, 0.043, '>='],
  [0.0001, 0.002, 0.001, '<='],
] as const)('a click at %d with the price at %d sets an alert at %d: %s', (at, current, price, op) => {
  expect(crossingAt(at, current)).toEqual({ price, op });
});

test.each([
  [46.2, 1, 46.21],
  [1.995, 1, 2],
  [2, -1, 1.995],
  [0.1, -10, 0.09],
  [0.002, -5, 0.001],
])('from %d by %d steps is %d', (price, steps, expected) => {
  expect(stepsFrom(price, steps)).toBe(expected);
});
