import { failed, ok, type Refusal, refuse, type Result } from '#lib/result.ts';
import { normalised } from '#lib/unicode.ts';
import { priceStep } from '#market/rules/priceStep.ts';
import { checkLiveSymbol, type LiveSymbols } from '#market/rules/liveSymbols.ts';
import type { Side } from './side.ts';
import { type CallStatus, type CallType, type StopLossType } from './types.ts';
import { STOP_LOSS_TYPES } from '../answers/call.ts';

/** In code points, not UTF-16 units, so that an emoji counts as one character. */
export const MAX_RATIONALE = 280;

/** Longer texts are refused unread. The factor leaves room for blanks and decomposed letters. */
const MAX_SENT = 10 * MAX_RATIONALE;

/** Control characters, and characters that change the text direction. */
const UNSEEN = /[\p{Cc}\u061c\u200b\u200e\u200f\u202a-\u202e\u2060-\u2069\ufeff]/gu;

export const cleanRationale = (text: string): string =>
  normalised(text.toWellFormed().replace(/\s/gu, ' ').replace(UNSEEN, ''), 'NFC')
    .split(' ')
    .filter((word) => word !== '')
    .join(' ');

export const rationaleLength = (text: string): number => [...cleanRationale(text)].length;

/** A missing or empty rationale is null. @returns the stored form */
export function checkRationale(sent: unknown): Result<string | null> {
  if (sent === undefined || sent === null) return ok(null);
  if (typeof sent !== 'string') return refuse('The rationale must be text', 'rationale');
  if (sent.length > MAX_SENT || rationaleLength(sent) > MAX_RATIONALE) {
    return refuse(`Rationale may have at most ${MAX_RATIONALE} characters`, 'rationale');
  }
  return ok(cleanRationale(sent) || null);
}

/** A call as entered; omitted numbers are null, prices are AUD per share. */
export type CallInput = Side & {
  symbol: string;
  callType: CallType;
  entryPrice: number | null;
  targetPrice: number | null;
  stopLossType: StopLossType;
  /** A price for HARD, an amount for TRAILING_ABS, percent for TRAILING_PCT, null for NONE. */
  stopLoss: number | null;
  /** The submitter's reason: plain text. */
  rationale?: string | null;
};

/** AUD per share. */
const MAX_CALL_PRICE = 1_000_000;
const MAX_PRICE_DECIMALS = 6;

/** A call as received: the types and the rationale may have any value. Without `isShort` it is long. */
export type SentCall = Omit<CallInput, 'isShort' | 'callType' | 'stopLossType' | 'rationale'> & {
  isShort?: boolean | undefined;
  callType: unknown;
  stopLossType: unknown;
  rationale?: unknown;
};

/** A valid call: its symbol is in the live list, and it has a stop value only if it has a stop type. */
export type CheckedCall = CallInput & { entryPrice: number; targetPrice: number };

type CheckedStop = Pick<CallInput, 'stopLossType' | 'stopLoss'>;

const isPositive = (value: number | null): value is number =>
  value !== null && Number.isFinite(value) && value > 0;

const isCallType = (type: unknown): type is CallType => type === 'buy' || type === 'bought';

const isStopType = (type: unknown): type is StopLossType => STOP_LOSS_TYPES.some((known) => known === type);

function checkStop({ stopLossType, stopLoss, isShort }: SentCall, entryPrice: number): Result<CheckedStop> {
  if (!isStopType(stopLossType)) {
    return refuse(`The stop loss type must be one of ${STOP_LOSS_TYPES.join(', ')}`, 'stopLossType');
  }
  if (stopLossType === 'NONE') return ok({ stopLossType, stopLoss: null });
  if (!isPositive(stopLoss)) return refuse('Stop loss value must be positive', 'stopLoss');
  if (stopLossType === 'HARD' && stopLoss === entryPrice) {
    return refuse('Stop loss must differ from entry price', 'stopLoss');
  }
  if (stopLossType === 'HARD' && isShort && stopLoss < entryPrice) {
    return refuse('Stop loss must be higher than the entry price', 'stopLoss');
  }
  if (stopLossType === 'TRAILING_PCT' && stopLoss > 100) {
    return refuse('Trailing stop percentage must be 100 or less', 'stopLoss');
  }
  return ok({ stopLossType, stopLoss });
}

/** Upper limits, which the specification does not have; they catch typing mistakes. */
function boundsRefusal({ entryPrice, targetPrice, stopLoss }: CheckedCall): Refusal | null {
  const prices = [
    { field: 'entryPrice', label: 'Entry price', value: entryPrice },
    { field: 'targetPrice', label: 'Target price', value: targetPrice },
    { field: 'stopLoss', label: 'Stop loss value', value: stopLoss },
  ];
  for (const { field, label, value } of prices) {
    if (value === null) continue;
    if (value > MAX_CALL_PRICE) {
      return { field, message: `${label} must be $${MAX_CALL_PRICE.toLocaleString('en-AU')} or less` };
    }
    if (Number(value.toFixed(MAX_PRICE_DECIMALS)) !== value) {
      return { field, message: `${label} may have at most ${MAX_PRICE_DECIMALS} decimals` };
    }
  }
  return null;
}

/**
 * Checks a call in the order of the specification (section 5), then against further rules. Used by the dialog and the
 * server.
 * @param input as typed; the symbol in any case, possibly untrimmed
 * @returns the stored form; a refusal names a member of the input
 */
export function checkCall(input: SentCall, symbols: LiveSymbols): Result<CheckedCall> {
  const { callType, entryPrice, targetPrice, isShort = false } = input;
  if (input.symbol.trim() === '') return refuse('Symbol is required', 'symbol');
  const symbol = checkLiveSymbol(input.symbol, symbols);
  if (!symbol.ok) return symbol;
  if (!isPositive(entryPrice)) return refuse('Entry price must be positive', 'entryPrice');
  if (!isPositive(targetPrice)) return refuse('Target price must be positive', 'targetPrice');
  if (isShort ? targetPrice >= entryPrice : targetPrice <= entryPrice) {
    return refuse(`Target price must be ${isShort ? 'lower' : 'higher'} than the entry price`, 'targetPrice');
  }
  // A price cannot fall below its smallest step.
  if (isShort && targetPrice < priceStep(0)) {
    return refuse(`Target price must be $${priceStep(0)} or more`, 'targetPrice');
  }
  const stop = checkStop(input, entryPrice);
  if (!stop.ok) return stop;
  if (!isCallType(callType)) return refuse('The call type must be buy or bought', 'callType');
  const rationale = checkRationale(input.rationale);
  if (!rationale.ok) return rationale;
  const call = {
    symbol: symbol.value,
    callType,
    isShort,
    entryPrice,
    targetPrice,
    ...stop.value,
    ...(rationale.value === null ? {} : { rationale: rationale.value }),
  };
  const outOfBounds = boundsRefusal(call);
  return outOfBounds ? failed(outOfBounds) : ok(call);
}

export const isLive = (status: CallStatus | null): boolean => status === 'pending' || status === 'open';
