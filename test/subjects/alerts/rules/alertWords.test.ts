import { describe, expect, test } from 'bun:test';
import { alertLines } from '#subjects/alerts/rules/alertText.ts';
import { answerText, comparisonText, statusText } from '#subjects/alerts/rules/seenText.ts';
import { oftenText, periodText } from '#subjects/alerts/rules/backtest.ts';
import type { SeenCondition } from '#subjects/alerts/rules/trigger.ts';
import { watchTableOf } from '#subjects/alerts/rules/watchlist.ts';
import { STOCK_STATUSES } from '#market/rules/stock.ts';
import { alertState } from '#subjects/alerts/rules/alertState.ts';
import { expiredReason } from '#subjects/alerts/rules/expiry.ts';
import { WAITS_FOR_VALUE } from '#market/indicators/rules/valueLimits.ts';
import { outcomeText } from '#subjects/alerts/rules/manyAlerts.ts';
import { allOf, is, LAST } from '#support/conditions.ts';

const seen = (change: Partial<SeenCondition>): SeenCondition => ({
  left: { text: 'Volume', value: 120_400 },
  op: '>',
  right: { text: '500,000', value: 500_000 },
  holds: false,
  ...change,
});

describe('the text of a condition', () => {
  const price = (change: Partial<SeenCondition> = {}) =>
    seen({ left: { text: 'Last', value: 4.15 }, right: { text: '4.17', value: 4.17 }, ...change });
  const textOf = (condition: SeenCondition, isOnly = true) => {
    const { answer, text } = statusText(condition, isOnly);
    return `${answer}: ${text}`;
  };
  test('shows the value that it waits for', () => {
    expect(textOf(price())).toBe('Not yet: 4.15, waiting for 4.17');
    expect(textOf(price({ op: 'crosses_above' }))).toBe('Not yet: 4.15, waiting for 4.17');
    expect(textOf(price(), false)).toBe('Not yet: Last 4.15, waiting for 4.17');
  });
  test('shows the current value once it holds, and the comparison if there is no value to wait for', () => {
    expect(textOf(price({ left: { text: 'Last', value: 4.18 }, holds: true }))).toBe('Met: Last 4.18 > 4.17');
    expect(textOf(price({ op: '==' }))).toBe('Not yet: Last 4.15 = 4.17');
    expect(textOf(price({ left: { text: 'Last', value: null }, holds: null }))).toBe(
      'Not known: Last – > 4.17',
    );
  });
});

test.each([
  [seen({}), 'Volume 120,400 > 500,000', 'no'],
  [
    seen({
      left: { text: 'Last', value: 50.61, before: 50.48 },
      op: 'crosses_above',
      right: { text: '50.5', value: 50.5, before: 50.5 },
      holds: null,
    }),
    'Last 50.61 (before 50.48) crosses above 50.50',
    'unknown',
  ],
  [
    seen({ op: '<=', left: { text: 'Last', value: null }, right: { text: 'Open', value: 1.505 } }),
    'Last – ≤ open 1.505',
    'no',
  ],
] as const)('describes an evaluation condition by condition, number %#', (condition, words, answer) => {
  expect(comparisonText(condition)).toBe(words);
  expect(answerText(condition)).toBe(answer);
});

test('the description of an alert contains everything in which two versions can differ', () => {
  const alert = {
    name: 'Breakout',
    persistent: true,
    logic_json: allOf(is(LAST, '>', 50)),
    destinations: { telegram: true, discord: true, devices: [] },
    note: 'Sell half',
    expires_at: '2026-11-27T05:10:00.000Z',
    event_guard: { mode: 'mark' as const, currencies: ['AUD', 'USD', 'NZD'] },
    cooldown_minutes: 30,
    urgent: true,
    group: 'Miners',
    sound: 'knock' as const,
  };
  expect(alertLines(alert, null)).toEqual([
    'Name: Breakout',
    'Last above 50',
    'Repeats each time',
    'Sent to Telegram and Discord',
    'Note: Sell half',
    'Flagged near high-impact events of AUD, USD and NZD',
    'Quiet for 30 min after it fired',
    'Urgent',
    'Group: Miners',
    'Sound: Knock',
    'Expires 27 Nov 2026 16:10 Sydney',
  ]);
});

describe('the text of a backtest', () => {
  const run = {
    from: Date.parse('2026-11-15T23:00:00Z'),
    to: Date.parse('2026-11-20T05:00:00Z'),
    tradingDays: 5,
  };
  test.each([
    [0, 'Never in 5 trading days, 16 Nov to 20 Nov'],
    [1, 'Once in 5 trading days, 16 Nov to 20 Nov'],
    [1200, '1,200 times in 5 trading days, 16 Nov to 20 Nov'],
  ])('counts %d firings', (fired, words) => expect(periodText({ ...run, fired })).toBe(words));

  test('shows how often the alert fired, and is null if it never did', () => {
    expect(oftenText({ perDay: 2.4, busiestDay: 6 })).toBe('2.4 a day on average, 6 on the busiest day');
    expect(oftenText({ perDay: 0.004, busiestDay: 1 })).toBe(
      'Less than 0.1 a day on average, 1 on the busiest day',
    );
    expect(oftenText({ perDay: 0, busiestDay: 0 })).toBeNull();
  });
});

test('only a stock in the pre-open is in the Pre-open table', () => {
  const inPreOpen = STOCK_STATUSES.filter((status) => watchTableOf({ status }) === 'preOpen');
  expect(inPreOpen).toEqual(['Pre Open']);
  expect(watchTableOf(null)).toBe('trading');
});

test('the result of a bulk action covers all alerts, some with the reason for each, and none', () => {
  const late = 'You change your alerts too often. Try again in 20 seconds.';
  expect(outcomeText('off', 5, [])).toBe('5 alerts switched off.');
  expect(outcomeText('delete', 1, [])).toBe('1 alert deleted.');
  expect(
    outcomeText('off', 5, [
      { called: 'BHP Breakout', reason: late },
      { called: 'CBA', reason: 'Failed to toggle active' },
    ]),
  ).toBe(`3 of 5 switched off. 2 failed: BHP Breakout: ${late} CBA: Failed to toggle active.`);
  expect(
    outcomeText(
      'on',
      2,
      [late, late].map((reason, i) => ({ called: `A${i}`, reason })),
    ),
  ).toBe(`None of 2 switched on. 2 failed: A0 and A1: ${late}`);
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

  test('shows why an alert is not checked before it shows why it is quiet', () => {
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

  test('shows that it is checked only until the open, and when it is checked again', () => {
    expect(alertState({ ...plain, until_open: true }, 'pre-open')).toEqual({
      key: 'active',
      text: 'Active until the open',
      detail: 'It uses the opening auction, so it is not checked from the open until the next pre-open.',
    });
    expect(alertState({ ...plain, until_open: true, active: false }, 'open').text).toBe('Off');
    for (const phase of ['open', 'closed', 'adjust'] as const) {
      expect(alertState({ ...plain, until_open: true }, phase).text).toBe('Active from the next pre-open');
    }
  });

  test('is expired, stopped or off if the alert is inactive, whatever else applies', () => {
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
