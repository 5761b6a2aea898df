/** A call that is open. */
export const CALL = {
  publicId: 'c1',
  symbol: 'BHP',
  callType: 'bought',
  status: 'open',
  entryPrice: 42,
  targetPrice: 45.5,
  stopLoss: 40,
  stopLossType: 'HARD',
  pocketedValue: null,
  submittedAt: '2026-11-19T23:05:00Z',
  closedAt: null,
  submittedBy: { display: 'maggie' },
};

/** A call that was closed. */
export const CLOSED = {
  ...CALL,
  publicId: 'c2',
  status: 'closed',
  stopLossType: 'NONE',
  stopLoss: null,
  pocketedValue: 120.5,
  closedAt: '2026-11-20T03:00:00Z',
};

/** The calls' answers with just what the specification names (section 7.5). */
export const SPECIFIED_CALL_ANSWERS = {
  'GET /api/calls/leaderboard': {
    calls: [CALL, CLOSED],
    leaderboard: [
      {
        submitter: { display: 'maggie' },
        metrics: {
          total: 2,
          pending: 0,
          open: 1,
          closed: 1,
          cancelled: 0,
          pocketedValue: 120.5,
          averagePocketed: 120.5,
        },
      },
    ],
    fetchedAt: 1_795_136_400_000,
  },
  'GET /api/calls/mine': { calls: [CALL, CLOSED] },
  'POST /api/calls': {},
  'POST /api/calls/c1/close': {},
  'POST /api/calls/c1/cancel': {},
};
