import { type CallInput, type CallStatus, stopLossTypes } from './types.ts';

export const callMessages = {
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
export const callLimits = {
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
  stopLossTypes.some((known) => known === type);

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
export const submitError = (input: SentCall, symbols: LiveSymbols): string | null => {
  const symbol = normaliseSymbol(input.symbol);
  const { entryPrice, targetPrice, stopLossType, stopLoss } = input;
  if (symbol === '') return callMessages.symbolRequired;
  if (symbols.size === 0) return callMessages.listUnavailable;
  if (!symbols.has(symbol)) return callMessages.notInList;
  if (!isPositive(entryPrice)) return callMessages.entryPositive;
  if (!isPositive(targetPrice)) return callMessages.targetPositive;
  if (targetPrice <= entryPrice) return callMessages.targetAboveEntry;
  if (!isStopType(stopLossType)) return callMessages.stopType;
  if (stopLossType !== 'NONE') {
    if (!isPositive(stopLoss)) return callMessages.stopPositive;
    if (stopLossType === 'HARD' && stopLoss === entryPrice) return callMessages.stopDiffers;
    if (stopLossType === 'TRAILING_PCT' && stopLoss > 100) return callMessages.trailingPercent;
  }
  if (!hasKnownTypes(input)) return callMessages.callType;
  return boundsError({ ...input, entryPrice, targetPrice });
};

const boundsError = (input: CallInput & { entryPrice: number; targetPrice: number }): string | null => {
  const most = `${callLimits.maxPrice.toLocaleString('en-AU')}`;
  const prices = [
    ['Entry price', input.entryPrice],
    ['Target price', input.targetPrice],
    ['Stop loss value', input.stopLossType === 'NONE' ? null : input.stopLoss],
  ] as const;
  for (const [label, value] of prices) {
    if (value === null) continue;
    if (value > callLimits.maxPrice) return `${label} must be $${most} or less`;
    if (decimalsOf(value) > callLimits.maxDecimals) {
      return `${label} may have at most ${callLimits.maxDecimals} decimals`;
    }
  }
  return null;
};

const decimalsOf = (value: number): number => {
  const rounded = Number(value.toFixed(callLimits.maxDecimals));
  return rounded === value ? 0 : callLimits.maxDecimals + 1;
};

/**
 * What is wrong with the pocketed value of a call about to be closed.
 *
 * @param value AUD, may be negative; null when nothing usable was typed
 * @returns the message to show, or null when it is fine
 */
export const closeError = (value: number | null): string | null => {
  if (value === null || !Number.isFinite(value)) return callMessages.pocketedRequired;
  if (Math.abs(value) > callLimits.maxPocketed) {
    const most = callLimits.maxPocketed.toLocaleString('en-AU');
    return `Pocketed value must be between -$${most} and $${most}`;
  }
  return null;
};

/** Whether its owner may still close or cancel a call. */
export const isLive = (status: CallStatus): boolean => status === 'pending' || status === 'open';

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
