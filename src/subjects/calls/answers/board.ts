import { choice, epochMs, integer, list, number, or, orNull, text, words } from '#lib/contract/fields.ts';
import { always, object, ours, withMore } from '#lib/contract/objects.ts';
import { adminStatus, call, person } from './call.ts';
import { ledgerHead } from './ledger.ts';

/** What administrators get of a call besides; nothing of it is there for others. */
export const forAdmin = object(
  {
    adminStatus,
    /** Why it waits for review, or did: a sentence. */
    reviewReason: orNull(text),
    /** What the tracker recorded, to be put right where it is wrong; AUD. */
    highestSinceFill: orNull(number),
    best: orNull(number),
    worst: orNull(number),
  },
  ['adminStatus'],
);

/** A call as its owner sees it: with how the tracker has it now. */
export const ownCall = object(
  {
    ...call.members,
    highestSinceFill: ours(orNull(number)),
    /** Highest and lowest price since the fill, AUD. */
    best: ours(orNull(number)),
    worst: ours(orNull(number)),
    adminStatus: ours(adminStatus),
    /** Why it waits for review, or did: a sentence. */
    reviewReason: ours(orNull(text)),
    /** An end that its owner asked for and can still take back, and in how many ms it comes; null while none was. */
    ending: ours(orNull(object({ kind: choice(['close', 'cancel']), inMs: or(number, 0) }, ['kind']))),
  },
  ['publicId'],
);

export const metrics = object({
  total: integer,
  pending: integer,
  open: integer,
  closed: integer,
  cancelled: integer,
  pocketedValue: number,
  averagePocketed: orNull(number),
  /**
   * Filled calls with a verified result, and how many of them gained. One that is open, or whose exit is awaited, counts
   * at the last price: leaving a loss open does not hide it.
   */
  verified: ours(integer),
  wins: ours(integer),
  /** Percent of verified results that gained; null without any. */
  winRate: ours(orNull(number)),
  /** Lower end of the 95 % Wilson interval of the win rate, percent. */
  winRateLowerBound: ours(orNull(number)),
  /** Mean verified result, percent. */
  averageVerified: ours(orNull(number)),
  /** Days with results. Calls entered on one day are one sample, and so are overlapping calls on one stock. */
  days: ours(integer),
  /** Mean verified result less the market's own move over the same time, percent. */
  averageAgainstMarket: ours(orNull(number)),
  /** Lower bound of the true mean against the market at 97.5 %, percent; null below 10 days. The rank goes by it. */
  meanLowerBound: ours(orNull(number)),
  /** The same at 90 %; null below 5 days. The provisional rank goes by it. */
  provisionalLowerBound: ours(orNull(number)),
  /** 1 is best; null if `meanLowerBound` is not above zero. */
  rank: ours(orNull(integer)),
  /** Place behind all ranks; null with a rank, and if `provisionalLowerBound` is not above zero. */
  provisionalRank: ours(orNull(integer)),
});

export const leaderboardEntry = object({ submitter: person, metrics: always(metrics) });

/** The ranks of calls made on a source that does not run now. */
export const otherLeaderboard = object({ source: words, leaderboard: list(leaderboardEntry) }, ['source']);

/** `GET /api/calls/leaderboard`. */
export const leaderboardAnswer = object({
  /** Newest first. Administrators get more of each. */
  calls: list(withMore(call, forAdmin)),
  /** Of calls made on the source that runs. */
  leaderboard: list(leaderboardEntry),
  /** The name of the source that runs. */
  source: ours(words),
  otherLeaderboards: ours(list(otherLeaderboard)),
  /** The last line of the ledger; null while it is empty. */
  ledger: ours(orNull(ledgerHead)),
  /** Epoch ms, when the server put the answer together. */
  fetchedAt: epochMs,
});

/** `GET /api/calls/mine`, newest first. */
export const mineAnswer = object({ calls: list(ownCall) });
