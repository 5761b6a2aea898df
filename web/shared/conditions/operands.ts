import { indicatorKey, valueKeyOf } from '../../../src/domain/indicators/indicatorKey.ts';
import type { FieldRef, Ref } from '../../../src/domain/conditions/operand.ts';
import type { Catalog } from '../../../src/domain/indicators/types.ts';
import type { Picked } from '../indicators/picked.ts';

/** What was picked, as sides of conditions: an indicator once for each timeframe. */
export function operandsOfPicked(picked: Picked, catalog: Catalog | null): (Ref | FieldRef)[] {
  if (picked.kind === 'field') return [{ type: 'field', key: picked.key }];
  if (picked.kind === 'htf') return [{ type: 'htf', ...picked.choice }];
  return picked.choices.flatMap(({ family: slug, params, tf, delay }): Ref[] => {
    const family = catalog?.indicators[slug];
    if (!family) return [];
    const key = indicatorKey(family, params);
    return [{ type: 'indicator', family: slug, params, tf, key, valueKey: valueKeyOf(delay) }];
  });
}

/** As above, without fields: those are always there. */
export const refsOf = (picked: Picked, catalog: Catalog | null): Ref[] =>
  operandsOfPicked(picked, catalog).filter((operand) => operand.type !== 'field');
