import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { builtInCatalog } from '../../src/domain/indicators/builtInCatalog.ts';
import type { Family, ParamValues } from '../../src/domain/indicators/types.ts';
import { formulaOf } from '../../src/market/indicators/formulas/index.ts';
import type { TimeframeBar, Calc, Formula } from '../../src/market/indicators/types.ts';

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

/** What a formula says after each bar. */
export function runFormula({ make, output }: Formula, bars: readonly TimeframeBar[]): (number | null)[] {
  const calc: Calc = make();
  return bars.map((bar) => {
    calc.update(bar, false);
    const value = calc.out[output];
    return value !== null && value !== undefined && Number.isFinite(value) ? value : null;
  });
}

export type DatedBar = TimeframeBar & { date: string };

/**
 * Daily bars of 2025 by upper-case code, oldest first.
 * @param folder of the recordings
 */
export function eodBars(folder: string): Map<string, DatedBar[]> {
  const file = join(folder, 'eod', 'asxgym-eod-2025.csv.gz');
  const text = new TextDecoder().decode(Bun.gunzipSync(readFileSync(file)));
  const bars = new Map<string, DatedBar[]>();
  for (const line of text.split('\n').slice(1)) {
    const [code = '', date = '', ...numbers] = line.trim().split(',');
    if (code === '') continue;
    // The file's order is open, close, high, low.
    const [open = 0, close = 0, high = 0, low = 0, volume = 0] = numbers.map(Number);
    const own = bars.get(code.toUpperCase()) ?? [];
    own.push({ date, day: Math.round(Date.parse(date) / 86_400_000), open, high, low, close, volume });
    bars.set(code.toUpperCase(), own);
  }
  for (const own of bars.values()) own.sort((a, b) => a.day - b.day);
  return bars;
}
