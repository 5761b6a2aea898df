import { t } from 'elysia';
import { type CallType, MARKS, type StopLossType, STOP_LOSS_TYPES } from '../../domain/calls/types.ts';
import { TAKE_BACK_MS } from '../../domain/calls/endText.ts';
import { CHART_TIMEFRAMES } from '../../domain/charts/bars.ts';
import { NOT_IN_LIVE_LIST } from '../../domain/market/liveSymbols.ts';
import { choice } from '../../http/choice.ts';

const price = t.Number();
const priceOrNull = t.Nullable(t.Number());
const time = t.String({ format: 'date-time' });
const timeOrNull = t.Nullable(time);
const reached = t.Nullable(t.Object({ at: time, price }));

const verified = t.Object({
  percent: t.Number(),
  bestPercent: t.Number(),
  worstPercent: t.Number(),
  daysOpen: t.Number(),
  entryPrice: price,
  exitPrice: price,
});

const markValue = t.Union([t.Null(), t.Number(), t.Boolean(), t.Object({ at: time, price })]);
const correction = t.Object({
  at: time,
  by: t.Object({ display: t.String() }),
  reason: t.String(),
  changes: t.Array(t.Object({ mark: t.UnionEnum([...MARKS]), before: markValue, after: markValue })),
});

const call = {
  publicId: t.String(),
  symbol: t.String(),
  source: t.String(),
  callType: t.UnionEnum(['buy', 'bought']),
  status: t.UnionEnum(['pending', 'open', 'closed', 'cancelled']),
  entryPrice: price,
  targetPrice: price,
  stopLoss: priceOrNull,
  stopLossType: t.UnionEnum([...STOP_LOSS_TYPES]),
  stopLevel: priceOrNull,
  rationale: t.Nullable(t.String()),
  pocketedValue: t.Nullable(t.Number()),
  submittedAt: time,
  closedAt: timeOrNull,
  submittedBy: t.Object({ display: t.String() }),
  priceAtSubmission: priceOrNull,
  priceAtClose: priceOrNull,
  filledAt: timeOrNull,
  fillPrice: priceOrNull,
  entryTrade: reached,
  exitTrade: reached,
  targetReached: reached,
  stopReached: reached,
  verified: t.Nullable(verified),
  trackingPaused: t.Nullable(t.String()),
  awaitingTrade: t.Nullable(t.UnionEnum(['entry', 'exit'])),
  corrections: t.Array(correction),
};

const adminStatus = t.UnionEnum(['normal', 'review', 'rejected']);
const ownCall = t.Object({
  ...call,
  highestSinceFill: priceOrNull,
  adminStatus,
  reviewReason: t.Nullable(t.String()),
  ending: t.Nullable(t.Object({ kind: t.UnionEnum(['close', 'cancel']), inMs: t.Number() })),
});

export const ownCalls = t.Object({ calls: t.Array(ownCall) });
/** `publicId` stands beside the call for callers that read nothing else of it. */
export const submitted = t.Object({ publicId: t.String(), call: ownCall });
export const ended = t.Object({ call: ownCall });
const forAdmin = {
  adminStatus,
  reviewReason: t.Nullable(t.String()),
  highestSinceFill: priceOrNull,
  best: priceOrNull,
  worst: priceOrNull,
};
export const moderated = t.Object({ call: t.Object({ ...call, ...forAdmin }) });

/** A number that was typed. Whatever else is sent is let in, for the rules to say what is missing. */
const typedNumber = t.Optional(t.Unsafe<number | null>(t.Unknown()));

/** Hardly a shape: what may be sent is for `checkCall` to say, in the specification's order and words. */
export const submitBody = t.Object({
  symbol: t.String({ default: '', maxLength: 40, error: NOT_IN_LIVE_LIST }),
  callType: t.Optional(t.Unsafe<CallType>(t.Unknown())),
  entryPrice: typedNumber,
  targetPrice: typedNumber,
  stopLossType: t.Optional(t.Unsafe<StopLossType>(t.Unknown())),
  stopLoss: typedNumber,
  rationale: t.Optional(t.Unsafe<string | null>(t.Unknown())),
});

/** In how many ms a call ends; at once where it is not sent. */
const inMs = t.Optional(
  t.Integer({
    minimum: 0,
    maximum: TAKE_BACK_MS,
    error: `A call ends in 0 to ${TAKE_BACK_MS} ms: inMs is a whole number from 0 to ${TAKE_BACK_MS}.`,
  }),
);
export const closeBody = t.Object({ pocketedValue: t.Optional(t.Unknown()), inMs });
/** The specification's is empty. */
export const cancelBody = t.Optional(t.Object({ inMs }));
export const moderateBody = t.Object({
  adminStatus: choice(
    ['normal', 'review', 'rejected'],
    'The admin status is one of normal, review, rejected',
  ),
});
/** What is wrong with it is for `checkCorrection` to say. */
export const correctBody = t.Object({ reason: t.Optional(t.Unknown()), marks: t.Optional(t.Unknown()) });
export const callParams = t.Object({ publicId: t.String() });

const metrics = t.Object({
  total: t.Integer(),
  pending: t.Integer(),
  open: t.Integer(),
  closed: t.Integer(),
  cancelled: t.Integer(),
  pocketedValue: t.Number(),
  averagePocketed: t.Nullable(t.Number()),
  verified: t.Integer(),
  wins: t.Integer(),
  winRate: t.Nullable(t.Number()),
  winRateLowerBound: t.Nullable(t.Number()),
  averageVerified: t.Nullable(t.Number()),
  meanLowerBound: t.Nullable(t.Number()),
  rank: t.Nullable(t.Integer()),
});

const leaderboard = t.Array(t.Object({ submitter: t.Object({ display: t.String() }), metrics }));

/** Sent as bytes that are encoded once; this is what is in them. */
export const leaderboardAnswer = t.Object({
  calls: t.Array(t.Object({ ...call, ...t.Partial(t.Object(forAdmin)).properties })),
  leaderboard,
  source: t.String(),
  otherLeaderboards: t.Array(t.Object({ source: t.String(), leaderboard })),
  fetchedAt: t.Number(),
});

const numbers = t.Array(t.Number());
/** Sent as bytes, as is the record. */
export const lifeAnswer = t.Object({
  call: t.Object(call),
  path: t.Nullable(
    t.Object({
      tf: t.UnionEnum([...CHART_TIMEFRAMES]),
      bars: t.Object({
        time: numbers,
        open: numbers,
        high: numbers,
        low: numbers,
        close: numbers,
        volume: numbers,
      }),
      unknown: t.Array(t.Object({ from: t.Number(), until: t.Number() })),
      knownSince: t.Nullable(t.Number()),
    }),
  ),
  whyNoPath: t.Nullable(t.String()),
  stop: t.Nullable(t.Object({ from: t.UnionEnum(['tracker', 'bars']), time: numbers, price: numbers })),
  review: t.Nullable(
    t.Object({ status: t.UnionEnum(['review', 'rejected']), reason: t.Nullable(t.String()) }),
  ),
});

const group = { count: t.Integer(), wins: t.Integer(), mean: t.Nullable(t.Number()) };
const result = t.Object({
  publicId: t.Nullable(t.String()),
  symbol: t.Nullable(t.String()),
  percent: t.Number(),
  endedAt: t.Number(),
  days: t.Number(),
});
export const recordAnswer = t.Object({
  submitter: t.Object({ display: t.String() }),
  source: t.String(),
  records: t.Array(
    t.Object({
      source: t.String(),
      metrics,
      awaiting: t.Integer(),
      neverTraded: t.Integer(),
      rejected: t.Integer(),
      ended: t.Object({
        ...group,
        median: t.Nullable(t.Number()),
        best: t.Array(result),
        worst: t.Array(result),
        distribution: t.Array(t.Integer()),
        holding: t.Array(t.Object(group)),
        medianDays: t.Nullable(t.Number()),
        months: t.Array(t.Object({ month: t.String(), ...group })),
        newest: t.Array(result),
      }),
      running: t.Object(group),
      isCut: t.Boolean(),
    }),
  ),
});
export const nameParams = t.Object({ name: t.String({ maxLength: 200 }) });
