import { createRandom } from '#lib/random.ts';
import type { OddsDays, OddsLuck } from './result.ts';

/** So many that the best of hundreds of variants is not the single best draw. */
const DRAWS = 20_000;
const SEED = 20_260_301;

/** Mean results of scans without an edge, ascending: each day's sum before costs keeps its size and gets a random sign. */
function drawsOf(sums: readonly number[], entries: number, cost: number): Float64Array {
  const random = createRandom(SEED);
  const draws = new Float64Array(DRAWS);
  for (let draw = 0; draw < DRAWS; draw += 1) {
    let sum = 0;
    let signs = 0;
    for (let day = 0; day < sums.length; day += 1) {
      if (day % 32 === 0) signs = Math.floor(random() * 2 ** 32);
      const size = sums[day] ?? 0;
      sum += (signs & 1) === 1 ? size : -size;
      signs >>>= 1;
    }
    draws[draw] = sum / entries - cost;
  }
  return draws.sort();
}

/**
 * What the best of several variants without any edge would show after the same costs. Variants count as independent,
 * so for similar ones this is an upper bound. The best of n is below a value with the chance p if each is with the
 * chance p^(1/n).
 * @returns null without entries
 */
export function bestOfLuck({ entries, sums, sumsBefore }: OddsDays, variants: number): OddsLuck | null {
  const count = entries.reduce((sum, one) => sum + one, 0);
  if (count === 0) return null;
  const total = (column: readonly number[]): number => column.reduce((sum, one) => sum + one, 0);
  const cost = (total(sumsBefore) - total(sums)) / count;
  const draws = drawsOf(
    sumsBefore.filter((_, day) => (entries[day] ?? 0) > 0),
    count,
    cost,
  );
  const bestAt = (chance: number): number =>
    draws[Math.min(DRAWS - 1, Math.floor(chance ** (1 / variants) * DRAWS))] ?? 0;
  return { variants, median: bestAt(0.5), high: bestAt(0.95) };
}
