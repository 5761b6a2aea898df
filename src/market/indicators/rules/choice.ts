import { ok, refuse, type Result, within } from '#lib/result.ts';
import { normaliseParams } from './parameters.ts';
import { DEFAULT_TIMEFRAME, isTimeframe } from './timeframe.ts';
import type { Catalog, IndicatorChoice } from './types.ts';
import { lookUp } from '#lib/json.ts';

/** An indicator as somebody sent it; what is left out takes its default. */
export type SentChoice = {
  family: string;
  params?: Readonly<Record<string, unknown>>;
  tf?: string;
  delay?: number;
};

/**
 * Checks a chosen indicator against a catalog. A missing timeframe is the day; a delay that the family does not have
 * is not applied (specification, section 5).
 * @returns the choice, complete; or a refusal whose field is 'family', 'params.<name>' or 'tf'
 */
export function checkChoice(
  catalog: Pick<Catalog, 'indicators'>,
  { family: slug, params: sent = {}, tf = DEFAULT_TIMEFRAME, delay = 0 }: SentChoice,
): Result<IndicatorChoice> {
  const family = lookUp(catalog.indicators, slug);
  if (!family) return refuse(`The indicator "${slug.slice(0, 40)}" is not in the catalog.`, 'family');
  const params = within('params', normaliseParams(family, sent));
  if (!params.ok) return params;
  if (!isTimeframe(tf) || !family.timeframes.includes(tf)) {
    return refuse(`${family.label} is not offered on the timeframe "${tf.slice(0, 10)}".`, 'tf');
  }
  const applied = family.delaysAvailable.includes(delay) ? delay : 0;
  return ok({ family: family.family, params: params.value, tf, delay: applied });
}
