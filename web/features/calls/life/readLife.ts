import type { CallPath, CallReview, StopPath } from '../../../../src/domain/calls/life.ts';
import type { Call } from '../../../../src/domain/calls/types.ts';
import { CHART_TIMEFRAMES } from '../../../../src/domain/charts/bars.ts';
import { isRecord } from '../../../../src/lib/json.ts';
import {
  readChoice,
  readList,
  readNumber,
  readRecord,
  readText,
  readTime,
} from '../../../../src/lib/read.ts';
import { api, ApiError, NETWORK_ERROR, readAnswer, unwrap } from '../../../shared/api/client.ts';
import { readColumns, readSpan } from '../../../shared/chart/readBars.ts';
import { type Read, readCall } from '../readCalls.ts';

/** A call's life as it was read. */
export type Life = {
  call: Read<Call>;
  path: CallPath | null;
  whyNoPath: string | null;
  stop: StopPath | null;
  review: CallReview | null;
};

const readTimeframe = readChoice(CHART_TIMEFRAMES);
const readFrom = readChoice<StopPath['from']>(['tracker', 'bars']);

function readPath(value: unknown): CallPath | null {
  if (!isRecord(value)) return null;
  const bars = readColumns(value.bars);
  if (bars.time.length === 0) return null;
  return {
    tf: readTimeframe(value.tf) ?? '1',
    bars,
    unknown: readList(value.unknown, readSpan),
    knownSince: readTime(value.knownSince),
  };
}

function readStop(value: unknown): StopPath | null {
  if (!isRecord(value)) return null;
  const time = readList(value.time, readNumber);
  const price = readList(value.price, readNumber);
  const isWhole = time.length > 0 && time.length === price.length;
  return isWhole ? { from: readFrom(value.from) ?? 'tracker', time, price } : null;
}

const readReviewStatus = readChoice<CallReview['status']>(['review', 'rejected']);

function readReview(value: unknown): CallReview | null {
  const { status, reason } = readRecord(value);
  const known = readReviewStatus(status);
  return known === null ? null : { status: known, reason: readText(reason)?.trim() || null };
}

/** `GET /api/calls/:publicId`. @throws ApiError for what is no such answer */
export function readLife(body: unknown): Life {
  const answer = readAnswer(body);
  const call = readCall(answer.call);
  if (call === null) throw new ApiError(NETWORK_ERROR, 502, body);
  return {
    call,
    path: readPath(answer.path),
    whyNoPath: readText(answer.whyNoPath) || null,
    stop: readStop(answer.stop),
    review: readReview(answer.review),
  };
}

/** A call with its price path. @throws ApiError; 404 when there is no such call for this caller */
export const fetchLife = (publicId: string): Promise<Life> =>
  unwrap(api.calls({ publicId: encodeURIComponent(publicId) }).get(), readLife);
