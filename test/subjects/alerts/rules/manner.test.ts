import { describe, expect, test } from 'bun:test';
import { checkCooldown } from '../../../../src/subjects/alerts/rules/cooldown.ts';
import { checkManner, PLAIN_MANNER } from '../../../../src/subjects/alerts/rules/manner.ts';

describe('how an alert behaves', () => {
  test('is as it was but for what is sent', () => {
    const before = { urgent: true, group: 'Miners', sound: 'knock' as const };
    expect(checkManner({}, before)).toEqual({ ok: true, value: before });
    expect(checkManner({ group: ' Banks ', sound: null }, before)).toEqual({
      ok: true,
      value: { urgent: true, group: 'Banks', sound: null },
    });
    expect(checkManner({ group: null, urgent: false }, before)).toMatchObject({
      value: { urgent: false, group: null },
    });
    expect(checkManner({ group: '😀'.repeat(30) }, before).ok).toBe(true);
  });

  test.each([
    [{ urgent: 'yes' }, 'urgent'],
    [{ group: 'x'.repeat(31) }, 'group'],
    [{ group: 'a\nb' }, 'group'],
    [{ group: 7 }, 'group'],
    [{ sound: 'trumpet' }, 'sound'],
  ])('%j is refused by its member', (sent, field) => {
    const checked = checkManner(sent, PLAIN_MANNER);
    expect(checked.ok ? null : checked.error.field).toBe(field);
  });
});

test.each([
  [1, true],
  [390, true],
  [0, false],
  [391, false],
  [1.5, false],
  ['5', false],
  [null, false],
])('a cooldown of %p minutes', (minutes, isTaken) => expect(checkCooldown(minutes).ok).toBe(isTaken));
