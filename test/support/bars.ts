import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { builtInCatalog } from '#market/indicators/rules/metainfo.ts';
import type { Family, ParamValues } from '#market/indicators/rules/types.ts';
import { Cells } from '#market/indicators/formulas/cells.ts';
import { formulaOf } from '#market/indicators/formulas/index.ts';
import type { TimeframeBar, Formula } from '#market/indicators/types.ts';

export const FAMILIES = builtInCatalog().indicators;

export function familyOf(slug: string): Family {
  const family = FAMILIES[slug];
  if (!family) throw new Error(`The catalog has no ${slug}.`);
  return family;
}

/** The formula of a family at one length; a family without parameters ignores it. */
export function formula(slug: string, length?: string): Formula {
  const family = familyOf(slug);
  const [param] = family.params;
  const params: ParamValues = param && length !== undefined ? { [param.name]: length } : {};
  const found = formulaOf(family, params);
  if (!found) throw new Error(`${slug} can't be computed.`);
  return found;
}

/** A computation with the numbers of one stock. */
export type StockCalc = {
  update(bar: TimeframeBar, replace: boolean): void;
  /** All its results; null for one that does not exist. */
  results(): (number | null)[];
};

/** Makes a computation once, and returns it for a fresh stock at each call. @param outputs its number of results */
export function calcForStocks({ make }: Pick<Formula, 'make'>, outputs: number): () => StockCalc {
  const cells = new Cells();
  const calc = make(cells);
  return () => {
    const numbers = cells.fresh();
    return {
      update(bar, replace) {
        cells.values = numbers;
        calc.update(bar, replace);
      },
      results: () =>
        [...numbers.subarray(calc.out, calc.out + outputs)].map((value) =>
          Number.isFinite(value) ? value : null,
        ),
    };
  };
}

/** The value of a formula after each bar. */
export function runFormula(formula: Formula, bars: readonly TimeframeBar[]): (number | null)[] {
  const calc = calcForStocks(formula, formula.output + 1)();
  return bars.map((bar) => {
    calc.update(bar, false);
    return calc.results()[formula.output] ?? null;
  });
}

export type DatedBar = TimeframeBar & { date: string };

/** Daily bars of 2025 by upper-case code, oldest first. @param folder of the recordings */
export function eodBars(folder: string): Map<string, DatedBar[]> {
  const file = join(folder, 'eod', 'asxgym-eod-2025.csv.gz');
  const text = new TextDecoder().decode(Bun.gunzipSync(readFileSync(file)));
  const bars = new Map<string, DatedBar[]>();
  for (const line of text.split('\n').slice(1)) {
    const [code = '', date = '', ...numbers] = line.trim().split(',');
    if (code === '') continue;
    // The file’s order is open, close, high, low.
    const [open = 0, close = 0, high = 0, low = 0, volume = 0] = numbers.map(Number);
    const own = bars.get(code.toUpperCase()) ?? [];
    own.push({ date, day: Math.round(Date.parse(date) / 86_400_000), open, high, low, close, volume });
    bars.set(code.toUpperCase(), own);
  }
  for (const own of bars.values()) own.sort((a, b) => a.day - b.day);
  return bars;
}
