import { MARKS, STOP_LOSS_TYPES } from '../../../src/domain/calls/types.ts';
import type {
  AdminStatus,
  AwaitedTrade,
  Call,
  CallStatus,
  CallType,
  ComingEnd,
  Correction,
  EndKind,
  LeaderboardAnswer,
  LeaderboardMetrics,
  Mark,
  MarkChange,
  MarkValue,
  OwnCall,
  Reached,
  StopLossType,
  VerifiedResult,
} from '../../../src/domain/calls/types.ts';
import { DASH } from '../../../src/domain/format.ts';
import { isRecord } from '../../../src/lib/json.ts';
import {
  readChoice,
  readIsoTime,
  readList,
  readNumber,
  readRecord,
  readText,
  readTime,
} from '../../../src/lib/read.ts';
import { readAnswer } from '../../shared/api/client.ts';

export type Nullable<T> = { [K in keyof T]: T[K] | null };
/** What the server always says of a call, and a page of another version may not find. */
type Unsure =
  | 'callType'
  | 'status'
  | 'entryPrice'
  | 'targetPrice'
  | 'stopLossType'
  | 'submittedAt'
  | 'source'
  | 'verified';
/** A call as it was read; what is not known is null. */
export type Read<T extends Call> = Omit<T, Unsure> &
  Nullable<Pick<T, Exclude<Unsure, 'verified'>>> & { verified: Nullable<VerifiedResult> | null };

/** A call of anybody; what is not known is null. */
export type BoardCall = Read<LeaderboardAnswer['calls'][number]>;
/** An own call as it was read; what is not known is null. */
type ReadOwnCall = Omit<Read<OwnCall>, 'adminStatus'> & Nullable<Pick<OwnCall, 'adminStatus'>>;
/** An own call, and when its end comes unless it is taken back, by the clock of `performance`, in ms. */
export type MyCall = Omit<ReadOwnCall, 'ending'> & { ending: { kind: EndKind; dueAt: number } | null };
/** A line of the leaderboard; what is not known is null. */
export type Submitter = { submitter: { display: string }; metrics: Nullable<LeaderboardMetrics> };
/** The ranks of calls made on a source that does not run now. */
export type SourceRanks = { source: string; leaderboard: Submitter[] };
export type Board = {
  /** Newest first. */
  calls: BoardCall[];
  /** Of calls made on the source that runs. */
  leaderboard: Submitter[];
  /** The name of the source that runs; null when the server does not say it. */
  source: string | null;
  otherLeaderboards: SourceRanks[];
  /** Epoch ms, when the server put the answer together. */
  fetchedAt: number | null;
};

const readType = readChoice<CallType>(['buy', 'bought']);
const readStatus = readChoice<CallStatus>(['pending', 'open', 'closed', 'cancelled']);
const readStopType = readChoice<StopLossType>(STOP_LOSS_TYPES);
const readMark = readChoice<Mark>(MARKS);
const readAwaited = readChoice<AwaitedTrade>(['entry', 'exit']);
const readEndKind = readChoice<EndKind>(['close', 'cancel']);
const readAdminStatus = readChoice<AdminStatus>(['normal', 'review', 'rejected']);

/** Somebody's name; a dash when the server does not say it. */
export const readPerson = (value: unknown): { display: string } => ({
  display: readText(readRecord(value).display) || DASH,
});

function readReached(value: unknown): Reached | null {
  const { at, price } = readRecord(value);
  const time = readIsoTime(at);
  const level = readNumber(price);
  return time !== null && level !== null ? { at: time, price: level } : null;
}

function readVerified(value: unknown): Nullable<VerifiedResult> | null {
  if (!isRecord(value)) return null;
  return {
    percent: readNumber(value.percent),
    bestPercent: readNumber(value.bestPercent),
    worstPercent: readNumber(value.worstPercent),
    daysOpen: readNumber(value.daysOpen),
    entryPrice: readNumber(value.entryPrice),
    exitPrice: readNumber(value.exitPrice),
  };
}

const readMarkValue = (value: unknown): MarkValue =>
  typeof value === 'boolean' ? value : (readReached(value) ?? readNumber(value));

function readChange(value: unknown): MarkChange | null {
  const { mark, before, after } = readRecord(value);
  const known = readMark(mark);
  return known && { mark: known, before: readMarkValue(before), after: readMarkValue(after) };
}

function readCorrection(value: unknown): Correction | null {
  const { at, by, reason, changes } = readRecord(value);
  const time = readIsoTime(at);
  if (time === null) return null;
  return {
    at: time,
    by: readPerson(by),
    reason: readText(reason) || DASH,
    changes: readList(changes, readChange),
  };
}

/** What all calls have; null for what has no id, as nothing can be done with it. */
export function readCall(value: unknown): Read<Call> | null {
  const call = readRecord(value);
  const publicId = readText(call.publicId);
  if (!publicId) return null;
  return {
    publicId,
    symbol: readText(call.symbol) || DASH,
    source: readText(call.source) || null,
    callType: readType(call.callType),
    status: readStatus(call.status),
    entryPrice: readNumber(call.entryPrice),
    targetPrice: readNumber(call.targetPrice),
    stopLoss: readNumber(call.stopLoss),
    stopLossType: readStopType(call.stopLossType),
    stopLevel: readNumber(call.stopLevel),
    rationale: readText(call.rationale) || null,
    pocketedValue: readNumber(call.pocketedValue),
    submittedAt: readIsoTime(call.submittedAt),
    closedAt: readIsoTime(call.closedAt),
    submittedBy: readPerson(call.submittedBy),
    priceAtSubmission: readNumber(call.priceAtSubmission),
    priceAtClose: readNumber(call.priceAtClose),
    filledAt: readIsoTime(call.filledAt),
    fillPrice: readNumber(call.fillPrice),
    entryTrade: readReached(call.entryTrade),
    exitTrade: readReached(call.exitTrade),
    targetReached: readReached(call.targetReached),
    stopReached: readReached(call.stopReached),
    verified: readVerified(call.verified),
    trackingPaused: readText(call.trackingPaused),
    awaitingTrade: readAwaited(call.awaitingTrade),
    corrections: readList(call.corrections, readCorrection),
  };
}

function readBoardCall(value: unknown): BoardCall | null {
  const call = readCall(value);
  const { adminStatus, reviewReason, highestSinceFill, best, worst } = readRecord(value);
  const status = readAdminStatus(adminStatus);
  // Only administrators get these.
  if (!call || !status) return call;
  return {
    ...call,
    adminStatus: status,
    reviewReason: readText(reviewReason),
    highestSinceFill: readNumber(highestSinceFill),
    best: readNumber(best),
    worst: readNumber(worst),
  };
}

function readEnding(value: unknown): ComingEnd | null {
  const { kind, inMs } = readRecord(value);
  const known = readEndKind(kind);
  return known && { kind: known, inMs: readNumber(inMs) ?? 0 };
}

function readMyCall(value: unknown): ReadOwnCall | null {
  const call = readCall(value);
  const { highestSinceFill, adminStatus, reviewReason, ending } = readRecord(value);
  return (
    call && {
      ...call,
      highestSinceFill: readNumber(highestSinceFill),
      adminStatus: readAdminStatus(adminStatus),
      reviewReason: readText(reviewReason),
      ending: readEnding(ending),
    }
  );
}

/** What is counted of a submitter; what is not known is null. */
export function readMetrics(value: unknown): Nullable<LeaderboardMetrics> {
  const metrics = readRecord(value);
  return {
    total: readNumber(metrics.total),
    pending: readNumber(metrics.pending),
    open: readNumber(metrics.open),
    closed: readNumber(metrics.closed),
    cancelled: readNumber(metrics.cancelled),
    pocketedValue: readNumber(metrics.pocketedValue),
    averagePocketed: readNumber(metrics.averagePocketed),
    verified: readNumber(metrics.verified),
    wins: readNumber(metrics.wins),
    winRate: readNumber(metrics.winRate),
    winRateLowerBound: readNumber(metrics.winRateLowerBound),
    averageVerified: readNumber(metrics.averageVerified),
    meanLowerBound: readNumber(metrics.meanLowerBound),
    rank: readNumber(metrics.rank),
  };
}

function readSubmitter(value: unknown): Submitter | null {
  if (!isRecord(value)) return null;
  return { submitter: readPerson(value.submitter), metrics: readMetrics(value.metrics) };
}

function readSourceRanks(value: unknown): SourceRanks | null {
  const { source, leaderboard } = readRecord(value);
  const name = readText(source);
  return name ? { source: name, leaderboard: readList(leaderboard, readSubmitter) } : null;
}

/** GET /calls/leaderboard (specification 7.5). */
export function readBoard(body: unknown): Board {
  const { calls, leaderboard, source, otherLeaderboards, fetchedAt } = readAnswer(body);
  return {
    calls: readList(calls, readBoardCall),
    leaderboard: readList(leaderboard, readSubmitter),
    source: readText(source) || null,
    otherLeaderboards: readList(otherLeaderboards, readSourceRanks),
    fetchedAt: readTime(fetchedAt),
  };
}

/** GET /calls/mine (specification 7.5). */
export const readMine = (body: unknown): { calls: ReadOwnCall[] } => ({
  calls: readList(readAnswer(body).calls, readMyCall),
});
