import { ok, refuse, type Result } from '#lib/result.ts';
import { counted, formatNumber, MINUS } from '#texts/format.ts';
import { type Side, signOf } from './side.ts';
import type { CallInput } from './callRules.ts';

/** The user's limits, AUD; null if not set. */
export type SizeLimits = {
  risk: number | null;
  /** Maximum cost of the shares, without fees. */
  maxValue: number | null;
  fees: number | null;
};

/** The prices and stop of a call to size; the target is optional. */
export type SizedPosition = Side &
  Pick<CallInput, 'entryPrice' | 'targetPrice' | 'stopLossType' | 'stopLoss'>;

/** The followed call as `followedPosition` needs it. */
type FollowedCall = Side & { [K in Exclude<keyof SizedPosition, 'isShort'>]: SizedPosition[K] | null } & {
  status: 'pending' | 'open' | 'closed' | 'cancelled' | null;
  stopLevel: number | null;
};

/**
 * A call as a position that a follower takes now: at the last price (a waiting call at its entry), with its stop where
 * that is now.
 * @param last the live price, AUD; null if unknown
 */
export function followedPosition(call: FollowedCall, last: number | null): SizedPosition {
  const { status, entryPrice, targetPrice, stopLevel, isShort } = call;
  const stop =
    stopLevel === null
      ? { stopLossType: call.stopLossType ?? ('NONE' as const), stopLoss: call.stopLoss }
      : { stopLossType: 'HARD' as const, stopLoss: stopLevel };
  return {
    entryPrice: status === 'pending' ? entryPrice : (last ?? entryPrice),
    targetPrice,
    isShort,
    ...stop,
  };
}

/** AUD, exact to the cent. */
type PositionSize = {
  shares: number;
  cost: number;
  loss: number;
  /** Gain at the target after fees; null without a target. */
  gain: number | null;
  /** Gain over loss; null without a target. */
  rewardRisk: number | null;
  /** True if the maximum value limited the shares, not the risk. */
  isCapped: boolean;
};

/** Inputs have at most six decimals. A percentage of a price has twice as many plus two. */
const INPUT = 1e6;
const INPUTS_UNIT = 100_000_000n;
const UNIT = 100_000_000_000_000n;
const CENTS_UNIT = UNIT / 100n;

const micros = (value: number): bigint => BigInt(Math.round(value * INPUT));
const exact = (value: number | null): bigint => micros(value ?? 0) * INPUTS_UNIT;
/** Rounds exact units to AUD with cents. */
const dollars = (amount: bigint): number => {
  const half = amount < 0n ? -CENTS_UNIT / 2n : CENTS_UNIT / 2n;
  return Number((amount + half) / CENTS_UNIT) / 100;
};
const fine = (amount: bigint): string => {
  const value = Number(amount) / Number(UNIT);
  const text = formatNumber(value, 6);
  return `$${text.replace(/0{1,4}$/, '')}`;
};

const isGiven = (value: number | null): value is number => value !== null && Number.isFinite(value);

function limitProblem({ risk, maxValue, fees }: SizeLimits): [keyof SizeLimits, string] | null {
  if (!isGiven(risk)) return ['risk', 'Enter the most you can lose, in dollars.'];
  if (risk <= 0) return ['risk', 'The risk must be more than $0.'];
  if (Number.isNaN(maxValue)) return ['maxValue', 'The maximum value is not a number.'];
  if (Number.isNaN(fees)) return ['fees', 'The fees are not a number.'];
  if (isGiven(maxValue) && maxValue <= 0) return ['maxValue', 'The maximum value must be more than $0.'];
  if (!isGiven(fees)) return null;
  if (fees < 0) return ['fees', 'Fees can’t be less than $0.'];
  return fees >= risk ? ['fees', 'The fees use up the whole risk.'] : null;
}

/** Distance from the entry to the stop, in exact units. A trailing stop starts at the entry. */
function distanceOf({ stopLossType, stopLoss, ...side }: SizedPosition, entry: bigint): Result<bigint> {
  if (stopLossType === 'NONE') return refuse('Add a stop: without one the loss is unlimited.');
  if (!isGiven(stopLoss)) return refuse('Enter a stop.', 'stopLoss');
  if (stopLoss <= 0) return refuse('The stop must be more than 0.', 'stopLoss');
  if (stopLossType === 'HARD') {
    const distance = BigInt(signOf(side)) * (entry - exact(stopLoss));
    if (distance === 0n) return refuse('The stop must differ from the entry.', 'stopLoss');
    const where = side.isShort ? 'above' : 'below';
    return distance > 0n ? ok(distance) : refuse(`The stop must be ${where} the entry.`, 'stopLoss');
  }
  const distance =
    stopLossType === 'TRAILING_PCT' ? (entry * micros(stopLoss)) / BigInt(100 * INPUT) : exact(stopLoss);
  if (distance > entry) return refuse('A trailing stop can’t be wider than the entry.', 'stopLoss');
  return distance > 0n ? ok(distance) : refuse('The stop must differ from the entry.', 'stopLoss');
}

function sharesOf(
  entry: bigint,
  distance: bigint,
  limits: SizeLimits,
): Result<Pick<PositionSize, 'isCapped'> & { count: bigint }> {
  const { risk, maxValue, fees } = limits;
  const byRisk = (exact(risk) - exact(fees)) / distance;
  if (byRisk === 0n) {
    const note = isGiven(fees) && fees > 0 ? ' after fees' : '';
    return refuse(
      `The risk${note} is less than the loss on one share at the stop: ${fine(distance)}.`,
      'risk',
    );
  }
  if (!isGiven(maxValue)) return ok({ count: byRisk, isCapped: false });
  const byValue = exact(maxValue) / entry;
  if (byValue === 0n) {
    return refuse(`The maximum value is less than the price of one share: ${fine(entry)}.`, 'maxValue');
  }
  return ok(byValue < byRisk ? { count: byValue, isCapped: true } : { count: byRisk, isCapped: false });
}

/**
 * Computes the shares whose loss at the stop is at most the risk: (risk − fees) ÷ distance from the entry to the stop,
 * rounded down and limited by the maximum value at the entry. Uses integers, so 0.1 + 0.2 is 0.3.
 * @returns a refusal names a member of the limits or the position
 */
export function positionSize(position: SizedPosition, limits: SizeLimits): Result<PositionSize> {
  const { entryPrice, targetPrice } = position;
  const problem = limitProblem(limits);
  if (problem !== null) return refuse(problem[1], problem[0]);
  if (!isGiven(entryPrice)) return refuse('Enter an entry price.', 'entryPrice');
  if (entryPrice <= 0) return refuse('The entry price must be more than 0.', 'entryPrice');
  const entry = exact(entryPrice);
  const distance = distanceOf(position, entry);
  if (!distance.ok) return distance;
  const reward = isGiven(targetPrice) ? BigInt(signOf(position)) * (exact(targetPrice) - entry) : null;
  if (reward !== null && reward <= 0n) {
    return refuse(`The target must be ${position.isShort ? 'below' : 'above'} the entry.`, 'targetPrice');
  }
  const shares = sharesOf(entry, distance.value, limits);
  if (!shares.ok) return shares;
  const { count, isCapped } = shares.value;
  const loss = count * distance.value + exact(limits.fees);
  const gain = reward === null ? null : count * reward - exact(limits.fees);
  return ok({
    shares: Number(count),
    cost: dollars(count * entry),
    loss: dollars(loss),
    gain: gain === null ? null : dollars(gain),
    rewardRisk: gain === null ? null : Number((gain * 10_000n) / loss) / 10_000,
    isCapped,
  });
}

const money = (amount: number): string => `${amount < 0 ? MINUS : ''}$${formatNumber(Math.abs(amount), 2)}`;

export function sizeFigures(size: PositionSize, hasFees: boolean): readonly (readonly [string, string])[] {
  const { shares, cost, loss, gain, rewardRisk } = size;
  const withFees = hasFees ? ', with fees' : '';
  return [
    ['Shares', formatNumber(shares, 0)],
    ['Value', money(cost)],
    [`Loss at the stop${withFees}`, money(loss)],
    ...(gain === null || rewardRisk === null
      ? []
      : ([
          [`Gain at the target${withFees}`, money(gain)],
          ['Reward/risk', formatNumber(rewardRisk, 2)],
        ] as const)),
  ];
}

export const sizeLine = ({ shares, cost, loss }: PositionSize): string =>
  `${counted(shares, 'share')}, value ${money(cost)}, loss ${money(loss)}`;
