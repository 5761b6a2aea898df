import { afterEach, beforeEach, describe, expect, test } from 'bun:test';
import { emptyEvent } from '../../../src/subjects/calendar/rules/calendarEvent.ts';
import { effect } from '@preact/signals-react';
import { fromSydney } from '../../../src/market/rules/sydneyTime.ts';
import { isTradingDay } from '../../../src/market/rules/tradingDay.ts';
import { currentLabel, sessionPhase } from '../../../web/live/marketHours.ts';
import {
  dataAgeMs,
  calendarEvents,
  marketNow,
  meta,
  retryLive,
  startLive,
  stocks,
  streamState,
} from '../../../web/live/market.ts';
import { fromSnapshot } from '../../../web/live/stream/marketState.ts';
import type { FromWindow, ToWindow } from '../../../web/live/stream/protocol.ts';
import { aDelta, aSnapshot } from '../../support/market.ts';

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
  stop = startLive((take) => {
    receive = take;
    return (message) => sent.push(message.type);
  });
  // What it watches, which it says first.
  sent = [];
});
afterEach(() => {
  stop();
  hide(false);
});

describe('special days of the exchange', () => {
  const NOON = fromSydney('2026-11-18', 12, 0);
  const closed = { date: '2026-11-18', kind: 'closed', closesAt: null, reason: 'Storm' } as const;

  test('reach the rules of this window, also when they change, and go with the stream', async () => {
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
});

describe('what a window sees', () => {
  test('a state at once, deltas with the next frame, together', async () => {
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

  test('deltas before any state are dropped', async () => {
    receive(delta({ BHP: { last: 1 } }));
    await frame();
    expect(stocks.value.size).toBe(0);
  });

  test('a newer state makes deltas that waited for the older one void', async () => {
    receive(state(['BHP']));
    receive(delta({ BHP: { last: 1 } }));
    receive(state(['BHP']));
    await frame();
    expect(stocks.value.get('BHP')?.last).toBeNull();
  });

  test('the connection as it changes', () => {
    expect(streamState.value).toBe('connecting');
    receive({ type: 'connection', connection: 'reconnecting' });
    expect(streamState.value).toBe('reconnecting');
  });

  test('events of the calendar, merged', async () => {
    receive(state(['BHP']));
    const message = delta({});
    if (message.type !== 'delta') throw new Error('not a delta');
    message.delta.fx = { upsert: { a: { name: 'CPI' }, b: { name: 'GDP' } }, delete: [], lastUpdated: 5 };
    receive(message);
    const next = delta({});
    if (next.type !== 'delta') throw new Error('not a delta');
    next.delta.fx = { upsert: { a: { actual: 3.1 } }, delete: ['b'], lastUpdated: null };
    receive(next);
    await frame();
    expect([...calendarEvents.value.values()]).toEqual([{ ...emptyEvent('a'), name: 'CPI', actual: 3.1 }]);
  });
});

describe('a hidden window', () => {
  test('applies nothing until it is shown, and asks for a fresh link then', async () => {
    receive(state(['BHP']));
    hide(true);
    for (let last = 1; last <= 100; last += 1) receive(delta({ BHP: { last } }, { stockCount: 1 }));
    await frame();
    expect(stocks.value.get('BHP')?.last).toBeNull();
    hide(false);
    expect(stocks.value.get('BHP')?.last).toBe(100);
    expect(sent.at(-1)).toBe('shown');
  });
  test('says that it is still there, and when it goes', () => {
    receive({ type: 'ask' });
    window.dispatchEvent(new Event('pagehide'));
    expect(sent).toEqual(['here', 'bye']);
  });
});

describe('retryLive', () => {
  test('asks for a new link while the window listens, and does nothing before or after', () => {
    retryLive();
    expect(sent).toEqual(['retry']);
    stop();
    retryLive();
    expect(sent).toEqual(['retry', 'bye']);
  });
});

describe('clocks', () => {
  test('the market runs on its own, from when its time was read', () => {
    const marketTime = Date.parse('2026-11-19T23:12:00Z');
    const receivedAt = Date.now() - 10_000;
    const snapshot = aSnapshot(['BHP'], { marketTime, clockSpeed: 60 });
    receive({ type: 'state', state: fromSnapshot(snapshot, receivedAt), connection: 'live' });
    const after = marketNow() - marketTime;
    expect(after).toBeGreaterThanOrEqual(600_000);
    expect(after).toBeLessThanOrEqual((Date.now() - receivedAt) * 60);
    expect(meta.value?.clockSpeed).toBe(60);
  });
  test('is the wall clock before the first state', () => {
    const before = Date.now();
    const read = marketNow();
    expect(read).toBeGreaterThanOrEqual(before);
    expect(read).toBeLessThanOrEqual(Date.now());
  });
  test('the age of prices does not depend on the two clocks being set alike', () => {
    const serverWall = Date.now() + 3_600_000;
    const snapshot = aSnapshot(['BHP'], { marketTime: serverWall, clockOffsetMs: 0 });
    snapshot.meta.feed.lastUpdate = serverWall - 90_000;
    expect(dataAgeMs.value).toBeNull();
    receive({ type: 'state', state: fromSnapshot(snapshot, Date.now()), connection: 'live' });
    expect(dataAgeMs.value).toBeGreaterThanOrEqual(90_000);
    expect(dataAgeMs.value).toBeLessThan(95_000);
  });
  test('prices that come in are young again', async () => {
    const snapshot = aSnapshot(['BHP']);
    snapshot.meta.feed.lastUpdate = snapshot.meta.marketTime - 90_000;
    receive({ type: 'state', state: fromSnapshot(snapshot, Date.now()), connection: 'live' });
    receive(delta({ BHP: { last: 2 } }));
    await frame();
    expect(dataAgeMs.value).toBeLessThan(5000);
  });
});
