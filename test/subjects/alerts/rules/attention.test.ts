import { describe, expect, test } from 'bun:test';
import { joinedDestinations, NOWHERE } from '#subjects/alerts/rules/alert.ts';
import {
  afterSession,
  type AttentionInput,
  type CheckedAlert,
  dueWeek,
  isWeeklyMessage,
  knownDays,
  needsAttention,
  noiseDays,
  type PresenceRow,
  wasNotified,
  weeklyMessage,
} from '#subjects/alerts/rules/attention.ts';

const NOW = Date.parse('2026-11-27T01:00:00Z');
const DAY = 24 * 3_600_000;

const anAlert = (change: Partial<CheckedAlert> = {}): CheckedAlert => ({
  of: 'alert',
  id: 1,
  called: 'BHP Breakout',
  symbol: 'BHP',
  repeats: true,
  cooldownMinutes: 1,
  destinations: NOWHERE,
  behaviour: `says ${change.id ?? 1}`,
  ...change,
});
const check = (alerts: readonly CheckedAlert[], change: Partial<AttentionInput> = {}) =>
  needsAttention(
    {
      alerts,
      daysOf: () => [],
      presenceOf: () => null,
      places: { chats: [], devices: [] },
      dismissed: new Set(),
      ...change,
    },
    NOW,
  );
const texts = (...given: Parameters<typeof check>) => check(...given).map(({ text }) => text);
const days = (...fired: number[]) => {
  const all = noiseDays(NOW).slice(-fired.length);
  return fired.map((count, index) => ({ date: all[index]?.date ?? '', fired: count }));
};

test('an alert without a reason needs no attention', () => expect(check([anAlert()])).toEqual([]));

describe('an alert that fires too often', () => {
  const daysOf = () => days(3, 24, 61, 20, 30, 0, 44);
  test('needs attention, with its numbers and a suggested cooldown', () => {
    expect(check([anAlert()], { daysOf })).toEqual([
      {
        key: 'noisy alert 1',
        kind: 'noisy',
        of: 'alert',
        id: 1,
        called: 'BHP Breakout',
        text: 'Fires too often: 24 to 61 times a day on 4 of the last 7 days.',
        cooldown: 30,
        duplicateOf: null,
      },
    ]);
  });

  test.each([
    ['gets the next longer cooldown as a suggestion', { cooldownMinutes: 30 }, 60],
    ['gets no suggestion at the longest cooldown', { cooldownMinutes: 240 }, null],
    ['gets no suggestion if it fires only once', { repeats: false }, null],
  ])('%s', (_, change, cooldown) =>
    expect(check([anAlert(change)], { daysOf })).toMatchObject([{ cooldown }]),
  );

  test.each([
    ['is listed for one busy day', days(0, 0, 0, 0, 0, 0, 21), ['Fires too often: 21 times on 27 Nov.']],
    [
      'is listed for several equally busy days',
      days(0, 0, 0, 0, 0, 25, 25),
      ['Fires too often: 25 times a day on 2 of the last 7 days.'],
    ],
    [
      'is listed with only the known days',
      days(300, 310),
      ['Fires too often: 300 to 310 times a day on 2 of 2 days.'],
    ],
    ['is not listed up to twenty times per day', days(20, 20, 20, 20, 20, 20, 20), []],
  ])('%s', (_, fired, notified) => expect(texts([anAlert()], { daysOf: () => fired })).toEqual(notified));
});

test('all days are known unless triggers beyond two hundred may have been deleted', () => {
  const all = noiseDays(NOW);
  const known = (kept: number) =>
    knownDays(all, new Map(), { kept, oldest: NOW - 3 * DAY }, NOW).map(({ date }) => date);
  expect(all).toHaveLength(7);
  expect(known(199)).toHaveLength(7);
  expect(known(900)).toEqual(['2026-11-25', '2026-11-26', '2026-11-27']);
  expect(knownDays(all, new Map([['2026-11-27', 5]]), null, NOW).at(-1)).toEqual({
    date: '2026-11-27',
    fired: 5,
  });
});

const presence = { missingSince: null, missingDays: 0, haltedSince: null, renamedTo: null };
test.each([
  [
    'left the list needs attention',
    { missingSince: '2026-11-12', missingDays: 5 },
    ['No longer listed since 12 Nov, for 5 trading days.'],
  ],
  ['was missing for some days does not', { missingSince: '2026-11-24', missingDays: 4 }, []],
  [
    'was renamed needs attention with the new code',
    { missingSince: '2026-11-12', missingDays: 11, renamedTo: 'BHX' },
    ['No longer listed since 12 Nov. BHX now has the same company name.'],
  ],
  [
    'is halted for weeks needs attention',
    { haltedSince: '2026-11-13' },
    ['Halted or suspended for 14 days, since 13 Nov.'],
  ],
  ['is halted for some days does not', { haltedSince: '2026-11-14' }, []],
])('an alert whose stock %s', (_, change, notified) => {
  expect(texts([anAlert()], { presenceOf: () => ({ ...presence, ...change }) })).toEqual(notified);
});

describe('alerts with a broken destination', () => {
  const telegram = { telegram: true, discord: false, devices: [] };
  const own = [anAlert({ destinations: telegram }), anAlert({ id: 2, called: 'CBA', symbol: 'CBA' })];
  const chat = (brokenReason: string | null = null, isConfirmed = true) => ({
    platform: 'telegram' as const,
    isConfirmed,
    brokenReason,
  });
  test.each([
    ['are listed if there is no chat', [], ['Not delivered to Telegram: no chat is linked.']],
    [
      'are listed for a broken chat',
      [chat('The bot was blocked.')],
      ['Not delivered to your Telegram chat: The bot was blocked.'],
    ],
    [
      'are listed for one of two chats',
      [chat(), chat(null, false)],
      ['Not delivered to 1 of your 2 Telegram chats: not confirmed yet.'],
    ],
    ['are not listed for a working chat', [chat()], []],
  ])('%s', (_, chats, notified) => expect(texts(own, { places: { chats, devices: [] } })).toEqual(notified));

  test.each([
    ['name a failing device', [7], 'Not delivered to Pixel: Allow notifications on it again in Settings.'],
    ['name a removed device', [8], 'Not delivered to devices: none is registered.'],
  ])('%s', (_, devices, text) => {
    const places = {
      chats: [],
      devices: [{ id: 7, name: 'Pixel', trouble: 'Allow notifications on it again in Settings.' }],
    };
    expect(texts([anAlert({ destinations: { ...NOWHERE, devices } })], { places })).toEqual([text]);
  });

  test('are dismissed one at a time', () => {
    const both = own.map((alert) => ({ ...alert, destinations: telegram }));
    const keys = (...dismissed: string[]) =>
      check(both, { dismissed: new Set(dismissed) }).map(({ key }) => key);
    expect(keys()).toEqual(['broken telegram alert 1', 'broken telegram alert 2']);
    expect(keys('broken telegram alert 1')).toEqual(['broken telegram alert 2']);
  });
});

test('every duplicate but the oldest needs attention; a merge keeps all destinations', () => {
  const same = [3, 1, 2].map((id) => anAlert({ id, behaviour: 'x' }));
  expect(check([...same, anAlert({ id: 4, of: 'scan', behaviour: 'x' })])).toMatchObject(
    [2, 3].map((id) => ({
      id,
      key: `double alert 1, alert ${id}`,
      text: 'Duplicate of the older alert BHP Breakout.',
      duplicateOf: 1,
    })),
  );
  expect(
    joinedDestinations([
      { telegram: true, discord: false, devices: [1, 2] },
      { telegram: false, discord: false, devices: [2, 3] },
    ]),
  ).toEqual({ telegram: true, discord: false, devices: [1, 2, 3] });
  expect(joinedDestinations([NOWHERE, { ...NOWHERE, devices: 'all' }]).devices).toBe('all');
});

test('dismissed findings are left out, and the worst come first', () => {
  const gone = { missingSince: '2026-11-12', missingDays: 9, haltedSince: null, renamedTo: null };
  const keys = check([anAlert(), anAlert({ id: 2, symbol: 'XYZ' }), anAlert({ id: 3 })], {
    presenceOf: (symbol) => (symbol === 'XYZ' ? gone : null),
    daysOf: () => days(30),
    dismissed: new Set(['noisy alert 3']),
  }).map(({ key }) => key);
  expect(keys).toEqual(['left alert 2', 'noisy alert 1', 'noisy alert 2']);
});

describe('the time of the weekly message', () => {
  test.each([
    ['2026-11-27T22:59:00Z', null],
    ['2026-11-27T23:00:00Z', '2026-11-28'],
    ['2026-11-29T12:59:00Z', '2026-11-28'],
    ['2026-11-29T13:01:00Z', null],
    // Standard time: an hour later in UTC.
    ['2026-06-26T23:59:00Z', null],
    ['2026-06-27T00:00:00Z', '2026-06-27'],
  ])('%s', (time, week) => expect(dueWeek(Date.parse(time))).toBe(week));

  test('is sent once, and survives a clock that was years ahead', () => {
    expect(wasNotified(null, '2026-11-28')).toBe(false);
    expect(wasNotified('2026-11-21', '2026-11-28')).toBe(false);
    expect(wasNotified('2026-11-28', '2026-11-28')).toBe(true);
    expect(wasNotified('2026-12-05', '2026-11-28')).toBe(true);
    expect(wasNotified('2029-12-01', '2026-11-28')).toBe(false);
  });
});

const noisy = (ids: readonly number[]) =>
  check(
    ids.map((id) => anAlert({ id, called: `Alert ${id}` })),
    { daysOf: ({ id }) => days(21 + id) },
  );

test('the weekly message lists some alerts, has a button for each of the first three, and links to the filter', () => {
  const message = weeklyMessage(noisy([0, 1, 2, 3, 4, 5, 6, 7, 8, 9]), 'https://x.au');
  expect(message.title).toBe('10 alerts need attention');
  expect(message.lines).toHaveLength(9);
  expect(message.lines[0]).toBe('Alert 0: Fires too often: 21 times on 27 Nov.');
  expect(message.lines.at(-1)).toBe('And 2 more.');
  expect(message.buttons.map(({ action, target, label }) => `${action} ${target} ${label}`)).toEqual([
    'off 0 Pause Alert 0',
    'off 1 Pause Alert 1',
    'off 2 Pause Alert 2',
  ]);
  expect(message.link?.url).toBe('https://x.au/#/watchlist/alerts/attention');
  expect(isWeeklyMessage(message)).toBe(true);
});

test('the weekly message has one line for alerts with the same reason, and one button for each alert', () => {
  const destinations = { telegram: true, discord: true, devices: [] };
  const two = [1, 2].map((id) => anAlert({ id, called: `Alert ${id}`, destinations }));
  const message = weeklyMessage(check(two), null);
  expect(message.title).toBe('2 alerts need attention');
  expect(message.lines).toEqual([
    'Alert 1 and Alert 2: Not delivered to Telegram: no chat is linked.',
    'Alert 1 and Alert 2: Not delivered to Discord: no chat is linked.',
  ]);
  expect(message.buttons).toHaveLength(2);
});

describe('the memory of a stock', () => {
  const seen = { company: 'BHP GROUP', isHalted: false };
  const through = (...sessions: Parameters<typeof afterSession>[2][]): PresenceRow | null =>
    sessions.reduce<PresenceRow | null>(
      (before, one, day) => afterSession(before, 'BHP', one, `2026-11-0${day + 1}`),
      null,
    );

  test('counts consecutive sessions without the stock, and resets when it returns', () => {
    expect(through(seen, null, null)).toMatchObject({ missingSince: '2026-11-02', missingDays: 2 });
    expect(through(seen, null, seen)).toMatchObject({ missingSince: null, missingDays: 0 });
  });

  test('does not count a stock that the source never had as removed', () => {
    expect(through(null, null)).toMatchObject({ missingSince: null, missingDays: 0 });
  });

  test('keeps the date since which the stock is halted', () => {
    const halted = { ...seen, isHalted: true };
    expect(through(seen, halted, halted)?.haltedSince).toBe('2026-11-02');
    expect(through(halted, seen)?.haltedSince).toBeNull();
  });
});
