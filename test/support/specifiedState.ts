/** The answers of the state inspector and of the calls to other servers (specification 7.7). */

const MARKET = {
  key: 'market',
  label: 'Market',
  description: 'The record of every stock as it stands now.',
  type: 'map',
};

/** With the members that the specification names. */
export const SPECIFIED_STATE_ANSWERS = {
  'GET /api/admin/internal-state': {
    sections: [{ ...MARKET, stats: '2,000 stocks', error: null }],
    fetchedAt: 1_795_136_400_000,
  },
  'GET /api/admin/internal-state/market': {
    ...MARKET,
    data: { BHP: { last: 42.5 } },
    summary: '2,000 stocks',
    approxBytes: 1_600_000,
    approxHumanSize: '1.5 MB',
    fetchedAt: 1_795_136_400_000,
  },
  'GET /api/admin/external-metrics': {
    metrics: [{ method: 'POST', endpoint: 'tradingview/australia/scan', count: 1234 }],
    date: '2026-11-20',
  },
};

/** As this product gives them. */
export const OWN_STATE_ANSWERS = {
  'GET /api/admin/internal-state': {
    sections: [
      { ...MARKET, stats: { stocks: 2000, date: '2026-11-20' }, error: null },
      {
        ...{ key: 'feed', label: 'Market source', description: '', type: 'object' },
        ...{ stats: { healthy: true, lastSuccess: 1_795_136_400_000, problem: null }, error: null },
      },
      {
        ...{ key: 'outbox', label: 'outbox', description: '', type: '', stats: {} },
        error: 'This section could not be read. The log says why.',
      },
    ],
    fetchedAt: 1_795_136_400_000,
  },
  'GET /api/admin/internal-state/market': {
    ...MARKET,
    data: { BHP: { last: 42.5 }, '…': 'and 1,999 more' },
    summary: { stocks: 2000, date: '2026-11-20' },
    ...{ approxBytes: 1_600_000, approxHumanSize: '1.5 MB', fetchedAt: 1_795_136_400_000 },
  },
  'GET /api/admin/external-metrics': {
    metrics: [
      {
        ...{ method: 'POST', endpoint: 'tradingview/australia/scan', count: 1234, errors: 2, averageMs: 210 },
        ...{ slowestMs: 12_400, lastAt: 1_795_136_400_000, lastSuccessAt: 1_795_136_400_000 },
        lastError: 'HTTP 429',
      },
      {
        ...{ method: 'GET', endpoint: 'asx/markets/announcements', count: 3, errors: 0, averageMs: 80 },
        ...{ slowestMs: 95, lastAt: 1_795_136_400_000, lastSuccessAt: null, lastError: null },
      },
    ],
    date: '2026-11-20',
    days: ['2026-11-20', '2026-11-19'],
  },
};
