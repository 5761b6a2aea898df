import { formatMoment, DASH, formatNumber, formatSigned } from '#texts/format.ts';
import { replayLabel, SIMULATED } from '#market/rules/replay.ts';
import { lookUp } from '#lib/json.ts';
import { capitalised } from '#lib/wording.ts';
import { numericText } from '#lib/numericInput.ts';
import { readTime } from '#lib/read.ts';
import { MIN_RANK_DAYS } from './rankBounds.ts';
import type { Side } from './side.ts';
import type { Call, CallStatus, LeaderboardMetrics, StopLossType } from './types.ts';

/** Formats a price with at most four decimals and no trailing zeros; a dash if it is missing. */
export const formatCallPrice = (price: number | null | undefined): string =>
  price === null || price === undefined || !Number.isFinite(price)
    ? DASH
    : formatNumber(price, 4).replace(/\.?0{1,4}$/, '');

/** Formats all prices with the decimals of the longest: '40.00', '37.25'. */
export function formatAlike(...prices: (number | null | undefined)[]): string[] {
  const texts = prices.map(formatCallPrice);
  const decimals = Math.max(...texts.map((text) => text.split('.')[1]?.length ?? 0));
  return prices.map((price, index) => (texts[index] === DASH ? DASH : formatNumber(price ?? null, decimals)));
}

/** Blanks as wide as a digit and a decimal point. */
const [DIGIT, POINT] = ['\u2007', '\u2008'];

/** Adds blanks for missing decimals, so that the points of a column align. Changes only numbers. */
export function alignPoint(text: string, decimals: number): string {
  if (!/^[+−]?\$?[\d,]{1,20}(?:\.\d{1,10})?$/.test(text)) return text;
  const point = text.indexOf('.');
  const has = point === -1 ? 0 : text.length - point - 1;
  return text + (point === -1 ? POINT : '') + DIGIT.repeat(Math.max(0, decimals - has));
}

/** Formats a trailing percentage: one decimal from 10 up, otherwise two. */
export const formatTrailingPercent = (percent: number): string =>
  `${formatNumber(percent, percent >= 10 ? 1 : 2)}%`;

/** Formats a stop: a price, a trailing amount, a trailing percentage, or a dash. */
export function formatStop(type: StopLossType | null, value: number | null): string {
  if (type === null || type === 'NONE' || value === null) return DASH;
  return type === 'TRAILING_PCT' ? formatTrailingPercent(value) : formatCallPrice(value);
}

/** Formats a signed percentage with one decimal; a dash if it is missing. */
export const formatResult = (percent: number | null | undefined): string =>
  percent === null || percent === undefined ? DASH : `${formatSigned(percent, 1)}%`;

/** Formats an unsigned percentage with one decimal; a dash if it is missing. */
export const formatShare = (percent: number | null | undefined): string =>
  percent === null || percent === undefined ? DASH : `${formatNumber(percent, 1)}%`;

type Ranked = { [K in 'rank' | 'provisionalRank' | 'days']: LeaderboardMetrics[K] | null };

/** Formats a rank: '3', '7 provisional', or why there is none. */
export function formatRank({ rank, provisionalRank, days }: Ranked): string {
  if (rank !== null) return String(rank);
  if (provisionalRank !== null) return `${provisionalRank} provisional`;
  return (days ?? 0) >= MIN_RANK_DAYS ? 'No rank' : `Too few to rank (${days ?? 0} of ${MIN_RANK_DAYS} days)`;
}

/** The mean against the market; null if the market's move is unknown for every result. */
export const againstMarketOf = ({
  averageAgainstMarket,
  marketKnown,
}: Record<'averageAgainstMarket' | 'marketKnown', number | null>): number | null =>
  marketKnown === 0 ? null : averageAgainstMarket;

export const formatStatus = (status: CallStatus | null): string =>
  status === null ? DASH : capitalised(status);

/** 'Buy' and 'Bought', or 'Short' and 'Shorted'. */
export function formatType({ callType, isShort }: Side & { callType: Call['callType'] | null }): string {
  if (callType === null) return DASH;
  return callType === 'bought' ? (isShort ? 'Shorted' : 'Bought') : isShort ? 'Short' : 'Buy';
}

/** '12 min', '3 h 20 min', '2.4 days'; a dash if missing. @param days with decimals */
export function formatHeld(days: number | null | undefined): string {
  if (days === null || days === undefined || !Number.isFinite(days)) return DASH;
  const minutes = Math.round(days * 24 * 60);
  if (minutes < 60) return `${minutes} min`;
  if (minutes < 24 * 60)
    return `${Math.floor(minutes / 60)} h${minutes % 60 === 0 ? '' : ` ${minutes % 60} min`}`;
  return `${formatNumber(days, 1)} days`;
}

/** Days from the fill to the end, or to the stop if it was reached earlier; null while the call runs. */
export function heldDays(call: {
  filledAt: string | null;
  closedAt: string | null;
  stopReached: { at: string } | null;
}): number | null {
  const [from, to] = [readTime(call.filledAt), readTime(call.stopReached?.at ?? call.closedAt)];
  return from === null || to === null ? null : Math.max(0, to - from) / 86_400_000;
}

/** Describes a stop: 'stop 38', 'stop trailing 2% below the high', 'no stop'. */
export function stopWords({
  stopLossType: type,
  stopLoss: value,
  isShort,
}: Side & { stopLossType: StopLossType | null; stopLoss: number | null }): string {
  if (type === null || type === 'NONE' || value === null) return 'no stop';
  if (type === 'HARD') return `stop ${formatCallPrice(value)}`;
  const trail = type === 'TRAILING_PCT' ? `${numericText(value)}%` : formatCallPrice(value);
  return `stop trailing ${trailing(trail, isShort)}`;
}

/** '2% below the high'; for a short position 'above the low'. */
export const trailing = (distance: string, isShort: boolean): string =>
  `${distance} ${isShort ? 'above the low' : 'below the high'}`;

/** 'Target 21 Nov 10:42, Stop 22 Nov 11:00'; a dash if neither was reached. */
export function formatReached(call: Pick<Call, 'targetReached' | 'stopReached'>): string {
  const parts = [
    call.targetReached && `Target ${formatMoment(call.targetReached.at)}`,
    call.stopReached && `Stop ${formatMoment(call.stopReached.at)}`,
  ].filter((part) => part !== null);
  return parts.length === 0 ? DASH : parts.join(', ');
}

const LABELS: Readonly<Record<string, string>> = {
  simulator: SIMULATED,
  tradingview: 'TradingView',
  ingest: 'Broker feed',
  unknown: 'Not recorded',
};

/** Source name of a replay: the recording's source and date. */
const REPLAY = /^replay-(.{1,200})-(\d{4}-\d{2}-\d{2})$/;

/** A readable name of a price source; an unknown source keeps its own name. */
export function sourceLabel(source: string | null): string {
  if (source === null) return 'Not recorded';
  const [, recorded = '', date] = REPLAY.exec(source) ?? [];
  return date === undefined ? nameOf(source) : replayLabel(nameOf(recorded), date);
}

const nameOf = (source: string): string => lookUp(LABELS, source) ?? source;
