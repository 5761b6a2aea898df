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
import { always, object, extension, whereKnown, withMore } from '#lib/contract/objects.ts';
import { adminStatus, call, person } from './call.ts';

/** Upper bounds of the result bins in percent, exclusive; the last bin has none. */
export const RESULT_BINS = [
  { below: -20, label: 'below −20%' },
  { below: -10, label: '−20 to −10%' },
  { below: -5, label: '−10 to −5%' },
  { below: -2, label: '−5 to −2%' },
  { below: 0, label: '−2 to 0%' },
  { below: 2, label: '0 to 2%' },
  { below: 5, label: '2 to 5%' },
  { below: 10, label: '5 to 10%' },
  { below: 20, label: '10 to 20%' },
  { below: Number.POSITIVE_INFINITY, label: '20% and more' },
] as const;

/** Upper bounds of the holding-time bins in days, exclusive; the last bin has none. */
export const HOLDING_BINS = [
  { below: 1 / 24, label: 'under an hour' },
  { below: 1, label: 'under a day' },
  { below: 3, label: '1 to 3 days' },
  { below: 7, label: '3 to 7 days' },
  { below: 30, label: '7 to 30 days' },
  { below: Number.POSITIVE_INFINITY, label: '30 days and more' },
] as const;

/** Members of a ledger entry that are stored as salted hashes. */
export const SALTED_HASHES = ['name', 'rationale', 'reason'] as const;

/** The ledger's newest entry: number, and hash as 64 hex characters. */
const ledgerHead = object({ number: count, hash: words }, ['number', 'hash']);

/** The text behind a salted hash: SHA-256 of the salt, a line feed and the text. */
const ledgerOpening = object({ of: choice(SALTED_HASHES), salt: text, text }, ['of', 'salt', 'text']);

/** An entry exactly as it was hashed, its hash, and its revealed texts. */
const ledgerRow = object(
  {
    line: text,
    hash: text,
    openings: list(ledgerOpening),
    /** The call is in review: the owner's claim and a gain do not count. Omitted otherwise. */
    isInReview: whereKnown(boolean),
    /** Times of the entry by the clock of the call's market. Omitted if that clock equals the server's. */
    marketTimes: whereKnown(map(isoTime)),
  },
  ['line', 'hash'],
);

export const ledgerPage = object(
  {
    lines: list(ledgerRow),
    head: orNull(ledgerHead),
  },
  ['lines'],
);

export const forAdmin = object(
  {
    adminStatus,
    reviewReason: orNull(text),
    /** Prices recorded by the tracker, AUD. Administrators can correct them. */
    highestSinceFill: orNull(number),
    best: orNull(number),
    worst: orNull(number),
  },
  ['adminStatus'],
);

/** A call as its owner sees it, with the tracker's state. */
export const ownCall = object(
  {
    ...call.members,
    /** AUD; for a short call the lowest. */
    highestSinceFill: extension(orNull(number)),
    /** Best and worst price for the owner since the fill, AUD. */
    best: extension(orNull(number)),
    worst: extension(orNull(number)),
    adminStatus: extension(adminStatus),
    reviewReason: extension(orNull(text)),
    /** The pending end that the owner can still undo; `inMs` is the time until it happens. */
    ending: extension(orNull(object({ kind: choice(['close', 'cancel']), inMs: or(number, 0) }, ['kind']))),
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
   * Filled calls with a verified result, and how many of them gained. Calls without an exit count at the last price, so
   * that holding a loss open does not hide it.
   */
  verified: extension(integer),
  wins: extension(integer),
  /** Percent of verified results that gained. */
  winRate: extension(orNull(number)),
  /** Lower end of the 95 % Wilson interval of the win rate, percent. */
  winRateLowerBound: extension(orNull(number)),
  /** Mean verified result, percent. */
  averageVerified: extension(orNull(number)),
  /** Days with results. Calls entered on one day, and overlapping calls on one stock, are one sample. */
  days: extension(integer),
  /** Mean verified result minus the market's own move over the same time (plus it for short calls), percent. */
  averageAgainstMarket: extension(orNull(number)),
  /** Results whose market move is known. An unknown one counts as 0. */
  marketKnown: extension(integer),
  /** Lower bound of the true mean against the market at 97.5 %, percent; null below 10 days. Decides the rank. */
  meanLowerBound: extension(orNull(number)),
  /** As `meanLowerBound`, at 90 %; null below 5 days. Decides the provisional rank. */
  provisionalLowerBound: extension(orNull(number)),
  /** Rank from 1, the best; null if `meanLowerBound` is not above zero. */
  rank: extension(orNull(integer)),
  /** Numbered after all ranks; null for a ranked submitter, and if `provisionalLowerBound` is not above zero. */
  provisionalRank: extension(orNull(integer)),
});

export const leaderboardEntry = object({ submitter: person, metrics: always(metrics) });

/** Ranks of calls on a source that is not running. */
export const otherLeaderboard = object({ source: words, leaderboard: list(leaderboardEntry) }, ['source']);

export const leaderboardAnswer = object({
  calls: list(withMore(call, forAdmin)),
  leaderboard: list(leaderboardEntry),
  source: extension(words),
  otherLeaderboards: extension(list(otherLeaderboard)),
  /** The ledger's newest entry; null if the ledger is empty. */
  ledger: extension(orNull(ledgerHead)),
  /** Epoch ms of the answer. */
  fetchedAt: epochMs,
});

/** Answer of `GET /api/calls/mine`, newest call first. */
export const mineAnswer = object({ calls: list(ownCall) });

const howMany = or(count, 0);

/** A group of results; `mean` is in percent. */
export const resultGroup = always(object({ count: howMany, wins: howMany, mean: orNull(number) }));

/** The verified result of an ended call. A rejected call shows nothing but its result, which still counts. */
export const callResult = object(
  {
    publicId: orNull(words),
    symbol: orNull(words),
    isShort: extension(or(boolean, false)),
    percent: number,
    /** The market's own move over the same time, percent; null if unknown. */
    market: orNull(number),
    /** Epoch ms by the clock of the call's market. */
    endedAt: epochMs,
    /** Time from fill to end, days with decimals. */
    days: or(number, 0),
  },
  ['percent', 'endedAt'],
);

/** Reads a list with one member per bin; a missing member means an empty bin. */
const binned =
  <K>(bins: readonly unknown[], read: (value: unknown) => K) =>
  (value: unknown): K[] =>
    bins.map((_, index) => read(Array.isArray(value) ? value[index] : undefined));

export const endedStats = always(
  object({
    ...resultGroup.members,
    median: orNull(number),
    /** Results minus the market's own move, of those whose market move is known. */
    againstMarket: resultGroup,
    /** The three best and the three worst results, most extreme first. */
    best: list(callResult),
    worst: list(callResult),
    /** Number of results per bin of `RESULT_BINS`. */
    distribution: readBy(list(howMany), binned(RESULT_BINS, howMany.read)),
    /** Results per bin of `HOLDING_BINS`. */
    holding: readBy(list(resultGroup), binned(HOLDING_BINS, resultGroup.read)),
    medianDays: orNull(number),
    /** Results by the month in which the call ended, newest first; `month` is YYYY-MM in Sydney. */
    months: list(object({ month: words, ...resultGroup.members }, ['month'])),
    newest: list(callResult),
  }),
);

/** A submitter's ranks among the calls posted in a quarter. */
export const quarterRecord = object({ quarter: words, metrics: always(metrics) }, ['quarter']);

/** One submitter's calls on one source. */
export const sourceRecord = object(
  {
    source: words,
    metrics: always(metrics),
    /** Ended calls that wait for an exit, that were cancelled before any trade, and that an administrator rejected. */
    awaiting: howMany,
    neverTraded: howMany,
    rejected: howMany,
    ended: endedStats,
    /** Filled calls without an exit, valued at the last price, percent. */
    running: resultGroup,
    /** True if older ended calls were left out because of the limit. */
    isCut: or(boolean, false),
    /** The quarters in which the submitter posted, newest first. */
    quarters: list(quarterRecord),
  },
  ['source'],
);

export const recordAnswer = object({
  submitter: person,
  source: words,
  /** The running source comes first. Results on different sources are not comparable. */
  records: list(sourceRecord),
});

/** Ranks on the running source: of a quarter, or overall if `quarter` is null. */
export const ranksAnswer = object({
  quarter: orNull(words),
  /** The quarters since the first call, newest first. */
  quarters: list(words),
  source: words,
  leaderboard: list(leaderboardEntry),
});
