import { describe, expect, test } from 'bun:test';
import fc from 'fast-check';
import {
  checkAlertLogic,
  checkAlertName,
  checkDestinations,
  MAX_ALERT_NAME,
} from '../../../../src/subjects/alerts/rules/alertRules.ts';
import { conditionsOf } from '../../../../src/subjects/conditions/rules/condition.ts';
import { builtInCatalog } from '../../../../src/market/indicators/rules/builtInCatalog.ts';

const catalog = builtInCatalog();
const condition = { lhs: 'last', op: '>', rhs: 1 };

describe('the name of an alert', () => {
  test.each([
    [undefined, null],
    [null, null],
    ['', null],
    ['  ', null],
    [' Breakout ', 'Breakout'],
    ['*bold* <b>_x_</b> [link](http://x)', '*bold* <b>_x_</b> [link](http://x)'],
    ['👩‍👩‍👧 Müller', '👩‍👩‍👧 Müller'],
    ['😀'.repeat(MAX_ALERT_NAME), '😀'.repeat(MAX_ALERT_NAME)],
  ])('is kept, number %#', (sent, kept) => expect(checkAlertName(sent)).toEqual({ ok: true, value: kept }));

  test.each([
    'x'.repeat(MAX_ALERT_NAME + 1),
    '😀'.repeat(MAX_ALERT_NAME + 1),
    'two\nlines',
    'a\u0007b',
    'a\u202eb',
    'a\u2028b',
    'a\ud800b',
    'x'.repeat(60_000),
    5,
    true,
    { name: 'x' },
  ])('what is no name is refused by its field, number %#', (sent) => {
    expect(checkAlertName(sent)).toMatchObject({ ok: false, error: { field: 'name' } });
  });

  test('is one line of well-formed text within the limit, whatever was sent', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 200 }), (sent) => {
        const checked = checkAlertName(sent);
        if (!checked.ok || checked.value === null) return;
        expect([...checked.value].length).toBeLessThanOrEqual(MAX_ALERT_NAME);
        expect(checked.value).toBe(checked.value.trim());
        expect(checked.value.isWellFormed()).toBe(true);
        expect(checked.value).not.toMatch(/[\p{Cc}\p{Zl}\p{Zp}]/u);
        expect(checkAlertName(checked.value)).toEqual(checked);
      }),
    );
  });
});

describe('the conditions of an alert', () => {
  test('are one at least and 20 at most, counted over groups', () => {
    const of = (...conditions: unknown[]) => checkAlertLogic(catalog, { op: 'AND', conditions });
    const many = (count: number) => Array.from({ length: count }, () => condition);
    expect(of(condition).ok).toBe(true);
    expect(of(...many(20)).ok).toBe(true);
    expect(of(...many(18), { op: 'OR', conditions: many(2) }).ok).toBe(true);
    expect(of()).toMatchObject({ error: { field: 'logic_json.conditions' } });
    expect(of(...many(21))).toMatchObject({ error: { message: 'An alert has at most 20 conditions.' } });
    expect(of(...many(18), { op: 'OR', conditions: many(3) }).ok).toBe(false);
    expect(of({ op: 'OR', conditions: [] }).ok).toBe(false);
  });

  test('are taken in one form, in which they are taken again, or refused with a sentence; never more than 20', () => {
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

describe('where an alert is sent', () => {
  const before = { telegram: true, discord: false, devices: [] };
  test.each([
    [undefined, before],
    [null, before],
    [{}, before],
    [{ discord: true }, { telegram: true, discord: true, devices: [] }],
    [
      { telegram: false, discord: false, devices: [] },
      { telegram: false, discord: false, devices: [] },
    ],
    [
      { telegram: false, email: true },
      { telegram: false, discord: false, devices: [] },
    ],
  ])('is as it was but for what is sent, number %#', (sent, chosen) => {
    expect(checkDestinations(sent, before)).toEqual({ ok: true, value: chosen });
    expect(before).toEqual({ telegram: true, discord: false, devices: [] });
  });

  test('is refused unless it is a switch a platform', () => {
    for (const sent of [[true], 'telegram', { telegram: 1 }, { discord: 'true' }]) {
      expect({ sent, ok: checkDestinations(sent, before).ok }).toEqual({ sent, ok: false });
    }
  });
});
