import { describe, expect, test } from 'bun:test';
import {
  alertLevels,
  auctionMarks,
  callLevels,
  haltShades,
  newsMarks,
} from '../../../src/market/bars/rules/stockExtras.ts';

const MINUTE = 60_000;
const TEN = Date.parse('2026-01-19T23:00:00Z');

describe('what happened to a stock', () => {
  test('announcements once each, by time, the price sensitive apart; without a time nowhere', () => {
    const report = { headline: 'Report', time: '2026-01-19T23:10:00Z', isPriceSensitive: true };
    const note = { headline: 'Note', time: '2026-01-19T22:10:00Z', isPriceSensitive: false };
    expect(newsMarks([report, note, report, { ...note, time: '' }])).toEqual([
      { kind: 'announcement', time: TEN - 50 * MINUTE, text: 'Note' },
      { kind: 'sensitive', time: TEN + 10 * MINUTE, text: 'Report' },
    ]);
  });

  test('halts last until the next status, the running one until this minute', () => {
    const statuses = [
      { time: TEN, status: 'Open' },
      { time: TEN + 10 * MINUTE, status: 'Halted' },
      { time: TEN + 40 * MINUTE, status: 'Open' },
      { time: TEN + 90 * MINUTE, status: 'Suspended' },
    ];
    expect(haltShades(statuses, TEN + 100 * MINUTE + 30_000)).toEqual([
      { from: TEN + 10 * MINUTE, until: TEN + 40 * MINUTE, title: 'Halted' },
      { from: TEN + 90 * MINUTE, until: TEN + 100 * MINUTE, title: 'Suspended' },
    ]);
    expect(haltShades(statuses.slice(0, 2), TEN + 10 * MINUTE + 5000)).toEqual([]);
  });

  test('auctions at their price', () => {
    const [open, close] = auctionMarks([
      { time: TEN, kind: 'open', price: 46.2, volume: 12_345 },
      { time: TEN + 370 * MINUTE, kind: 'close', price: 46.9, volume: null },
    ]);
    expect(open).toEqual({ kind: 'auction', time: TEN, price: 46.2, text: 'Opening auction, 12,345 shares' });
    expect(close?.text).toBe('Closing auction');
  });
});

describe('the reader’s own levels', () => {
  test('of calls: what they have of entry, target and stop', () => {
    expect(callLevels([{ entryPrice: 46, targetPrice: 50, stopLevel: null }])).toEqual([
      { kind: 'entry', title: 'Entry', price: 46 },
      { kind: 'target', title: 'Target', price: 50 },
    ]);
  });

  test('of several calls each level says whose it is, and one price is one level', () => {
    const first = { entryPrice: 46, targetPrice: 50, stopLevel: 44 };
    const second = { entryPrice: 46, targetPrice: 52, stopLevel: null };
    expect(callLevels([first, second])).toEqual([
      { kind: 'entry', title: 'Entry 1, 2', price: 46 },
      { kind: 'target', title: 'Target 1', price: 50 },
      { kind: 'target', title: 'Target 2', price: 52 },
      { kind: 'stop', title: 'Stop 1', price: 44 },
    ]);
  });

  test('of alerts: the prices that the last one is compared with, groups included, each once', () => {
    const last = { type: 'field', key: 'last' } as const;
    const above = { lhs: last, op: '>', rhs: { type: 'number', value: 50 } } as const;
    const volume = { ...above, lhs: { type: 'field', key: 'volume' } } as const;
    const toVwap = { ...above, rhs: { type: 'field', key: 'vwap' } } as const;
    const below = { ...above, op: '<', rhs: { type: 'number', value: 40 } } as const;
    const logic = {
      op: 'AND' as const,
      conditions: [above, volume, toVwap, { op: 'OR' as const, conditions: [below, above] }],
    };
    expect(alertLevels([logic]).map(({ price }) => price)).toEqual([40, 50]);
  });
});
