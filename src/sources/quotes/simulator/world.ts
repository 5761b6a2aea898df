import { isTradingDay } from '#market/rules/tradingDay.ts';
import { addDays } from '#market/rules/sydneyTime.ts';
import { gauss, mix, textSeed } from './random.ts';

/** The trading days of a calendar year, and the move of the whole market on each. */
export type TradingYear = {
  year: number;
  dates: readonly string[];
  /** Days since 1970-01-01 of each date. */
  days: readonly number[];
  indexOf: ReadonlyMap<string, number>;
  /** Log returns of the whole market, overnight and during trading. */
  overnight: Float64Array;
  session: Float64Array;
};

/** What all listings of the simulated market share. */
export type World = { seed: number; year(year: number): TradingYear };

const DAY_MS = 86_400_000;

/** @param date YYYY-MM-DD; @returns days since 1970-01-01 */
export const dayNumber = (date: string): number => Math.round(Date.parse(`${date}T00:00:00Z`) / DAY_MS);

function makeYear(seed: number, year: number): TradingYear {
  const dates: string[] = [];
  for (let date = `${year}-01-01`; date <= `${year}-12-31`; date = addDays(date, 1)) {
    if (isTradingDay(date)) dates.push(date);
  }
  const days = dates.map(dayNumber);
  return {
    year,
    dates,
    days,
    indexOf: new Map(dates.map((date, index) => [date, index])),
    overnight: Float64Array.from(days, (day) => 0.0035 * gauss(mix(seed, day), 1)),
    session: Float64Array.from(days, (day) => 0.005 * gauss(mix(seed, day), 2)),
  };
}

/** @param seed the simulator's seed: with the same seed every date has the same prices */
export function createWorld(seed: number): World {
  const years = new Map<number, TradingYear>();
  const worldSeed = mix(textSeed('market'), seed);
  return {
    seed: worldSeed,
    year(year) {
      const existing = years.get(year);
      if (existing) return existing;
      const added = makeYear(worldSeed, year);
      years.set(year, added);
      return added;
    },
  };
}
