import { describe, expect, test } from 'bun:test';
import {
  callDay,
  type CountedCall,
  dailySummary,
  lastSummary,
  topMovers,
} from '#admin/channels/rules/dailySummary.ts';
import type { Call } from '#subjects/calls/rules/types.ts';
import { fromSydney } from '#lib/sydneyTime.ts';
import { discordOverflow } from '#platform/discord/content.ts';
import { discordText } from '#platform/discord/render.ts';
import { aPreOpenStock, aStock } from '#support/aStock.ts';

const WEDNESDAY = '2026-11-18';
const at = (date: string, hour: number, minute = 0): number => fromSydney(date, hour, minute);
const iso = (date: string, hour: number): string => new Date(at(date, hour)).toISOString();

test.each([
  ['before 16:30 the day before', at(WEDNESDAY, 16, 29), '2026-11-17'],
  ['from 16:30 on', at(WEDNESDAY, 16, 30), WEDNESDAY],
  ['until the next day’s', at('2026-11-19', 16, 29), WEDNESDAY],
  ['on a Sunday: Friday’s', at('2026-11-22', 20), '2026-11-20'],
  ['at 16:30 on a day that closes early', at('2026-12-24', 15), '2026-12-23'],
  ['after 16:30 on such a day', at('2026-12-24', 17), '2026-12-24'],
  ['over Christmas: the last trading day’s', at('2026-12-28', 17), '2026-12-24'],
  ['in winter, by Sydney’s clock', at('2026-07-15', 16, 30), '2026-07-15'],
])('a summary is due %s', (_, now, date) => {
  expect(lastSummary(now)).toEqual({ date, from: at(date, 16, 30), until: at(date, 18, 30) });
});

test('movers are the top of each scanner, ties sorted by code, with their number', () => {
  const options = { ignoreStatus: false, today: WEDNESDAY, most: 2 };
  const moved = (code: string, change_percent: number, change = {}) =>
    aStock({ code, change_percent, ...change });

  const snapshot = {
    capturedAt: iso(WEDNESDAY, 9),
    indicativeChangePercent: 7,
    match_price: 0.5,
    match_vol: 1,
  };
  const stocks = [
    moved('B', 10),
    moved('A', 10),
    moved('C', 3),
    moved('QUIET', 50, { value: 4999 }),
    moved('HALT', 60, { status: 'Halted' }),
    moved('DEAR', 2, { open: 2 }),
    moved('BIG', 1, { open: 40, marketCap: 2e9 }),
    aStock({
      code: 'GAP',
      change_percent: null,
      change: null,
      close: 0.4,
      open: 5,
      preOpen: { snapshot: { ...snapshot, match_value: 9000, buy_surplus: 0 } },
    }),
    aPreOpenStock({ code: 'LATE' }),
  ];
  expect(topMovers(stocks, options)).toEqual([
    { title: 'Pre-Market', movers: [{ code: 'GAP', percent: 7 }], count: 1 },
    {
      title: 'Intra-Day < $1',
      movers: [
        { code: 'A', percent: 10 },
        { code: 'B', percent: 10 },
      ],
      count: 3,
    },
    { title: 'Intra-Day ≥ $1', movers: [{ code: 'DEAR', percent: 2 }], count: 1 },
    { title: 'Large Cap', movers: [{ code: 'BIG', percent: 1 }], count: 1 },
  ]);
});

const CALL: Call = {
  publicId: 'x',
  symbol: 'BHP',
  source: 'hand',
  callType: 'bought',
  isShort: false,
  status: 'open',
  rationale: null,
  entryPrice: 40,
  targetPrice: 44,
  stopLoss: null,
  stopLossType: 'NONE',
  stopLevel: null,
  pocketedValue: null,
  submittedAt: iso(WEDNESDAY, 11),
  closedAt: null,
  priceAtSubmission: 40,
  submittedBy: { display: 'maggie' },
  priceAtClose: null,
  filledAt: null,
  fillPrice: null,
  entryTrade: null,
  exitTrade: null,
  targetReached: null,
  stopReached: null,
  verified: null,
  marketPercent: null,
  isInReview: false,
  trackingPaused: null,
  awaitingTrade: null,
  corrections: [],
};
const counted = (change: Partial<Call>, more: Partial<CountedCall> = {}): CountedCall => ({
  call: { ...CALL, ...change },
  counting: 'all',
  isHidden: false,
  ...more,
});
const closed = (on: string, percent: number | null, more: Partial<CountedCall> = {}): CountedCall => {
  const result = { bestPercent: 0, worstPercent: 0, daysOpen: 1, entryPrice: 1, exitPrice: 1 };
  const verified = percent === null ? null : { percent, ...result };
  return counted(
    { status: 'closed', submittedAt: iso('2026-11-02', 11), closedAt: iso(on, 15), verified },
    more,
  );
};

test('calls of the day and of the week since Monday count as on the leaderboard, open calls at the last price', () => {
  const {
    opened,
    closed: ended,
    week,
  } = callDay(
    WEDNESDAY,
    [
      counted({}),
      counted({ submittedAt: iso('2026-11-17', 11) }),
      counted({}, { isHidden: true, counting: 'nothing' }),
      closed(WEDNESDAY, 4),
      closed('2026-11-16', -2),
      closed('2026-11-15', 50),
      closed(WEDNESDAY, 90, { counting: 'losses' }),
      closed(WEDNESDAY, -8, { counting: 'losses', isHidden: true }),
      closed(WEDNESDAY, null),
    ],
    [1, -5],
  );
  expect(opened).toHaveLength(1);
  expect(ended).toHaveLength(3);
  expect(week).toEqual({ since: '2026-11-16', ended: 3, running: 2, gained: 2, mean: -2 });
});

describe('the text', () => {
  test('contains day, source, movers, calls and results', () => {
    const calls = callDay(
      WEDNESDAY,
      [
        counted({}),
        closed(WEDNESDAY, 4.25),
        counted({
          status: 'closed',
          closedAt: iso(WEDNESDAY, 15),
          submittedAt: iso('2026-11-17', 9),
          awaitingTrade: 'exit',
        }),
      ],
      [-1],
    );
    const scanners = [
      { title: 'Pre-Market', movers: [], count: 0 },
      {
        title: 'Large Cap',
        movers: [
          { code: 'CBA', percent: 2.34 },
          { code: 'BHP', percent: 0 },
        ],
        count: 9,
      },
    ];
    const message = dailySummary({ date: WEDNESDAY, label: 'Simulated', scanners, calls, publicUrl: null });
    expect(message).toEqual({
      title: 'Market summary · Wednesday 18 November 2026 · Simulated',
      lines: [
        'Pre-Market: no stocks',
        'Large Cap: CBA +2.3%, BHP 0.0% and 7 more',
        'Calls opened: BHP by maggie (bought at 40.000)',
        'Calls closed: BHP by maggie (+4.3%), BHP by maggie (waiting for its next trade)',
        'Verified results since 16 Nov: 1 of 2 calls gained, 1 of them open at the last price; mean +1.6%',
      ],
      link: null,
      buttons: [],
    });
  });

  test('fits into a Discord message with any amount of data and any names', () => {
    const display = `_*[x](http://evil.test)~~${'`'.repeat(60)}`;
    const list = Array.from({ length: 400 }, () => counted({ submittedBy: { display } }));
    const ended = Array.from({ length: 400 }, () => closed(WEDNESDAY, -99.9));
    const movers = Array.from({ length: 3 }, () => ({ code: 'ABCDEF', percent: 12345.6 }));
    const scanners = Array.from({ length: 4 }, () => ({ title: 'Intra-Day < $1', movers, count: 2000 }));
    const message = dailySummary({
      date: WEDNESDAY,
      label: 'Delayed 20 min',
      scanners,
      calls: callDay(WEDNESDAY, [...list, ...ended], [1]),
      publicUrl: 'https://bellbird.example.org',
    });
    expect(discordOverflow(message)).toBe(0);
    expect(discordText(message, { mayRepeat: false }).content).toContain('and 395 more');
  });
});
