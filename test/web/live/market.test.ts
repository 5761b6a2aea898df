import { afterEach, beforeEach, describe, expect, test } from 'bun:test';
import { effect } from '@preact/signals-react';
import { fromSydney } from '#lib/sydneyTime.ts';
import { isTradingDay } from '#market/rules/tradingDay.ts';
import { currentLabel, sessionPhase } from '#web/live/marketHours.ts';
import { dataAgeMs, marketNow, meta, retryLive, startLive, stocks } from '#web/live/market.ts';
import { fromSnapshot } from '#web/live/stream/marketState.ts';
import type { FromWindow, ToWindow } from '#web/live/stream/protocol.ts';
import { ageText, staleMessage } from '#web/live/staleness.ts';
import { aDelta, aMeta, aSnapshot } from '#support/market.ts';

let receive: (message: ToWindow) => void;
let sent: FromWindow['type'][];
let stop: () => void;
const frame = () => new Promise((done) => requestAnimationFrame(() => setTimeout(done, 0)));
const hide = (hidden: boolean) => {
  Object.defineProperty(document, 'hidden', { configurable: true, value: hidden });
  document.dispatchEvent(new Event('visibilitychange'));
};
const state = (codes: string[], change: Parameters<typeof aSnapshot>[1] = {}): ToWindow => ({
  type: 'state',
  state: fromSnapshot(aSnapshot(codes, change), Date.now()),
  connection: 'live',
});
const delta = (...args: Parameters<typeof aDelta>): ToWindow => ({
  type: 'delta',
  delta: aDelta(...args),
  receivedAt: Date.now(),
  changedAt: Date.now(),
});

beforeEach(() => {
  sent = [];
  stop = startLive((listener) => {
    receive = listener;
    return (message) => sent.push(message.type);
  });
  // Its watch message, which it sends first.
  sent = [];
});
afterEach(() => {
  stop();
  hide(false);
});

test('special days apply in this window, also after a change, and are removed with the stream', async () => {
  const NOON = fromSydney('2026-11-18', 12, 0);
  const closed = { date: '2026-11-18', kind: 'closed', closesAt: null, reason: 'Storm' } as const;

  receive(state(['BHP'], { marketTime: NOON, clockSpeed: 1 }));
  expect([currentLabel.value, sessionPhase.value]).toEqual(['Intraday', 'open']);
  receive(delta({}, { stockCount: 1, closures: [closed] }));
  await frame();
  expect([currentLabel.value, sessionPhase.value]).toEqual(['Off-Hours', 'closed']);
  receive(delta({}, { stockCount: 1, closures: [] }));
  await frame();
  expect([currentLabel.value, sessionPhase.value]).toEqual(['Intraday', 'open']);
  receive(delta({}, { stockCount: 1, closures: [closed] }));
  await frame();
  stop();
  expect(isTradingDay('2026-11-18')).toBe(true);
});

test('a window receives the state at once, and deltas together with the next frame', async () => {
  receive(state(['BHP', 'CBA']));
  expect([...stocks.value.keys()]).toEqual(['BHP', 'CBA']);
  const cba = stocks.value.get('CBA');
  let changes = -1;
  const off = effect(() => void (stocks.value, (changes += 1)));
  for (const last of [1, 2, 3]) receive(delta({ BHP: { last } }, { stockCount: 2 }));
  expect(stocks.value.get('BHP')?.last).toBeNull();
  await frame();
  off();
  expect(stocks.value.get('BHP')?.last).toBe(3);
  expect(changes).toBe(1);
  expect(stocks.value.get('CBA')).toBe(cba as NonNullable<typeof cba>);
});

describe('a hidden window', () => {
  test('applies nothing until it is shown, and then requests a fresh connection', async () => {
    receive(state(['BHP']));
    hide(true);
    for (let last = 1; last <= 100; last += 1) receive(delta({ BHP: { last } }, { stockCount: 1 }));
    await frame();
    expect(stocks.value.get('BHP')?.last).toBeNull();
    hide(false);
    expect(stocks.value.get('BHP')?.last).toBe(100);
    expect(sent.at(-1)).toBe('shown');
  });
  test('reports that it still exists, and when it closes', () => {
    receive({ type: 'ask' });
    window.dispatchEvent(new Event('pagehide'));
    expect(sent).toEqual(['here', 'bye']);
  });
});

test('retryLive requests a new connection while the window listens, and does nothing before or after', () => {
  retryLive();
  expect(sent).toEqual(['retry']);
  stop();
  retryLive();
  expect(sent).toEqual(['retry', 'bye']);
});

describe('clocks', () => {
  test('the market’s time continues from when it was read', () => {
    const marketTime = Date.parse('2026-11-19T23:12:00Z');
    const receivedAt = Date.now() - 10_000;
    const snapshot = aSnapshot(['BHP'], { marketTime, clockSpeed: 60 });
    receive({ type: 'state', state: fromSnapshot(snapshot, receivedAt), connection: 'live' });
    const after = marketNow() - marketTime;
    expect(after).toBeGreaterThanOrEqual(600_000);
    expect(after).toBeLessThanOrEqual((Date.now() - receivedAt) * 60);
    expect(meta.value?.clockSpeed).toBe(60);
  });
  test('the age of prices does not depend on the two clocks agreeing', () => {
    const serverWall = Date.now() + 3_600_000;
    const snapshot = aSnapshot(['BHP'], { marketTime: serverWall, clockOffsetMs: 0 });
    snapshot.meta.feed.lastUpdate = serverWall - 90_000;
    expect(dataAgeMs.value).toBeNull();
    receive({ type: 'state', state: fromSnapshot(snapshot, Date.now()), connection: 'live' });
    expect(dataAgeMs.value).toBeGreaterThanOrEqual(90_000);
    expect(dataAgeMs.value).toBeLessThan(95_000);
  });
  test('new prices reset the age', async () => {
    const snapshot = aSnapshot(['BHP']);
    snapshot.meta.feed.lastUpdate = snapshot.meta.marketTime - 90_000;
    receive({ type: 'state', state: fromSnapshot(snapshot, Date.now()), connection: 'live' });
    receive(delta({ BHP: { last: 2 } }));
    await frame();
    expect(dataAgeMs.value).toBeLessThan(5000);
  });
});

describe('the stale price notice', () => {
  const feed = aMeta().feed;
  const well = { label: 'Intraday', feed, ageMs: 1000, connection: 'live' } as const;

  test.each([
    ['fresh prices', well, null],
    ['prices just below a minute old', { ...well, ageMs: 59_999 }, null],
    [
      'old prices in market hours',
      { ...well, ageMs: 60_000 },
      'Prices from the simulated exchange are 1 min old. The source has sent nothing since.',
    ],
    [
      'a source that never sent anything',
      { ...well, ageMs: null },
      'Prices from the simulated exchange have not arrived yet. The source has sent nothing since.',
    ],
    [
      'a lost connection',
      { ...well, ageMs: 61_000, connection: 'disconnected' },
      'Connection lost: prices frozen 1 min ago. Reconnecting…',
    ],
    [
      'a source that reports a problem',
      {
        ...well,
        feed: {
          ...feed,
          name: 'tradingview',
          healthy: false,
          problem: 'TradingView refuses requests; trying again in 1 min.',
        },
      },
      'Prices from TradingView are less than a minute old. TradingView refuses requests; trying again in 1 min.',
    ],
    [
      'a source that works but lacks data',
      { ...well, feed: { ...feed, problem: 'TradingView sends no sectors for any stock.' } },
      'TradingView sends no sectors for any stock.',
    ],
    [
      'a source with a problem outside market hours',
      { ...well, label: 'Off-Hours', feed: { ...feed, healthy: false } },
      'Prices from the simulated exchange are less than a minute old. The source reports a problem.',
    ],
  ] as const)('%s', (_, freshness, sentence) => {
    expect(staleMessage(freshness)).toBe(sentence);
  });

  test.each([
    [0, 'less than a minute'],
    [59_999, 'less than a minute'],
    [60_000, '1 min'],
    [3_599_999, '59 min'],
    [3_900_000, '1 h 05 min'],
  ])('%d ms reads %s', (ms, text) => {
    expect(ageText(ms)).toBe(text);
  });
});
