import { compareCodes } from '#lib/text.ts';
import { phasesOf } from '#market/rules/sessionClock.ts';
import { sydneyDate } from '#market/rules/sydneyTime.ts';

/* What the market did after a moment: the prices before it, and those 5 and 30 minutes later. */

const MINUTE_MS = 60_000;

/** After so many minutes the market is looked at. */
export const HORIZONS = [5, 30] as const;
export type Horizon = (typeof HORIZONS)[number];

/** So many of the largest stocks are looked at. */
export const BASKET_SIZE = 50;

/** Why there is no number. */
export const MOVE_STATES = ['measured', 'shut', 'pending', 'blind', 'unknown', 'otherClock'] as const;
export type MoveState = (typeof MOVE_STATES)[number];

/** What the largest stocks did: their cap-weighted change in percent, and how many rose and fell of those that count. */
export type Reaction = { change: number; up: number; down: number; counted: number };

/** A reaction, or why there is none. */
export type Measured = { state: MoveState; reaction: Reaction | null };

export const notMeasured = (state: Exclude<MoveState, 'measured'>): Measured => ({ state, reaction: null });

/** A stock's prices around a moment; null where it had none. */
export type Prices = { before: number | null; after: number | null };

/** A stock of the basket: its change in percent, null where it is not known, and what it weighs. */
export type Weighted = { change: number | null; cap: number };

/**
 * Whether a moment has a market before it and one so many minutes after it: shares trade continuously from a minute before it
 * until then. What comes before the open is not measured across it.
 * @param time epoch ms by the market's clock
 */
export function isOpenAround(time: number, minutes: Horizon): boolean {
  const open = phasesOf(sydneyDate(time)).find(({ phase }) => phase === 'open');
  if (!open) return false;
  return time - MINUTE_MS >= open.since && time + minutes * MINUTE_MS <= open.until;
}

/** Percent; null where one of the prices is not known. */
export const changeOf = ({ before, after }: Prices): number | null =>
  before === null || after === null || before <= 0 ? null : (after / before - 1) * 100;

/** The cap-weighted change of the stocks whose change is known: Σ cap × change ÷ Σ cap; null where there is none. */
export function weighReaction(stocks: readonly Weighted[]): Reaction | null {
  let sum = 0;
  let weight = 0;
  const reaction: Reaction = { change: 0, up: 0, down: 0, counted: 0 };
  for (const { change, cap } of stocks) {
    if (change === null || !(cap > 0)) continue;
    sum += change * cap;
    weight += cap;
    reaction.counted += 1;
    if (change > 0) reaction.up += 1;
    else if (change < 0) reaction.down += 1;
  }
  return weight === 0 ? null : { ...reaction, change: sum / weight };
}

type Listed = { code: string; marketCap: number | null; securityType: string };

/** The largest shares by market capitalisation, in the order of their codes. */
export const largestOf = (stocks: Iterable<Listed>): { code: string; cap: number }[] =>
  [...stocks]
    .flatMap(({ code, marketCap, securityType }) =>
      securityType !== 'fund' && marketCap !== null && marketCap > 0 ? [{ code, cap: marketCap }] : [],
    )
    .sort((a, b) => b.cap - a.cap || compareCodes(a.code, b.code))
    .slice(0, BASKET_SIZE)
    .sort((a, b) => compareCodes(a.code, b.code));
