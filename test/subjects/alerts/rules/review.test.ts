import { describe, expect, test } from 'bun:test';
import { NOWHERE } from '../../../../src/subjects/alerts/rules/alert.ts';
import {
  joinedDestinations,
  reviewAlerts,
  type ReviewedAlert,
  type ReviewInput,
} from '../../../../src/subjects/alerts/rules/review/review.ts';
import { knownDays, noiseDays } from '../../../../src/subjects/alerts/rules/review/dayCounts.ts';

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

describe('an alert that never fires', () => {
  test('is told from the thirtieth day on, and not if it was changed or fired since', () => {
    expect(texts([anAlert({ lastFiredAt: null })])).toEqual(['Never fired since it was made on 28 Sept.']);
    expect(texts([anAlert({ lastFiredAt: ago(31) })])).toEqual([
      'Fired last on 27 Oct, and not once in the last 30 days.',
    ]);
    for (const change of [{ createdAt: ago(29), changedAt: ago(29) }, { changedAt: ago(3) }]) {
      expect(texts([anAlert({ lastFiredAt: null, ...change })])).toEqual([]);
    }
    expect(texts([anAlert({ lastFiredAt: ago(29) })])).toEqual([]);
  });

  test('is not told while most sessions were not seen', () => {
    expect(texts([anAlert({ lastFiredAt: null })], { hasSeenMost: false })).toEqual([]);
  });
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

  test('has no longer cooldown than four hours, and none where it fires once', () => {
    const daysOf = () => days(99);
    const raised = (change: Partial<ReviewedAlert>) => review([anAlert(change)], { daysOf })[0]?.cooldown?.to;
    expect(raised({ cooldownMinutes: 30 })).toBe(60);
    expect(raised({ cooldownMinutes: 240 })).toBeUndefined();
    expect(raised({ repeats: false })).toBeUndefined();
  });
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

  test('is gone is not told as silent besides', () => {
    const gone = { ...presence, missingSince: '2026-11-12', missingDays: 9 };
    expect(review([anAlert({ lastFiredAt: null })], { presenceOf: () => gone })).toHaveLength(1);
  });
});

test('an alert that never fired says if it is on only until the open', () => {
  const silent = anAlert({ lastFiredAt: null, isUntilOpen: true });
  expect(texts([silent])).toEqual([
    'Never fired since it was made on 28 Sept. It is on only until the open each day.',
  ]);
});

describe('alerts that are sent where nothing arrives', () => {
  const telegram = { telegram: true, discord: false, devices: [] };
  const own = [anAlert({ destinations: telegram }), anAlert({ id: 2, called: 'CBA', symbol: 'CBA' })];
  test.each([
    ['no chat', [], ['No Telegram chat is linked. One alert is sent there.']],
    [
      'a broken chat',
      [{ platform: 'telegram' as const, isConfirmed: true, brokenReason: 'The bot was blocked.' }],
      ['Your Telegram chat can’t be delivered to: The bot was blocked. One alert is sent there.'],
    ],
    [
      'one of two',
      [
        { platform: 'telegram' as const, isConfirmed: true, brokenReason: null },
        { platform: 'telegram' as const, isConfirmed: false, brokenReason: null },
      ],
      ['1 of your 2 Telegram chats waits to be confirmed. One alert is sent there.'],
    ],
    ['a chat that works', [{ platform: 'telegram' as const, isConfirmed: true, brokenReason: null }], []],
  ])('%s', (_, chats, told) => expect(texts(own, { places: { chats, devices: [] } })).toEqual(told));

  test('a device that takes nothing, and devices that are all gone', () => {
    const devices = [{ id: 7, name: 'Pixel', trouble: 'Its push service ended it.' }];
    const to = (chosen: 'all' | number[]) => [anAlert({ destinations: { ...NOWHERE, devices: chosen } })];
    expect(texts(to([7]), { places: { chats: [], devices } })).toEqual([
      'Pixel takes no messages: Its push service ended it. One alert is sent there.',
    ]);
    expect(texts(to([9]), { places: { chats: [], devices } })).toEqual([
      'No such device is registered. One alert is sent there.',
    ]);
    const works = [{ id: 7, name: 'Pixel', trouble: null }];
    expect(texts(to('all'), { places: { chats: [], devices: works } })).toEqual([]);
  });
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
