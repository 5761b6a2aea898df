import { numericText } from '#lib/numericInput.ts';
import { normaliseSymbol } from '#market/rules/liveSymbols.ts';
import { stepIndex } from '#market/rules/priceStep.ts';
import { formatSigned } from '#texts/format.ts';
import { trailing } from './callFormat.ts';
import { stopLevelOf } from './tracker.ts';
import type { CallInput } from './callRules.ts';
import type { OwnCall } from './types.ts';

/** `isClose`: the level is within two price steps of the entry. */
type SummaryPart = { text: string; isClose: boolean };

/** A target or stop within this many price steps is close: normal trading reaches it soon. */
const CLOSE_STEPS = 2;

/** Formats a percentage with enough decimals for small moves: '+8.6', '+0.25', '+0.002'. */
function formatPercent(percent: number): string {
  const size = Math.abs(percent);
  return `${formatSigned(percent, size >= 1 ? 1 : size >= 0.1 ? 2 : 3)}%`;
}

/** 'no price step', 'one price step', '12 price steps'; fractions get one decimal. */
function formatSteps(steps: number): string {
  const size = Math.round(Math.abs(steps) * 10) / 10;
  if (size === 0) return 'no price step';
  if (size < 1) return 'less than one price step';
  return size === 1 ? 'one price step' : `${size} price steps`;
}

const stepsBetween = (from: number, to: number): number => stepIndex(to) - stepIndex(from);

const isCloseTo = (entry: number, level: number): boolean =>
  Math.abs(stepsBetween(entry, level)) <= CLOSE_STEPS + 1e-9;

const distance = (entry: number, level: number): string =>
  `(${formatPercent((level / entry - 1) * 100)}, ${formatSteps(stepsBetween(entry, level))})`;

function stopPart(form: CallInput, entry: number): SummaryPart {
  const { stopLossType, stopLoss } = form;
  if (stopLossType === 'NONE') return { text: 'no stop', isClose: false };
  if (stopLoss === null) return { text: 'stop not given yet', isClose: false };
  const value = numericText(stopLoss);
  const level = stopLevelOf(form, entry);
  if (level === null || level <= 0) return { text: `stop ${value}`, isClose: false };
  const isClose = isCloseTo(entry, level);
  if (stopLossType === 'HARD') return { text: `stop ${value} ${distance(entry, level)}`, isClose };
  const trail = stopLossType === 'TRAILING_PCT' ? `${value}%` : value;
  return {
    text: `stop trailing ${trailing(trail, form.isShort)}, ${numericText(level)} at first ${distance(entry, level)}`,
    isClose,
  };
}

/**
 * 'Buy BHP at 55.24', 'target 55.241 (+0.002%, less than one price step)', 'stop 55.239 (…)', 'already filled'.
 * @returns parts to join by commas; null until symbol, entry and target are known
 */
export function summariseCall(form: CallInput): SummaryPart[] | null {
  const { entryPrice: entry, targetPrice: target } = form;
  const symbol = normaliseSymbol(form.symbol);
  if (symbol === '' || entry === null || entry <= 0 || target === null || target <= 0) return null;
  return [
    { text: `${form.isShort ? 'Short' : 'Buy'} ${symbol} at ${numericText(entry)}`, isClose: false },
    {
      text: `target ${numericText(target)} ${distance(entry, target)}`,
      isClose: isCloseTo(entry, target),
    },
    stopPart(form, entry),
    { text: form.callType === 'bought' ? 'already filled' : 'not filled yet', isClose: false },
  ];
}

/** 'Target and stop are within two price steps of the entry.'; null if no level is close. */
export function closeText(parts: readonly SummaryPart[]): string | null {
  const names = ['Target', 'Stop'].filter((_, index) => parts[index + 1]?.isClose);
  if (names.length === 0) return null;
  return names.length === 2
    ? 'Target and stop are within two price steps of the entry.'
    : `${names[0]} is within two price steps of the entry.`;
}

/** A call in an exported file, for reading only: a call cannot be posted again. Times are ISO 8601, prices AUD. */
export const callInFile = ({
  symbol,
  callType,
  isShort,
  status,
  entryPrice,
  targetPrice,
  stopLoss,
  stopLossType,
  rationale,
  pocketedValue,
  submittedAt,
  closedAt,
  filledAt,
  verified,
}: OwnCall) => ({
  symbol,
  callType,
  isShort,
  status,
  entryPrice,
  targetPrice,
  stopLoss,
  stopLossType,
  rationale,
  pocketedValue,
  submittedAt,
  filledAt,
  closedAt,
  verifiedPercent: verified?.percent ?? null,
});
