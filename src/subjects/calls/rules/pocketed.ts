import { ok, refuse, type Result } from '#lib/result.ts';
import { DASH, formatNumber, MINUS } from '#texts/format.ts';

/** AUD, either sign. */
const MAX_POCKETED = 10_000_000;

/**
 * Checks the pocketed value of a call about to be closed.
 *
 * @param value AUD, may be negative; null when nothing usable was typed
 */
export function checkPocketed(value: number | null): Result<number> {
  if (value === null || !Number.isFinite(value)) {
    return refuse('Enter a valid pocketed value before closing', 'pocketedValue');
  }
  if (Math.abs(value) > MAX_POCKETED) {
    const most = MAX_POCKETED.toLocaleString('en-AU');
    return refuse(`Pocketed value must be between -$${most} and $${most}`, 'pocketedValue');
  }
  return ok(value);
}

/** Money to the cent with its sign: '+$5,000.00', '$0.00'. */
export const formatDollars = (value: number): string => {
  const size = `$${formatNumber(Math.abs(value), 2)}`;
  if (Number(Math.abs(value).toFixed(2)) === 0) return size;
  return `${value > 0 ? '+' : MINUS}${size}`;
};

/** Pocketed money: sign and $, no decimals from $100 up, otherwise two; a dash when missing. */
export function formatPocketed(value: number | null | undefined): string {
  if (value === null || value === undefined || !Number.isFinite(value)) return DASH;
  const size = Math.abs(value);
  const text = `$${formatNumber(size, size >= 100 ? 0 : 2)}`;
  if (Number(size.toFixed(2)) === 0) return text;
  return `${value > 0 ? '+' : MINUS}${text}`;
}
