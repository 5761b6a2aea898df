import { type CallInput, type CallStatus, STOP_LOSS_TYPES } from './types.ts';

export const CALL_MESSAGES = {
  symbolRequired: 'Symbol is required',
  listUnavailable: 'Live symbol list unavailable. Try again shortly.',
  notInList: 'Select a symbol from the live list',
  entryPositive: 'Entry price must be positive',
  targetPositive: 'Target price must be positive',
  targetAboveEntry: 'Target price must be higher than the entry price',
  stopPositive: 'Stop loss value must be positive',
  stopDiffers: 'Stop loss must differ from entry price',
  trailingPercent: 'Trailing stop percentage must be 100 or less',
  stopType: 'The stop loss type is one of NONE, HARD, TRAILING_ABS, TRAILING_PCT',
  callType: 'The type of a call is buy or bought',
  pocketedRequired: 'Enter a valid pocketed value before closing',
} as const;

/** Bounds that keep nonsense out of the records. Prices are AUD a share, money is AUD. */
export const CALL_LIMITS = {
  maxPrice: 1_000_000,
  maxDecimals: 6,
  maxPocketed: 10_000_000,
  perDay: 20,
  openPerSymbol: 3,
} as const;

/** How the live list answers: is there any symbol, and is this one there. */
export type LiveSymbols = { readonly size: number; has(symbol: string): boolean };

/** A symbol as it is stored and compared: trimmed, upper case. */
export const normaliseSymbol = (symbol: string): string => symbol.trim().toUpperCase();

const isPositive = (value: number | null): value is number =>
  value !== null && Number.isFinite(value) && value > 0;

/** A call as it was sent: its two types may be anything. */
export type SentCall = Omit<CallInput, 'callType' | 'stopLossType'> & {
  callType: unknown;
  stopLossType: unknown;
};

const isStopType = (type: unknown): type is CallInput['stopLossType'] =>
  STOP_LOSS_TYPES.some((known) => known === type);

/** Whether both types are known ones. */
export const hasKnownTypes = (input: SentCall): input is CallInput =>
  (input.callType === 'buy' || input.callType === 'bought') && isStopType(input.stopLossType);

/**
 * The first thing wrong with a submitted call, in the order of the specification (section 5); what it says nothing
 * of comes last.
 *
 * @param input as typed; the symbol may be untrimmed and in any case
 * @param symbols the live list
 * @returns the message to show, or null when the call may be submitted
 */
export function submitError(input: SentCall, symbols: LiveSymbols): string | null {
  const symbol = normaliseSymbol(input.symbol);
  const { entryPrice, targetPrice, stopLossType, stopLoss } = input;
  if (symbol === '') return CALL_MESSAGES.symbolRequired;
  if (symbols.size === 0) return CALL_MESSAGES.listUnavailable;
  if (!symbols.has(symbol)) return CALL_MESSAGES.notInList;
  if (!isPositive(entryPrice)) return CALL_MESSAGES.entryPositive;
  if (!isPositive(targetPrice)) return CALL_MESSAGES.targetPositive;
  if (targetPrice <= entryPrice) return CALL_MESSAGES.targetAboveEntry;
  if (!isStopType(stopLossType)) return CALL_MESSAGES.stopType;
  if (stopLossType !== 'NONE') {
    if (!isPositive(stopLoss)) return CALL_MESSAGES.stopPositive;
    if (stopLossType === 'HARD' && stopLoss === entryPrice) return CALL_MESSAGES.stopDiffers;
    if (stopLossType === 'TRAILING_PCT' && stopLoss > 100) return CALL_MESSAGES.trailingPercent;
  }
  if (!hasKnownTypes(input)) return CALL_MESSAGES.callType;
  return boundsError({ ...input, entryPrice, targetPrice });
}

function boundsError(input: CallInput & { entryPrice: number; targetPrice: number }): string | null {
  const most = `${CALL_LIMITS.maxPrice.toLocaleString('en-AU')}`;
  const prices = [
    ['Entry price', input.entryPrice],
    ['Target price', input.targetPrice],
    ['Stop loss value', input.stopLossType === 'NONE' ? null : input.stopLoss],
  ] as const;
  for (const [label, value] of prices) {
    if (value === null) continue;
    if (value > CALL_LIMITS.maxPrice) return `${label} must be $${most} or less`;
    if (decimalsOf(value) > CALL_LIMITS.maxDecimals) {
      return `${label} may have at most ${CALL_LIMITS.maxDecimals} decimals`;
    }
  }
  return null;
}

function decimalsOf(value: number): number {
  const rounded = Number(value.toFixed(CALL_LIMITS.maxDecimals));
  return rounded === value ? 0 : CALL_LIMITS.maxDecimals + 1;
}

/**
 * What is wrong with the pocketed value of a call about to be closed.
 *
 * @param value AUD, may be negative; null when nothing usable was typed
 * @returns the message to show, or null when it is fine
 */
export function closeError(value: number | null): string | null {
  if (value === null || !Number.isFinite(value)) return CALL_MESSAGES.pocketedRequired;
  if (Math.abs(value) > CALL_LIMITS.maxPocketed) {
    const most = CALL_LIMITS.maxPocketed.toLocaleString('en-AU');
    return `Pocketed value must be between -$${most} and $${most}`;
  }
  return null;
}

/** Whether its owner may still close or cancel a call. */
export const isLive = (status: CallStatus | null): boolean => status === 'pending' || status === 'open';

/**
 * What a call is stored with: symbol normalised, and no stop value without a stop.
 *
 * @param input a call for which `submitError` gave null
 */
export const toStorable = (input: CallInput): CallInput & { entryPrice: number; targetPrice: number } => ({
  ...input,
  symbol: normaliseSymbol(input.symbol),
  entryPrice: input.entryPrice ?? 0,
  targetPrice: input.targetPrice ?? 0,
  stopLoss: input.stopLossType === 'NONE' ? null : input.stopLoss,
});
