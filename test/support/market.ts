import { emptyStock, type Stock } from '#market/rules/stock.ts';
import type { Delta, Snapshot, StreamMeta } from '#market/rules/stream.ts';

/** A complete meta, by default at 10:12 in Sydney on a trading day. */
export const aMeta = (change: Partial<StreamMeta> = {}): StreamMeta => ({
  stockCount: 2,
  dateToday: '2026-11-20',
  flags: { ignoreStatus: false },
  feed: {
    name: 'simulator',
    label: 'Simulated',
    delayMinutes: 0,
    lastUpdate: null,
    healthy: true,
    problem: null,
  },
  announcements: null,
  calendar: null,
  marketTime: Date.parse('2026-11-19T23:12:00Z'),
  clockOffsetMs: 0,
  clockSpeed: 1,
  ...change,
});

export const aStock = (code: string, change: Partial<Stock> = {}): Stock => ({
  ...emptyStock(code),
  name: `${code} Limited`,
  status: 'Open',
  ...change,
});

export const aSnapshot = (codes: readonly string[], meta: Partial<StreamMeta> = {}): Snapshot => ({
  stocks: Object.fromEntries(codes.map((code) => [code, { ...aStock(code) }])),
  meta: aMeta({ stockCount: codes.length, ...meta }),
  fx: { data: {}, lastUpdated: null },
});

export const aDelta = (
  upsert: Delta['stocks']['upsert'],
  meta: Partial<StreamMeta> & { stockCount?: number } = {},
  gone: string[] = [],
): Delta => ({
  stocks: { upsert, delete: gone },
  meta: { stockCount: Object.keys(upsert).length, ...meta },
  fx: { upsert: {}, delete: [], lastUpdated: null },
});
