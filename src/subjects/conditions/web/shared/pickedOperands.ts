import type { Catalog } from '#market/indicators/rules/types.ts';
import type { PickerResult } from '#web/shared/indicators/AddIndicatorDialog.tsx';
import { indicatorKey, valueKeyOf } from '#market/indicators/rules/indicatorKey.ts';
import type { FieldRef, Ref } from '#subjects/conditions/rules/operand.ts';

/**
 * The operands of conditions that a choice in the picker makes: an indicator gives one for each timeframe.
 * @returns none for an indicator whose family the catalog does not have
 */
export function pickedOperands(result: PickerResult, catalog: Catalog | null): (Ref | FieldRef)[] {
  if (result.kind === 'field') return [{ type: 'field', key: result.key }];
  if (result.kind === 'htf') return [{ type: 'htf', ...result.choice }];
  return result.choices.flatMap(({ family: slug, params, tf, delay }): Ref[] => {
    const family = catalog?.indicators[slug];
    if (!family) return [];
    const key = indicatorKey(family, params);
    return [{ type: 'indicator', family: slug, params, tf, key, valueKey: valueKeyOf(delay) }];
  });
}

/** Like `pickedOperands`, without the broker fields, whose values every stock has already. */
export const pickedIndicators = (result: PickerResult, catalog: Catalog | null): Ref[] =>
  pickedOperands(result, catalog).filter((operand) => operand.type !== 'field');
