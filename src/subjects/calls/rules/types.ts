import type { Wire } from '#lib/contract/fields.ts';
import type {
  forAdmin,
  leaderboardAnswer,
  leaderboardEntry,
  metrics,
  otherLeaderboard,
  ownCall,
} from '../answers/board.ts';
import type { call, correction, reached, verifiedResult } from '../answers/call.ts';

export const STOP_LOSS_TYPES = ['NONE', 'HARD', 'TRAILING_ABS', 'TRAILING_PCT'] as const;

export type CallType = Call['callType'];
export type CallStatus = Call['status'];
export type StopLossType = (typeof STOP_LOSS_TYPES)[number];
export type AdminStatus = AdminCall['adminStatus'];

/** What a person submits. A number that was not given is null. Prices are AUD a share. */
export type CallInput = {
  symbol: string;
  callType: CallType;
  entryPrice: number | null;
  targetPrice: number | null;
  stopLossType: StopLossType;
  /** A price for HARD, an amount for TRAILING_ABS, percent for TRAILING_PCT, null for NONE. */
  stopLoss: number | null;
  /** Why, in the submitter's own words: plain text. */
  rationale?: string | null;
};

/** The recorded marks that an administrator can put right. */
export const MARKS = [
  'entryTrade',
  'exitTrade',
  'targetReached',
  'stopReached',
  'priceAtClose',
  'highestSinceFill',
  'best',
  'worst',
  'isFollowed',
] as const;
export type Mark = (typeof MARKS)[number];

// What leaves the server, as the contract has it.
export type Call = Wire<typeof call>;
export type OwnCall = Wire<typeof ownCall>;
/** A call as administrators see it. */
export type AdminCall = Call & Wire<typeof forAdmin>;
export type Reached = Wire<typeof reached>;
export type VerifiedResult = Wire<typeof verifiedResult>;
export type AwaitedTrade = NonNullable<Call['awaitingTrade']>;
export type Correction = Wire<typeof correction>;
export type MarkChange = Correction['changes'][number];
export type MarkValue = MarkChange['before'];
export type ComingEnd = NonNullable<OwnCall['ending']>;
/** How a call is ended by its owner. */
export type EndKind = ComingEnd['kind'];
export type LeaderboardMetrics = Wire<typeof metrics>;
export type LeaderboardEntry = Wire<typeof leaderboardEntry>;
export type OtherLeaderboard = Wire<typeof otherLeaderboard>;
export type LeaderboardAnswer = Wire<typeof leaderboardAnswer>;

/** What a user's windows are told of their own calls, on the alert stream. */
export type CallEvents = {
  /** A call was submitted, filled, ended, settled or moderated, wherever that was done: own calls are to be read again. */
  calls_changed: Record<string, never>;
};

/** Tells a user's open windows, wherever there are some. */
export type CallsNotifier = { callsChanged(userId: number): void };
