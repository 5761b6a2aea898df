import {
  boolean,
  choice,
  count,
  epochMs,
  integer,
  isoTime,
  list,
  map,
  number,
  or,
  orNull,
  readBy,
  text,
  words,
} from '#lib/contract/fields.ts';
import { always, object, ours, whereKnown, withMore } from '#lib/contract/objects.ts';
import { COMMITMENTS } from '../rules/ledger/line.ts';
import { HOLDING_BINS, RESULT_BINS } from '../rules/record.ts';
import { adminStatus, call, person } from './call.ts';

/** The last line of the ledger: its number and its hash, 64 hex characters. */
const ledgerHead = object({ number: count, hash: words }, ['number', 'hash']);

/** What a commitment in a line was made of: SHA-256 of the salt, a line feed and the text. */
const ledgerOpening = object({ of: choice(COMMITMENTS), salt: text, text }, ['of', 'salt', 'text']);

/** A line exactly as it was hashed, its hash, and what is still told of its commitments. */
const ledgerRow = object(
  {
    line: text,
    hash: text,
    openings: list(ledgerOpening),
    /** Its call is in review: what its owner claims and a gain do not count. Only there if it is. */
    isInReview: whereKnown(boolean),
    /** Times of the line as the clock of the call's market had them. Only there if that clock differs from the server's. */
    marketTimes: whereKnown(map(isoTime)),
  },
  ['line', 'hash'],
);

/** `GET /api/calls/ledger`. */
export const ledgerPage = object(
  {
    /** In the order of their numbers. */
    lines: list(ledgerRow),
    head: orNull(ledgerHead),
  },
  ['lines'],
);

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

const howMany = or(count, 0);

/** Results of one kind: how many there are, how many gained, their mean in percent. */
export const resultGroup = always(object({ count: howMany, wins: howMany, mean: orNull(number) }));

/** A verified result of an ended call. Of a call that was rejected nothing is told but its result, which counts. */
export const callResult = object(
  {
    publicId: orNull(words),
    symbol: orNull(words),
    /** Percent. */
    percent: number,
    /** When the call ended, epoch ms by the clock of its market. */
    endedAt: epochMs,
    /** From fill to end, days with decimals. */
    days: or(number, 0),
  },
  ['percent', 'endedAt'],
);

/** As many members as there are bins; what is not told is empty. */
const binned =
  <K>(bins: readonly unknown[], read: (value: unknown) => K) =>
  (value: unknown): K[] =>
    bins.map((_, index) => read(Array.isArray(value) ? value[index] : undefined));

/** What the verified results of somebody's ended calls say. */
export const endedStats = always(
  object({
    ...resultGroup.members,
    median: orNull(number),
    /** The best and the worst three, the furthest first. */
    best: list(callResult),
    worst: list(callResult),
    /** How many lie in each of `RESULT_BINS`. */
    distribution: readBy(list(howMany), binned(RESULT_BINS, howMany.read)),
    /** Of each of `HOLDING_BINS`. */
    holding: readBy(list(resultGroup), binned(HOLDING_BINS, resultGroup.read)),
    medianDays: orNull(number),
    /** By the month in which they ended, the newest first; `month` is YYYY-MM in Sydney. */
    months: list(object({ month: words, ...resultGroup.members }, ['month'])),
    /** The newest, in the order in which they ended. */
    newest: list(callResult),
  }),
);

/** One submitter's calls on one source. */
export const sourceRecord = object(
  {
    source: words,
    metrics: always(metrics),
    /** Ended calls whose exit is awaited; cancelled before any trade; rejected by an administrator. */
    awaiting: howMany,
    neverTraded: howMany,
    rejected: howMany,
    ended: endedStats,
    /** Filled calls without an exit, at the last price; percent. */
    running: resultGroup,
    /** Whether only the newest ended calls were looked at. */
    isCut: or(boolean, false),
  },
  ['source'],
);

/** `GET /api/calls/by/:name`. */
export const recordAnswer = object({
  submitter: person,
  /** The name of the source that runs. */
  source: words,
  /** That of the source that runs first; results on different sources can't be compared. */
  records: list(sourceRecord),
});
