import { fromSydney, sydneyOffset } from '../rules/sydneyTime.ts';
import { isTradingDay } from '../rules/tradingDay.ts';
import { isRecord } from '#lib/json.ts';
import { RecordingError } from './errors.ts';
import type { RecordingHead } from './types.ts';
import { twoDigits } from '#lib/text.ts';

export const VERSION = 1;

const MINUTE_MS = 60_000;
const DATE = /^\d{4}-\d{2}-\d{2}$/;
const MAX_TEXT = 200;

/** Sydney's offset from UTC at noon of a date, minutes. */
export const utcOffsetOf = (date: string): number => sydneyOffset(fromSydney(date, 12, 0)) / MINUTE_MS;

const isText = (value: unknown): value is string => typeof value === 'string' && value.length <= MAX_TEXT;

function isHead(value: unknown): value is RecordingHead {
  if (!isRecord(value) || !isRecord(value['source'])) return false;
  const { date, utcOffsetMinutes, startedAt, source } = value;
  return (
    isText(date) &&
    DATE.test(date) &&
    !Number.isNaN(Date.parse(date)) &&
    Number.isInteger(utcOffsetMinutes) &&
    Number.isSafeInteger(startedAt) &&
    isText(source['name']) &&
    isText(source['label']) &&
    (source['days'] === 'consecutive' || source['days'] === 'independent') &&
    Number.isFinite(source['delayMinutes'])
  );
}

const sign = (minutes: number): string =>
  `UTC${minutes < 0 ? '−' : '+'}${String(Math.floor(Math.abs(minutes) / 60))}:${twoDigits(Math.abs(minutes) % 60)}`;

/**
 * The head of a recording that this machine can play.
 * @param offsetOf Sydney's offset from UTC on a date as this machine knows it, minutes
 * @throws RecordingError with a sentence for one that it can't play
 */
export function checkHead(value: unknown, offsetOf: (date: string) => number = utcOffsetOf): RecordingHead {
  if (!isHead(value))
    throw new RecordingError('The head of the recording is damaged, so it can not be played.');
  const { date, utcOffsetMinutes } = value;
  if (!isTradingDay(date))
    throw new RecordingError(`The recording is dated ${date}, which is not a trading day.`);
  const own = offsetOf(date);
  if (own !== utcOffsetMinutes)
    throw new RecordingError(
      `The recording was made with another rule of Sydney time: ${sign(utcOffsetMinutes)} on ${date}, here it is ${sign(own)}. Bring both machines to the same time zone data.`,
    );
  return value;
}
