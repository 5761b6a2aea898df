import type { CallStatus } from '../../../subjects/calls/rules/types.ts';
import { DASH } from '../../../texts/format.ts';
import { readChoice, readIsoTime, readList, readNumber, readRecord, readText } from '../../../lib/read.ts';
import { readAnswer } from '../../../../web/api/client.ts';

/** A call that is not normal; what is not known of it is null. */
export type ReviewedCall = {
  publicId: string;
  symbol: string;
  submitter: string;
  status: CallStatus | null;
  /** Any but 'normal'. */
  adminStatus: string;
  /** Why it waits for review: a sentence. */
  reviewReason: string | null;
  submittedAt: string | null;
  pocketedValue: number | null;
};

const readStatus = readChoice<CallStatus>(['pending', 'open', 'closed', 'cancelled']);

function readReviewed(value: unknown): ReviewedCall | null {
  const call = readRecord(value);
  const publicId = readText(call['publicId']);
  const adminStatus = readText(call['adminStatus'])?.trim().toLowerCase();
  // Without one it is a call as everybody sees it.
  if (!publicId || !adminStatus || adminStatus === 'normal') return null;
  return {
    publicId,
    symbol: readText(call['symbol']) || DASH,
    submitter: readText(readRecord(call['submittedBy'])['display']) || DASH,
    status: readStatus(call['status']),
    adminStatus,
    reviewReason: readText(call['reviewReason']) || null,
    submittedAt: readIsoTime(call['submittedAt']),
    pocketedValue: readNumber(call['pocketedValue']),
  };
}

const isDecided = ({ adminStatus }: ReviewedCall): number => Number(adminStatus === 'rejected');

/** The queue of moderation in GET /calls/leaderboard (specification 7.7): what waits first, each as it was listed. */
export const readQueue = (body: unknown): ReviewedCall[] =>
  readList(readAnswer(body)['calls'], readReviewed).sort((a, b) => isDecided(a) - isDecided(b));
