import { numericText } from '#lib/numericInput.ts';
import { PRICE_TICK } from './callForm.ts';
import type { CallInput } from './types.ts';

const NOTED_FIELDS = ['entryPrice', 'targetPrice', 'stopLoss'] as const;
export type NotedField = (typeof NOTED_FIELDS)[number];

/** What the form made of a field, and the sentence that says so; `isFilled` where the field was empty. */
export type FormNote = { value: number | null; text: string; isFilled: boolean };
export type FormNotes = Readonly<Partial<Record<NotedField, FormNote>>>;

const isTickAway = (a: number | null, b: number | null): boolean =>
  a !== null && b !== null && Math.abs(Math.abs(a - b) - PRICE_TICK) < PRICE_TICK / 1000;

function entryText(form: CallInput): string {
  return `Entry set to ${numericText(form.entryPrice)}: the last price of ${form.symbol}`;
}

function targetText(asked: number | null, form: CallInput): string {
  const [target, entry] = [numericText(form.targetPrice), numericText(form.entryPrice)];
  return asked !== null && asked < (form.targetPrice ?? 0)
    ? `Target raised to ${target}: it must be above the entry ${entry}`
    : `Target set to ${target}: just above the entry ${entry}`;
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
  if (asked !== null && asked > stopLoss) {
    return `${what} lowered to ${value}: it must be below the entry ${numericText(entryPrice)}`;
  }
  return isTickAway(stopLoss, entryPrice)
    ? `${what} set to ${value}: just below the entry ${numericText(entryPrice)}`
    : `${what} set to ${value}: just below the last price`;
}

function textOf(field: NotedField, asked: CallInput, form: CallInput): string {
  if (field === 'entryPrice') return entryText(form);
  return field === 'targetPrice' ? targetText(asked.targetPrice, form) : stopText(asked.stopLoss, form);
}

/**
 * What the form assists (specification, section 5) changed besides what was asked for, beside each field. A note stays
 * for as long as the field holds what it says.
 *
 * @param notes those until now
 * @param asked the form as it was asked for
 * @param form the form as the assists made it
 */
export function notesOn(notes: FormNotes, asked: CallInput, form: CallInput): FormNotes {
  const next: Partial<Record<NotedField, FormNote>> = {};
  for (const field of NOTED_FIELDS) {
    const value = form[field];
    const before = notes[field];
    if (asked[field] !== value)
      next[field] = { value, text: textOf(field, asked, form), isFilled: asked[field] === null };
    else if (before?.value === value) next[field] = before;
  }
  return next;
}
