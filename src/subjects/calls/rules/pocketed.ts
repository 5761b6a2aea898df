import { ok, refuse, type Result } from '#lib/result.ts';
import { counted, DASH, formatNumber, MINUS } from '#texts/format.ts';
import { formatAlike, formatResult } from './callFormat.ts';
import { bestOf, percentGained, type Side, worstOf } from './side.ts';
import { implausibleReason, paidFor, positionFor } from './verifiedResult.ts';

/** Limit of the amount in either direction, AUD. */
const MAX_POCKETED = 10_000_000;

/** @param value AUD, may be negative; null if nothing usable was typed */
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

/** Formats AUD to the cent with a sign: '+$5,000.00', '$0.00'. */
const formatDollars = (value: number): string => {
  const size = `$${formatNumber(Math.abs(value), 2)}`;
  if (Number(Math.abs(value).toFixed(2)) === 0) return size;
  return `${value > 0 ? '+' : MINUS}${size}`;
};

/** Formats AUD with a sign, without decimals from $100 up, otherwise with two; a dash if it is missing. */
export function formatPocketed(value: number | null | undefined): string {
  if (value === null || value === undefined || !Number.isFinite(value)) return DASH;
  const size = Math.abs(value);
  const text = `$${formatNumber(size, size >= 100 ? 0 : 2)}`;
  if (Number(size.toFixed(2)) === 0) return text;
  return `${value > 0 ? '+' : MINUS}${text}`;
}

/** The part of a call that limits what its owner can have pocketed. Prices are AUD; null is unknown. */
type ClaimedCall = Side & {
  entryPrice: number | null;
  filledAt: string | null;
  fillPrice: number | null;
  best: number | null;
  worst: number | null;
};

/**
 * @property text what the value implies
 * @property doubt why the value is implausible; null if it is plausible
 * @property hasPrice the text includes the current price
 */
export type PocketedClaim = { text: string; doubt: string | null; hasPrice: boolean };

/** A position above this asks the user to confirm the amount, AUD. */
const LARGE_POSITION = 100_000;

const positionText = (position: number, paid: number): string =>
  `that is a position of $${formatNumber(position, 0)} (${counted(Math.round(position / paid), 'share')})`;

/** The price since the fill at which the smallest position gives this amount; AUD. */
function favouredPrice(call: ClaimedCall, pocketed: number, last: number | null): number | null {
  const prices = [pocketed > 0 ? call.best : call.worst, last].filter((price) => price !== null);
  if (prices.length === 0) return null;
  return (pocketed > 0 ? bestOf : worstOf)(call, ...prices);
}

/** What a pocketed value implies, shown before the call is closed: 5000 is easily typed for 50.00. */
export function pocketedClaim(call: ClaimedCall, pocketed: number, last: number | null): PocketedClaim {
  const text = `Pocketed ${formatDollars(pocketed)}.`;
  const { entryPrice, isShort } = call;
  if (pocketed === 0 || entryPrice === null) return { text, doubt: null, hasPrice: false };
  const state = { ...call, filledAt: call.filledAt === null ? null : Date.parse(call.filledAt) };
  const favoured = favouredPrice(call, pocketed, last);
  const reason =
    favoured !== null || call.filledAt === null
      ? implausibleReason(pocketed, { entryPrice, isShort }, state, { time: 0, price: last })
      : null;
  const paid = paidFor(pocketed, { entryPrice, isShort }, state);
  const positionAt = (price: number | null) =>
    price === null ? null : positionFor(call, pocketed, paid, price);
  const gainedAt = (price: number): string => formatResult(percentGained(call, paid, price));
  const [atLast, least] = [positionAt(last), positionAt(favoured)];
  const [now, entry, best] = formatAlike(last, paid, atLast === null ? favoured : null);
  const from = paid === entryPrice ? `the entry of ${entry}` : `the fill at ${entry}`;
  const parts = [text];
  if (last !== null && atLast !== null) {
    parts.push(`At ${now}, ${gainedAt(last)} from ${from}, ${positionText(atLast, paid)}.`);
  } else {
    if (last !== null) parts.push(`The price is now ${now}, ${gainedAt(last)} from ${from}.`);
    const end = pocketed > 0 === isShort ? 'lowest' : 'highest';
    if (least !== null) parts.push(`At ${best}, the ${end} since the fill, ${positionText(least, paid)}.`);
  }
  return { text: parts.join(' '), doubt: doubtOf(reason, least ?? 0), hasPrice: last !== null };
}

/** @param position the smallest position that gives this amount at a price since the fill, AUD */
function doubtOf(reason: string | null, position: number): string | null {
  if (reason !== null) return `${reason} An administrator must review it before it counts.`;
  return position > LARGE_POSITION ? 'Few traders hold that much of one stock. Check the figure.' : null;
}
