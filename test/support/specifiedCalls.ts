import { leaderboardAnswer, mineAnswer } from '../../src/subjects/calls/answers/board.ts';
import type { Wire } from '../../src/lib/contract/fields.ts';
import { bareAnswer } from './contractAnswers.ts';

type Board = Wire<typeof leaderboardAnswer>;
type Mine = Wire<typeof mineAnswer>;

/** A call that is open. */
const OPEN: Mine['calls'][number] = {
  publicId: 'c1',
  symbol: 'BHP',
  source: 'simulator',
  callType: 'bought',
  status: 'open',
  entryPrice: 42,
  targetPrice: 45.5,
  stopLoss: 40,
  stopLossType: 'HARD',
  stopLevel: 40,
  rationale: null,
  pocketedValue: null,
  submittedAt: '2026-11-19T23:05:00Z',
  closedAt: null,
  submittedBy: { display: 'maggie' },
  priceAtSubmission: 42,
  priceAtClose: null,
  filledAt: null,
  fillPrice: null,
  entryTrade: null,
  exitTrade: null,
  targetReached: null,
  stopReached: { at: '2026-11-20T01:00:00Z', price: 40 },
  verified: null,
  marketPercent: null,
  isInReview: false,
  trackingPaused: 'Split.',
  awaitingTrade: 'entry',
  corrections: [],
  highestSinceFill: null,
  best: null,
  worst: null,
  adminStatus: 'normal',
  reviewReason: null,
  ending: null,
};

/** A call that was closed, and what an administrator made of it. */
const CLOSED: Mine['calls'][number] = {
  ...OPEN,
  publicId: 'c2',
  source: 'tradingview',
  status: 'closed',
  stopLoss: null,
  stopLossType: 'NONE',
  stopLevel: null,
  pocketedValue: 120.5,
  closedAt: '2026-11-20T03:00:00Z',
  priceAtClose: 44,
  filledAt: '2026-11-19T23:05:00Z',
  fillPrice: 42,
  entryTrade: { at: '2026-11-19T23:05:09Z', price: 42 },
  exitTrade: { at: '2026-11-20T03:00:05Z', price: 44 },
  targetReached: { at: '2026-11-20T01:00:00Z', price: 45.5 },
  stopReached: null,
  verified: {
    percent: 4.8,
    bestPercent: 8,
    worstPercent: -1,
    daysOpen: 0.2,
    entryPrice: 42,
    exitPrice: 44,
  },
  marketPercent: 0.7,
  isInReview: true,
  trackingPaused: null,
  awaitingTrade: null,
  corrections: [
    {
      at: '2026-11-20T04:00:00Z',
      by: { display: 'boss' },
      reason: 'A bad print.',
      changes: [
        {
          mark: 'targetReached',
          before: { at: '2026-11-20T01:00:00Z', price: 90 },
          after: { at: '2026-11-20T01:00:00Z', price: 45.5 },
        },
        { mark: 'isFollowed', before: false, after: true },
        { mark: 'best', before: 90, after: null },
      ],
    },
  ],
  highestSinceFill: 45.5,
  best: 45.5,
  worst: 41,
  adminStatus: 'review',
  reviewReason: 'The price never traded there.',
};

const LEADERBOARD: Board['leaderboard'] = [
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
      verified: 1,
      wins: 1,
      winRate: 100,
      winRateLowerBound: 20.7,
      averageVerified: 4.8,
      days: 1,
      averageAgainstMarket: 4.1,
      meanLowerBound: null,
      provisionalLowerBound: null,
      rank: null,
      provisionalRank: null,
    },
  },
];

const withoutOwn = ({ ending: _ending, ...call }: Mine['calls'][number]): Board['calls'][number] => call;
const MINE: Mine = { calls: [OPEN, CLOSED] };
const BOARD: Board = {
  calls: [withoutOwn(OPEN), { ...withoutOwn(CLOSED), best: 45.5, worst: 41 }],
  leaderboard: LEADERBOARD,
  source: 'tradingview',
  otherLeaderboards: [{ source: 'simulator', leaderboard: LEADERBOARD }],
  ledger: { number: 1234, hash: '6f1d2c3b4a59687766554433221100ffeeddccbbaa998877665544332211f00d' },
  fetchedAt: 1_795_136_400_000,
};

/** The calls' answers with all that this product says. */
export const OWN_CALL_ANSWERS = { 'GET /api/calls/leaderboard': BOARD, 'GET /api/calls/mine': MINE };

/** The calls' answers with just what the specification names (section 7.5). */
export const SPECIFIED_CALL_ANSWERS = {
  'GET /api/calls/leaderboard': bareAnswer(leaderboardAnswer, BOARD),
  'GET /api/calls/mine': bareAnswer(mineAnswer, MINE),
  'POST /api/calls': {},
  'POST /api/calls/c1/close': {},
  'POST /api/calls/c1/cancel': {},
};
