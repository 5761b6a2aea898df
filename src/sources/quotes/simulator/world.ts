import { DAY_MS } from '#lib/units.ts';
import { isTradingDay } from '#market/rules/tradingDay.ts';
import { addDays } from '#lib/sydneyTime.ts';
import { gauss, mix, textSeed } from './random.ts';

export type TradingYear = {
  year: number;
  dates: readonly string[];
  days: readonly number[];
  indexOf: ReadonlyMap<string, number>;
  overnight: Float64Array;
  session: Float64Array;
};

export type World = { seed: number; year(year: number): TradingYear };

export const dayNumber = (date: string): number => Math.round(Date.parse(`${date}T00:00:00Z`) / DAY_MS);

/** How far the whole market gaps at an open, as a share of its price. @param seed of the world */
export const marketGap = (seed: number, day: number): number => 0.0035 * gauss(mix(seed, day), 1);

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
    overnight: Float64Array.from(days, (day) => marketGap(seed, day)),
    session: Float64Array.from(days, (day) => 0.005 * gauss(mix(seed, day), 2)),
  };
}

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
