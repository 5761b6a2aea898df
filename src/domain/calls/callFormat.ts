import { DASH, formatNumber, formatShortDate, formatSigned, formatTime, MINUS } from '../format.ts';
import { sydneyDate } from '../market/sydneyTime.ts';
import { readTime } from '../../lib/read.ts';
import type { Call, CallStatus, StopLossType } from './types.ts';

/** A price of a call: at most four decimals, trailing zeros trimmed; a dash when missing. */
export const formatCallPrice = (price: number | null | undefined): string =>
  price === null || price === undefined || !Number.isFinite(price)
    ? DASH
    : formatNumber(price, 4).replace(/\.?0{1,4}$/, '');

/** Pocketed money: sign and $, no decimals from $100 up, otherwise two; a dash when missing. */
export function formatPocketed(value: number | null | undefined): string {
  if (value === null || value === undefined || !Number.isFinite(value)) return DASH;
  const size = Math.abs(value);
  const text = `$${formatNumber(size, size >= 100 ? 0 : 2)}`;
  if (Number(size.toFixed(2)) === 0) return text;
  return `${value > 0 ? '+' : MINUS}${text}`;
}

/** A trailing percentage: one decimal from 10 up, otherwise two. */
export const formatTrailingPercent = (percent: number): string =>
  `${formatNumber(percent, percent >= 10 ? 1 : 2)}%`;

/** The Stop column: a price, a trailing amount, a trailing percentage, or a dash. */
export function formatStop(type: StopLossType | null, value: number | null): string {
  if (type === null || type === 'NONE' || value === null) return DASH;
  return type === 'TRAILING_PCT' ? formatTrailingPercent(value) : formatCallPrice(value);
}

/** A result in percent with its sign and one decimal; a dash when missing. */
export const formatResult = (percent: number | null | undefined): string =>
  percent === null || percent === undefined ? DASH : `${formatSigned(percent, 1)}%`;

/** A share in percent, one decimal, without a sign; a dash when missing. */
export const formatShare = (percent: number | null | undefined): string =>
  percent === null || percent === undefined ? DASH : `${formatNumber(percent, 1)}%`;

/** Pending, Open, Closed, Cancelled; a dash when missing. */
export const formatStatus = (status: CallStatus | null): string =>
  status === null ? DASH : status.charAt(0).toUpperCase() + status.slice(1);

/** Bought for a filled position, Buy for one that waits for its fill; a dash when missing. */
export const formatType = (type: Call['callType'] | null): string =>
  type === null ? DASH : type === 'bought' ? 'Bought' : 'Buy';

/** Day and time in Sydney: '21 Nov 10:42'. @param time epoch ms or ISO 8601; a dash when it is neither */
export function formatMoment(time: number | string | null | undefined): string {
  const known = readTime(time);
  if (known === null) return DASH;
  const date = sydneyDate(known);
  return `${formatShortDate(date, date)} ${formatTime(known)}`;
}

/** Days with one decimal; a dash when missing. */
export const formatDays = (days: number | null | undefined): string => formatNumber(days, 1);

/** Which levels were reached and when: 'Target 21 Nov 10:42, Stop 22 Nov 11:00'; a dash when none was. */
export function formatReached(call: Pick<Call, 'targetReached' | 'stopReached'>): string {
  const parts = [
    call.targetReached && `Target ${formatMoment(call.targetReached.at)}`,
    call.stopReached && `Stop ${formatMoment(call.stopReached.at)}`,
  ].filter((part) => part !== null);
  return parts.length === 0 ? DASH : parts.join(', ');
}
