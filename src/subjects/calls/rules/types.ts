import type {
  STOP_LOSS_TYPES,
  MARKS,
  call,
  callPath,
  callReview,
  correction,
  timelineAnswer,
  reached,
  stopPath,
  verifiedResult,
} from '../answers/call.ts';
import type { Wire } from '#lib/contract/fields.ts';
import type {
  forAdmin,
  leaderboardAnswer,
  leaderboardEntry,
  metrics,
  otherLeaderboard,
  ownCall,
  ranksAnswer,
} from '../answers/board.ts';
import type { followsAnswer } from '../answers/follows.ts';

export type CallType = Call['callType'];
export type CallStatus = Call['status'];
export type StopLossType = (typeof STOP_LOSS_TYPES)[number];
export type AdminStatus = AdminCall['adminStatus'];

export type Mark = (typeof MARKS)[number];

export type Call = Wire<typeof call>;
export type OwnCall = Wire<typeof ownCall>;
export type AdminCall = Call & Wire<typeof forAdmin>;
export type Reached = Wire<typeof reached>;
export type VerifiedResult = Wire<typeof verifiedResult>;
export type AwaitedTrade = NonNullable<Call['awaitingTrade']>;
export type Correction = Wire<typeof correction>;
export type MarkChange = Correction['changes'][number];
export type MarkValue = MarkChange['before'];
export type ComingEnd = NonNullable<OwnCall['ending']>;
export type EndKind = ComingEnd['kind'];
export type LeaderboardMetrics = Wire<typeof metrics>;
export type LeaderboardEntry = Wire<typeof leaderboardEntry>;
export type Ranks = Wire<typeof ranksAnswer>;
export type OtherLeaderboard = Wire<typeof otherLeaderboard>;
export type Follows = Wire<typeof followsAnswer>;
export type LeaderboardAnswer = Wire<typeof leaderboardAnswer>;

/** Events of a user's own calls on the alert stream. */
export type CallEvents = {
  /** The user's calls were submitted, filled, ended, settled or moderated, on any device: reload them. */
  calls_changed: Record<string, never>;
};

export type CallsNotifier = { callsChanged(userId: number): void };

/** Limit of stored and drawn bars in a call's price history. */
export const MAX_PATH_BARS = 500;

export type CallTimeline = Wire<typeof timelineAnswer>;
export type PriceHistory = Wire<typeof callPath>;
export type StopPath = Wire<typeof stopPath>;
export type CallReview = Wire<typeof callReview>;

export const NO_PATH = {
  otherSource: 'It was made on another price source, so its prices can’t be shown.',
  unknown: 'Prices from that time are no longer kept.',
  notYet: 'There has been no trade since it was posted.',
  brokenClock: 'The market’s clock was set back while the call ran, so its price history is unclear.',
} as const;
