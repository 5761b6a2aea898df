import { describe, expect, test } from 'bun:test';
import { alertState, WAITS_FOR_VALUE } from '../../../../src/subjects/alerts/rules/alertState.ts';
import { expiredReason } from '../../../../src/subjects/alerts/rules/expiry.ts';
import { namedFew, outcomeText } from '../../../../src/subjects/alerts/rules/manyAlerts.ts';

describe('what became of an action with several alerts', () => {
  test('is said of all, of some with the reason of each, and of none', () => {
    const late = 'You change your alerts too often. Try again in 20 seconds.';
    expect(outcomeText('off', 5, [])).toBe('5 alerts switched off.');
    expect(outcomeText('delete', 1, [])).toBe('1 alert deleted.');
    expect(
      outcomeText('off', 5, [
        { called: 'BHP Breakout', reason: late },
        { called: 'CBA', reason: 'Failed to toggle active' },
      ]),
    ).toBe(`3 of 5 switched off. 2 could not be: BHP Breakout: ${late} CBA: Failed to toggle active.`);
    expect(
      outcomeText(
        'on',
        2,
        [late, late].map((reason, i) => ({ called: `A${i}`, reason })),
      ),
    ).toBe(`None of 2 switched on. 2 could not be: A0 and A1: ${late}`);
  });

  test('names a few and counts the others', () => {
    expect(namedFew(['A'])).toBe('A');
    expect(namedFew(['A', 'B'])).toBe('A and B');
    expect(namedFew(['A', 'B', 'C'])).toBe('A, B and C');
    expect(namedFew(['A', 'B', 'C', 'D', 'E'])).toBe('A, B, C and 2 more');
  });
});

describe('the state of an alert', () => {
  const plain = {
    active: true,
    snoozed_until: null,
    stopped_reason: null,
    expires_at: null,
    problem: null,
    until_open: false,
  };
  const end = '2026-11-27T05:10:00.000Z';

  test('tells what keeps it from being looked at before what keeps it quiet', () => {
    expect(alertState(plain, 'open')).toEqual({ key: 'active', text: 'Active', detail: null });
    const snoozed = { ...plain, snoozed_until: '2026-11-27T03:30:00.000Z' };
    expect(alertState(snoozed, 'open').text).toBe('Snoozed until 14:30');
    const waits = `${WAITS_FOR_VALUE}RSI 14 (1 h) is waiting for a value.`;
    expect(alertState({ ...snoozed, problem: waits }, 'open')).toMatchObject({
      text: 'Waiting for a value',
      detail: waits,
    });
    const gone = 'Your scan "Movers" does not exist any more.';
    expect(alertState({ ...snoozed, problem: gone }, 'open')).toMatchObject({
      text: 'Not checked',
      detail: gone,
    });
  });

  test('says until when it is looked at where that is the open, and from when after it', () => {
    expect(alertState({ ...plain, until_open: true }, 'pre-open')).toEqual({
      key: 'active',
      text: 'Active until the open',
      detail: 'It reads the opening auction, so it is not checked from the open until the next pre-open.',
    });
    expect(alertState({ ...plain, until_open: true, active: false }, 'open').text).toBe('Off');
    for (const phase of ['open', 'closed', 'adjust'] as const) {
      expect(alertState({ ...plain, until_open: true }, phase).text).toBe('Active from the next pre-open');
    }
  });

  test('that is off is expired, stopped or simply off, whatever else is said of it', () => {
    const off = { ...plain, active: false, problem: 'Gone.', snoozed_until: end };
    expect(alertState(off, 'open')).toEqual({ key: 'off', text: 'Off', detail: null });
    const reason = expiredReason(Date.parse(end));
    expect(alertState({ ...off, expires_at: end, stopped_reason: reason }, 'open')).toMatchObject({
      key: 'expired',
      detail: reason,
    });
    expect(alertState({ ...off, expires_at: end, stopped_reason: 'It fired 15 times.' }, 'open').key).toBe(
      'stopped',
    );
  });
});
