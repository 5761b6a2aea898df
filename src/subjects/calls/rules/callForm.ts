import { clampNumeric, type NumericLimits, numericText, roundDecimals } from '#lib/numericInput.ts';
import { bestOf, signOf, worstOf } from './side.ts';
import type { CallInput } from './callRules.ts';
import { stopLevelOf } from './tracker.ts';
import type { StopLossType } from './types.ts';

/** AUD: minimum distance of target and stop from the entry (specification, section 9). */
const PRICE_TICK = 0.001;

export const STOP_TYPE_OPTIONS: readonly { value: StopLossType; label: string }[] = [
  { value: 'NONE', label: 'No stop loss' },
  { value: 'HARD', label: 'Hard stop (price)' },
  { value: 'TRAILING_ABS', label: 'Trailing stop (value)' },
  { value: 'TRAILING_PCT', label: 'Trailing stop (%)' },
];

export const STOP_PLACEHOLDERS: Record<StopLossType, string> = {
  NONE: '',
  HARD: 'Price level (e.g. 0.95)',
  TRAILING_ABS: 'Trailing value (e.g. 0.10)',
  TRAILING_PCT: 'Trailing percent (e.g. 5)',
};

/** The specification's help texts; for a short call with its own directions. */
export function stopHelp({ stopLossType, isShort }: CallInput): string {
  switch (stopLossType) {
    case 'NONE':
      return 'No stop loss will be applied.';
    case 'HARD':
      return `Absolute price where the position exits (${isShort ? 'above' : 'typically below'} entry).`;
    case 'TRAILING_ABS':
      return `Trailing amount (currency) that follows the ${isShort ? 'low' : 'high'} after fill.`;
    case 'TRAILING_PCT':
      return `Trailing percentage ${isShort ? 'above the low' : 'below the high'} after fill (0-100).`;
  }
}

/** The empty form (specification, section 4). */
export const EMPTY_CALL_FORM: CallInput = {
  symbol: '',
  callType: 'bought',
  isShort: false,
  entryPrice: null,
  targetPrice: null,
  stopLossType: 'HARD',
  stopLoss: null,
};

/** A tick on the side of a gain, and on the side of a loss. */
const tickTowards = (price: number, sign: number): number =>
  roundDecimals(Math.max(0, price + sign * PRICE_TICK));
const targetFrom = (form: CallInput, price: number): number => tickTowards(price, signOf(form));
const hardStopFrom = (form: CallInput, price: number): number => tickTowards(price, -signOf(form));

/** Limits the stop value to what its type allows at this entry; rounds a percent to a whole number. */
function clampedStop(form: CallInput): number | null {
  const { stopLoss, stopLossType } = form;
  if (stopLossType === 'NONE' || stopLoss === null) return null;
  const { min, max } = inputLimits(form).stop;
  return clampNumeric(stopLossType === 'TRAILING_PCT' ? Math.round(stopLoss) : stopLoss, { min, max });
}

const withClampedStop = (form: CallInput): CallInput => ({ ...form, stopLoss: clampedStop(form) });

/**
 * Selects a symbol. With a live price, sets the entry to it, the target one tick above and a hard stop one tick below, and the
 * reverse for a short call.
 * @param livePrice last, otherwise match, otherwise previous close; null if unknown, which leaves the prices unchanged
 */
export function pickSymbol(form: CallInput, symbol: string, livePrice: number | null): CallInput {
  if (livePrice === null || livePrice <= 0) return { ...form, symbol };
  const price = roundDecimals(livePrice);
  return withClampedStop({
    ...form,
    symbol,
    entryPrice: price,
    targetPrice: targetFrom(form, price),
    stopLoss: form.stopLossType === 'HARD' ? hardStopFrom(form, price) : form.stopLoss,
  });
}

/**
 * Changes the side. The target and a hard stop keep their distances from the entry, in the other direction.
 */
export function setSide(form: CallInput, isShort: boolean): CallInput {
  const { entryPrice, targetPrice, stopLoss, stopLossType } = form;
  const mirrored = (price: number | null): number | null =>
    entryPrice === null || price === null ? price : roundDecimals(Math.max(0, 2 * entryPrice - price));
  const changed = { ...form, isShort, stopLoss: stopLossType === 'HARD' ? mirrored(stopLoss) : stopLoss };
  return withClampedStop(setTarget(changed, mirrored(targetPrice)));
}

/** Keeps the target at least a tick above the entry, and the stop below it; the reverse for a short call. */
export function setEntry(form: CallInput, entry: number | null): CallInput {
  if (entry === null) return { ...form, entryPrice: null };
  const entryPrice = clampNumeric(entry, inputLimits(form).entry);
  return withClampedStop({
    ...form,
    entryPrice,
    targetPrice: bestOf(form, form.targetPrice ?? entryPrice, targetFrom(form, entryPrice)),
  });
}

export const setTarget = (form: CallInput, target: number | null): CallInput => ({
  ...form,
  targetPrice: target === null ? null : clampNumeric(target, inputLimits(form).target),
});

export const setStop = (form: CallInput, stop: number | null): CallInput =>
  withClampedStop({ ...form, stopLoss: stop });

/** A hard stop starts one tick below the live price; stops of other types start empty. */
export const setStopType = (form: CallInput, type: StopLossType, livePrice: number | null): CallInput =>
  withClampedStop({
    ...form,
    stopLossType: type,
    stopLoss: type === 'HARD' && livePrice !== null && livePrice > 0 ? hardStopFrom(form, livePrice) : null,
  });

export function inputLimits(form: CallInput): {
  entry: NumericLimits;
  target: NumericLimits;
  stop: NumericLimits;
} {
  const { entryPrice, stopLossType, isShort } = form;
  const price = { step: PRICE_TICK, min: 0 };
  const above = entryPrice === null ? price : { ...price, min: tickTowards(entryPrice, 1) };
  const below = entryPrice === null ? price : { ...price, max: tickTowards(entryPrice, -1) };
  const priceStop = isShort && stopLossType === 'HARD' ? above : below;
  return {
    entry: price,
    target: isShort ? { ...below, min: PRICE_TICK } : above,
    stop: stopLossType === 'TRAILING_PCT' ? { step: 1, min: 1, max: 100 } : priceStop,
  };
}

export const PRICE_FIELDS = ['entryPrice', 'targetPrice', 'stopLoss'] as const;
export type PriceField = (typeof PRICE_FIELDS)[number];

/** The form with another price. The assists adjust it and the other prices. */
export const SET_PRICE = { entryPrice: setEntry, targetPrice: setTarget, stopLoss: setStop };

/** A line of the form in a chart. */
export type Level = 'entry' | 'target' | 'stop';
export const LEVEL_FIELDS = { entry: 'entryPrice', target: 'targetPrice', stop: 'stopLoss' } as const;

/** Prices of a form's lines, AUD. A trailing stop starts below the entry. */
export function levelsOf(form: CallInput): Record<Level, number | null> {
  const { entryPrice: entry, targetPrice: target } = form;
  return { entry, target, stop: stopLevelOf(form, entry) };
}

/**
 * What to type for a line at a price, rounded to a tick or a whole percent.
 * @param price AUD
 * @returns null if the form has no such line
 */
export function typedLevel(
  { stopLossType, entryPrice, isShort }: CallInput,
  level: Level,
  price: number,
): number | null {
  const tick = Math.round(price / PRICE_TICK) * PRICE_TICK;
  if (level !== 'stop' || stopLossType === 'HARD') return roundDecimals(tick);
  if (stopLossType === 'NONE' || !entryPrice) return null;
  const distance = signOf({ isShort }) * (entryPrice - tick);
  return stopLossType === 'TRAILING_ABS'
    ? roundDecimals(distance)
    : Math.round((100 * distance) / entryPrice);
}

/** A value that the form adjusted, and a sentence about it; `isFilled` if the field was empty. */
export type FormNote = { value: number | null; text: string; isFilled: boolean };
export type FormNotes = Readonly<Partial<Record<PriceField, FormNote>>>;

const isTickAway = (a: number | null, b: number | null): boolean =>
  a !== null && b !== null && Math.abs(Math.abs(a - b) - PRICE_TICK) < PRICE_TICK / 1000;

function entryText(form: CallInput): string {
  return `Entry set to ${numericText(form.entryPrice)}: the last price of ${form.symbol}`;
}

function targetText(asked: number | null, form: CallInput): string {
  const [target, entry] = [numericText(form.targetPrice), numericText(form.entryPrice)];
  const [moved, where] = form.isShort ? ['lowered', 'below'] : ['raised', 'above'];
  return asked !== null && bestOf(form, asked, form.targetPrice ?? asked) !== asked
    ? `Target ${moved} to ${target}: it must be ${where} the entry ${entry}`
    : `Target set to ${target}: just ${where} the entry ${entry}`;
}

function percentText(asked: number | null, value: number): string {
  if (asked !== null && asked > 100) return `Percent lowered to ${value}: it goes from 1 to 100`;
  return asked !== null && asked < 0.5
    ? `Percent raised to ${value}: it goes from 1 to 100`
    : `Percent rounded to ${value}: it must be a whole number`;
}

function stopText(asked: number | null, form: CallInput): string {
  const { stopLoss, stopLossType, entryPrice } = form;
  if (stopLoss === null) {
    return stopLossType === 'NONE' ? 'Stop cleared' : 'Stop cleared: a trailing stop needs its own value';
  }
  if (stopLossType === 'TRAILING_PCT') return percentText(asked, stopLoss);
  const what = stopLossType === 'HARD' ? 'Stop' : 'Trailing value';
  const value = numericText(stopLoss);
  const isAbove = form.isShort && stopLossType === 'HARD';
  const [moved, where] = isAbove ? ['raised', 'above'] : ['lowered', 'below'];
  if (asked !== null && worstOf({ isShort: isAbove }, asked, stopLoss) !== asked) {
    return `${what} ${moved} to ${value}: it must be ${where} the entry ${numericText(entryPrice)}`;
  }
  return isTickAway(stopLoss, entryPrice)
    ? `${what} set to ${value}: just ${where} the entry ${numericText(entryPrice)}`
    : `${what} set to ${value}: just ${where} the last price`;
}

function textOf(field: PriceField, asked: CallInput, form: CallInput): string {
  if (field === 'entryPrice') return entryText(form);
  return field === 'targetPrice' ? targetText(asked.targetPrice, form) : stopText(asked.stopLoss, form);
}

/**
 * Notes on fields that the form adjusted in addition to the user's change (specification, section 5). A note stays
 * while the field keeps that value.
 * @param notes the current notes
 * @param asked the form as the user changed it
 * @param form the form after adjustment
 */
export function notesOn(notes: FormNotes, asked: CallInput, form: CallInput): FormNotes {
  const next: Partial<Record<PriceField, FormNote>> = {};
  for (const field of PRICE_FIELDS) {
    const value = form[field];
    const before = notes[field];
    if (asked[field] !== value)
      next[field] = { value, text: textOf(field, asked, form), isFilled: asked[field] === null };
    else if (before?.value === value) next[field] = before;
  }
  return next;
}
