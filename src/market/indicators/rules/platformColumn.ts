import { platformTimeframe } from './timeframe.ts';
import type { Family, IndicatorChoice, ParamValues } from './types.ts';

/** The parameter value in the form of the column name; null for a family without parameters. */
function writtenValue(family: Family, params: ParamValues): string | null {
  const [param] = family.params;
  if (!param) return null;
  const value = params[param.name] ?? param.default;
  return value === null ? null : String(value);
}

/**
 * The name of the charting platform's column for a choice, e.g. RSI[1]|60, DonchCh20.Upper|1W.
 * @returns null when the platform has no such column: a timeframe, delay or value that the family lacks
 */
export function platformColumn(family: Family, choice: Omit<IndicatorChoice, 'family'>): string | null {
  const { params, tf, delay } = choice;
  const suffix = platformTimeframe(tf);
  if (suffix === null || !family.timeframes.includes(tf)) return null;
  if (delay !== 0 && !family.delaysAvailable.includes(delay)) return null;
  const value = writtenValue(family, params);
  if (value !== null && !family.params[0]?.values?.includes(value)) return null;
  const written = value === null || value === family.ignoreParam ? '' : `${family.separator}${value}`;
  const back = delay === 0 ? '' : `[${delay}]`;
  return `${family.tvPrefix}${written}${family.tvSuffix}${back}${suffix === '' ? '' : `|${suffix}`}`;
}

/** All choices that a family offers: every value on every timeframe with every delay. */
export function choicesOf(family: Family): IndicatorChoice[] {
  const [param] = family.params;
  const values: ParamValues[] = param
    ? (param.values ?? []).map((value): ParamValues => ({ [param.name]: value }))
    : [{}];
  return values.flatMap((params) =>
    family.timeframes.flatMap((tf) =>
      [0, ...family.delaysAvailable].map((delay) => ({ family: family.family, params, tf, delay })),
    ),
  );
}

/**
 * The inverse of `platformColumn`.
 * @returns a function from a column's name to its choice; null for a column of no family
 */
export function createPlatformColumnIndex(
  families: Readonly<Record<string, Family>>,
): (column: string) => IndicatorChoice | null {
  const index = new Map<string, IndicatorChoice>();
  for (const family of Object.values(families)) {
    for (const choice of choicesOf(family)) {
      const column = platformColumn(family, choice);
      if (column !== null) index.set(column, choice);
    }
  }
  return (column) => index.get(column) ?? null;
}
