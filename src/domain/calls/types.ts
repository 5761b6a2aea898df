export const STOP_LOSS_TYPES = ['NONE', 'HARD', 'TRAILING_ABS', 'TRAILING_PCT'] as const;

/** 'bought' when the position is already filled, 'buy' when it still has to fill. */
export type CallType = 'buy' | 'bought';
export type CallStatus = 'pending' | 'open' | 'closed' | 'cancelled';
export type StopLossType = (typeof STOP_LOSS_TYPES)[number];
/** 'review' waits for an administrator; what of it and of 'rejected' counts: `counting.ts`. */
export type AdminStatus = 'normal' | 'review' | 'rejected';

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

/** A level that the market traded at or through: when, and the price that was traded there. */
export type Reached = { at: string; price: number };

/** What the recorded prices say of an ended call, beside what its owner says. */
export type VerifiedResult = {
  /** Percent from the verified entry to the verified exit. */
  percent: number;
  /** Percent from the verified entry to the highest and the lowest price since the fill. */
  bestPercent: number;
  worstPercent: number;
  /** Days from fill to closing, one decimal. */
  daysOpen: number;
  /** The price counted from: the dearer of the claim and the first trade after the submission. */
  entryPrice: number;
  /** The price counted to: the cheaper of the last price at the end and the first trade after it. */
  exitPrice: number;
};

/** The trade that a result waits for: the first one after the submission, or after the end. */
export type AwaitedTrade = 'entry' | 'exit';

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

/** A mark's value: a trade, a price in AUD, whether prices are followed, or null for nothing recorded. */
export type MarkValue = Reached | number | boolean | null;
export type MarkChange = { mark: Mark; before: MarkValue; after: MarkValue };

/** What an administrator put right, beside what had been recorded. */
export type Correction = {
  /** ISO 8601 UTC. */
  at: string;
  by: { display: string };
  reason: string;
  changes: MarkChange[];
};

/**
 * One call as it leaves the server. Times are ISO 8601 UTC by the clock of the market that it was made on, which on a
 * simulated one is not the wall clock. `publicId` is the only id that is sent.
 */
export type Call = {
  publicId: string;
  symbol: string;
  /** The name of the market source that it was made on, and is followed on alone; 'unknown' when that was not kept. */
  source: string;
  callType: CallType;
  status: CallStatus;
  entryPrice: number;
  targetPrice: number;
  stopLoss: number | null;
  stopLossType: StopLossType;
  /** Where the stop stood when it was last written; null without one, or before the fill of a trailing one. */
  stopLevel: number | null;
  /** Why, in the submitter's own words: one line of plain text. */
  rationale: string | null;
  pocketedValue: number | null;
  submittedAt: string;
  /** When it was closed or cancelled. */
  closedAt: string | null;
  submittedBy: { display: string };
  /** Last price of the symbol when the call was submitted and when it ended. */
  priceAtSubmission: number | null;
  priceAtClose: number | null;
  filledAt: string | null;
  fillPrice: number | null;
  /** The first trade after the submission, for `buy` the fill; and the first one after the end. */
  entryTrade: Reached | null;
  exitTrade: Reached | null;
  targetReached: Reached | null;
  stopReached: Reached | null;
  verified: VerifiedResult | null;
  /** Why prices are no longer followed: a sentence; null while they are. */
  trackingPaused: string | null;
  /** The trade that the result waits for; null when it waits for none. */
  awaitingTrade: AwaitedTrade | null;
  /** Oldest first. */
  corrections: Correction[];
};

/** How a call is ended by its owner. */
export type EndKind = 'close' | 'cancel';

/** An end that its owner asked for and can still take back, and in how many ms it comes. */
export type ComingEnd = { kind: EndKind; inMs: number };

/** A call as its owner sees it: with how the tracker has it now. */
export type OwnCall = Call & {
  highestSinceFill: number | null;
  adminStatus: AdminStatus;
  /** Why it waits for review, or did: a sentence. */
  reviewReason: string | null;
  /** Null while no end was asked for. */
  ending: ComingEnd | null;
};

/** A call as administrators see it. */
export type AdminCall = Call & {
  adminStatus: AdminStatus;
  reviewReason: string | null;
  /** What the tracker recorded, to be put right where it is wrong; AUD. */
  highestSinceFill: number | null;
  best: number | null;
  worst: number | null;
};

export type LeaderboardMetrics = {
  total: number;
  pending: number;
  open: number;
  closed: number;
  cancelled: number;
  pocketedValue: number;
  averagePocketed: number | null;
  /**
   * Filled calls with a verified result, and how many of them gained. One that is open, or whose exit is awaited, counts
   * at the last price: leaving a loss open does not hide it.
   */
  verified: number;
  wins: number;
  /** Percent of verified results that gained; null without any. */
  winRate: number | null;
  /** Lower end of the 95 % Wilson interval of the win rate, percent. */
  winRateLowerBound: number | null;
  /** Mean verified result, percent. */
  averageVerified: number | null;
  /** What that mean is at least, at 99.9 %: `meanBound.ts`; percent. The rank goes by it. */
  meanLowerBound: number | null;
  /** 1 is best; null below 20 verified results, and where `meanLowerBound` is not above zero. */
  rank: number | null;
};

export type LeaderboardEntry = { submitter: { display: string }; metrics: LeaderboardMetrics };

/** The ranks of calls made on a source that does not run now. */
export type OtherLeaderboard = { source: string; leaderboard: LeaderboardEntry[] };

export type LeaderboardAnswer = {
  /** Newest first. Administrators get more of each. */
  calls: (Call & Partial<Omit<AdminCall, keyof Call>>)[];
  /** Of calls made on the source that runs. */
  leaderboard: LeaderboardEntry[];
  /** The name of the source that runs. */
  source: string;
  otherLeaderboards: OtherLeaderboard[];
  /** Epoch ms, when the server put the answer together. */
  fetchedAt: number;
};

/** What a user's windows are told of their own calls, on the alert stream. */
export type CallEvents = {
  /** A call was submitted, filled, ended, settled or moderated, wherever that was done: own calls are to be read again. */
  calls_changed: Record<string, never>;
};

/** Tells a user's open windows, wherever there are some. */
export type CallsTeller = { callsChanged(userId: number): void };
