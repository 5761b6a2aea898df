import { describe, expect, test } from 'bun:test';
import { NOWHERE } from '#subjects/alerts/rules/alert.ts';
import {
  joinedDestinations,
  reviewAlerts,
  type ReviewedAlert,
  type ReviewInput,
} from '#subjects/alerts/rules/review/review.ts';
import { knownDays, noiseDays } from '#subjects/alerts/rules/review/dayCounts.ts';
import type { Finding } from '#subjects/alerts/rules/review/finding.ts';
import { afterSession, type PresenceRow } from '#subjects/alerts/rules/review/presence.ts';
import { dueWeek, wasTold } from '#subjects/alerts/rules/review/weekTime.ts';
import { isWeeklyMessage, weeklyMessage } from '#subjects/alerts/rules/review/weeklyMessage.ts';

const NOW = Date.parse('2026-11-27T01:00:00Z');
const DAY = 24 * 3_600_000;
const ago = (days: number): number => NOW - days * DAY;

const anAlert = (change: Partial<ReviewedAlert> = {}): ReviewedAlert => ({
  of: 'alert',
  id: 1,
  called: 'BHP Breakout',
  symbol: 'BHP',
  repeats: true,
  createdAt: ago(60),
  changedAt: ago(60),
  lastFiredAt: ago(2),
  cooldownMinutes: 1,
  destinations: NOWHERE,
  isUntilOpen: false,
  says: `says ${change.id ?? 1}`,
  ...change,
});
const review = (alerts: readonly ReviewedAlert[], change: Partial<ReviewInput> = {}) =>
  reviewAlerts(
    {
      alerts,
      daysOf: () => [],
      presenceOf: () => null,
      places: { chats: [], devices: [] },
      hasSeenMost: true,
      kept: new Set(),
      ...change,
    },
    NOW,
  );
const texts = (...given: Parameters<typeof review>) => review(...given).map(({ text }) => text);
const days = (...fired: number[]) => {
  const all = noiseDays(NOW).slice(-fired.length);
  return fired.map((count, index) => ({ date: all[index]?.date ?? '', fired: count }));
};

test('an alert that never fires is told from the thirtieth day on, and not if it was changed or fired since', () => {
  expect(texts([anAlert({ lastFiredAt: null })])).toEqual(['Never fired since it was made on 28 Sept.']);
  expect(texts([anAlert({ lastFiredAt: ago(31) })])).toEqual([
    'Fired last on 27 Oct, and not once in the last 30 days.',
  ]);
  for (const change of [{ createdAt: ago(29), changedAt: ago(29) }, { changedAt: ago(3) }]) {
    expect(texts([anAlert({ lastFiredAt: null, ...change })])).toEqual([]);
  }
  expect(texts([anAlert({ lastFiredAt: ago(29) })])).toEqual([]);
});

describe('an alert that fires too often', () => {
  test('is told with its numbers, and the cooldown to raise it to', () => {
    const daysOf = () => days(3, 24, 61, 20, 30, 0, 44);
    expect(review([anAlert()], { daysOf })).toEqual([
      {
        key: 'noisy alert 1',
        kind: 'noisy',
        alerts: [{ of: 'alert', id: 1, called: 'BHP Breakout', symbol: 'BHP' }],
        text: 'Fired 24 to 61 times a day on 4 of the last 7 days.',
        presses: ['cooldown', 'pause', 'delete'],
        cooldown: { from: 1, to: 30 },
      },
    ]);
  });

  test.each([
    ['once', days(0, 0, 0, 0, 0, 0, 21), ['Fired 21 times on 27 Nov.']],
    ['as often each time', days(0, 0, 0, 0, 0, 25, 25), ['Fired 25 times a day on 2 of the last 7 days.']],
    [
      'of which the older days are not kept',
      days(300, 310),
      ['Fired 300 to 310 times a day on 2 of 2 days.'],
    ],
    ['no more than twenty times', days(20, 20, 20, 20, 20, 20, 20), []],
  ])('%s', (_, fired, told) => expect(texts([anAlert()], { daysOf: () => fired })).toEqual(told));
});

test('days are known in full unless what is beyond two hundred triggers may have gone', () => {
  const all = noiseDays(NOW);
  const known = (kept: number, oldest: number) =>
    knownDays(all, new Map(), { kept, oldest }, NOW).map(({ date }) => date);
  expect(all.map(({ date }) => date)).toHaveLength(7);
  expect(known(199, ago(3))).toHaveLength(7);
  expect(known(900, ago(3))).toEqual(['2026-11-25', '2026-11-26', '2026-11-27']);
  expect(knownDays(all, new Map([['2026-11-27', 5]]), null, NOW).at(-1)).toEqual({
    date: '2026-11-27',
    fired: 5,
  });
});

describe('an alert whose stock', () => {
  const presence = { missingSince: null, missingDays: 0, haltedSince: null, renamedTo: null };
  test.each([
    [
      'left the list',
      { missingSince: '2026-11-12', missingDays: 5 },
      ['BHP left the list of prices on 12 Nov and was not there on 5 trading days.'],
    ],
    ['was away for some days', { missingSince: '2026-11-24', missingDays: 4 }, []],
    [
      'was renamed',
      { missingSince: '2026-11-12', missingDays: 11, renamedTo: 'BHX' },
      ['BHP left the list of prices on 12 Nov. BHX has the same company name now.'],
    ],
    [
      'is halted for weeks',
      { haltedSince: '2026-11-13' },
      ['BHP has not traded since 13 Nov: halted or suspended for 14 days.'],
    ],
    ['is halted for some days', { haltedSince: '2026-11-14' }, []],
  ])('%s', (_, change, told) => {
    expect(texts([anAlert()], { presenceOf: () => ({ ...presence, ...change }) })).toEqual(told);
  });
});

describe('alerts that are sent where nothing arrives', () => {
  const telegram = { telegram: true, discord: false, devices: [] };
  const own = [anAlert({ destinations: telegram }), anAlert({ id: 2, called: 'CBA', symbol: 'CBA' })];
  const chat = (brokenReason: string | null = null, isConfirmed = true) => ({
    platform: 'telegram' as const,
    isConfirmed,
    brokenReason,
  });
  const sentence = {
    none: 'No Telegram chat is linked. One alert is sent there.',
    broken: 'Your Telegram chat can’t be delivered to: The bot was blocked. One alert is sent there.',
    waits: '1 of your 2 Telegram chats waits to be confirmed. One alert is sent there.',
  };
  test.each([
    ['no chat', [], [sentence.none]],
    ['a broken chat', [chat('The bot was blocked.')], [sentence.broken]],
    ['one of two', [chat(), chat(null, false)], [sentence.waits]],
    ['a chat that works', [chat()], []],
  ])('%s', (_, chats, told) => expect(texts(own, { places: { chats, devices: [] } })).toEqual(told));
});

test('alerts that say the same: the oldest stays, sent where any of them was', () => {
  const same = [3, 1, 2].map((id) => anAlert({ id, says: 'x', createdAt: ago(40 - id) }));
  const [found] = review([...same, anAlert({ id: 4, of: 'scan', says: 'x' })]);
  expect(found?.alerts.map(({ id }) => id)).toEqual([1, 2, 3]);
  expect(found?.text).toBe(
    '3 alerts say the same. Merged, the one made on 19 Oct stays and is also sent where the others are sent.',
  );
  expect(found?.presses).toEqual(['merge']);
  expect(
    joinedDestinations([
      { telegram: true, discord: false, devices: [1, 2] },
      { telegram: false, discord: false, devices: [2, 3] },
    ]),
  ).toEqual({ telegram: true, discord: false, devices: [1, 2, 3] });
  expect(joinedDestinations([NOWHERE, { ...NOWHERE, devices: 'all' }]).devices).toBe('all');
});

test('what its owner keeps is left out, and the worst comes first', () => {
  const gone = { missingSince: '2026-11-12', missingDays: 9, haltedSince: null, renamedTo: null };
  const alerts = [
    anAlert({ lastFiredAt: null }),
    anAlert({ id: 2, symbol: 'XYZ' }),
    anAlert({ id: 3, lastFiredAt: null }),
  ];
  const presenceOf = (symbol: string) => (symbol === 'XYZ' ? gone : null);
  expect(review(alerts, { presenceOf, kept: new Set(['silent alert 3']) }).map(({ key }) => key)).toEqual([
    'left alert 2',
    'silent alert 1',
  ]);
});

describe('when the review of a week is due', () => {
  test.each([
    ['2026-11-27T22:59:00Z', null],
    ['2026-11-27T23:00:00Z', '2026-11-28'],
    ['2026-11-29T12:59:00Z', '2026-11-28'],
    ['2026-11-29T13:01:00Z', null],
    // Standard time: an hour later by UTC.
    ['2026-06-26T23:59:00Z', null],
    ['2026-06-27T00:00:00Z', '2026-06-27'],
  ])('%s', (time, week) => expect(dueWeek(Date.parse(time))).toBe(week));

  test('it is told once, and a clock that was years ahead silences nothing', () => {
    expect(wasTold(null, '2026-11-28')).toBe(false);
    expect(wasTold('2026-11-21', '2026-11-28')).toBe(false);
    expect(wasTold('2026-11-28', '2026-11-28')).toBe(true);
    expect(wasTold('2026-12-05', '2026-11-28')).toBe(true);
    expect(wasTold('2029-12-01', '2026-11-28')).toBe(false);
  });
});

const silent = (id: number, of: 'alert' | 'scan' = 'alert'): Finding => ({
  key: `silent ${of} ${id}`,
  kind: 'silent',
  alerts: [{ of, id, called: `Alert ${id}`, symbol: null }],
  text: 'Never fired.',
  presses: ['pause', 'delete'],
  cooldown: null,
});

test('the message of a week names some, has a button for each of the first three, and leads to the page', () => {
  const message = weeklyMessage(
    Array.from({ length: 10 }, (_, id) => silent(id)),
    'https://x.au',
  );
  expect(message.title).toBe('10 things to look at among your alerts');
  expect(message.lines).toHaveLength(9);
  expect(message.lines.at(-1)).toBe('And 2 more.');
  expect(message.buttons.map(({ action, target, label }) => `${action} ${target} ${label}`)).toEqual([
    'off 0 Pause Alert 0',
    'off 1 Pause Alert 1',
    'off 2 Pause Alert 2',
  ]);
  expect(message.link?.url).toBe('https://x.au/#/watchlist/review');
  expect(isWeeklyMessage(message)).toBe(true);
});

describe('what is remembered of a stock', () => {
  const seen = { company: 'BHP GROUP', isHalted: false };
  const through = (...sessions: Parameters<typeof afterSession>[2][]): PresenceRow | null =>
    sessions.reduce<PresenceRow | null>(
      (before, one, day) => afterSession(before, 'BHP', one, `2026-11-0${day + 1}`),
      null,
    );

  test('counts the sessions in a row in which it was missing, and forgets them as it is back', () => {
    expect(through(seen, null, null)).toMatchObject({ missingSince: '2026-11-02', missingDays: 2 });
    expect(through(seen, null, seen)).toMatchObject({ missingSince: null, missingDays: 0 });
  });

  test('a stock that the source never had has not left it', () => {
    expect(through(null, null)).toMatchObject({ missingSince: null, missingDays: 0 });
  });

  test('is since when it is halted', () => {
    const halted = { ...seen, isHalted: true };
    expect(through(seen, halted, halted)?.haltedSince).toBe('2026-11-02');
    expect(through(halted, seen)?.haltedSince).toBeNull();
  });
});
