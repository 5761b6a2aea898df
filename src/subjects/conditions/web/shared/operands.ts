import { useMemo, useEffect, useRef, useState } from 'react';
import { createEvaluator, readerOf } from '../../rules/evaluator.ts';
import type { Logic } from '../../rules/condition.ts';
import type { Stock } from '#market/rules/stock.ts';
import { ignoresStatus, marketNow } from '#web/live/market.ts';
import { MINUTES_FIELD } from '../../rules/conditionFields.ts';
import { isSector, type Operand, operandId, type FieldRef, type Ref } from '../../rules/operand.ts';
import type { Catalog } from '#market/indicators/rules/types.ts';
import type { PickerResult } from '#web/shared/indicators/AddIndicatorDialog.tsx';
import { indicatorKey, valueKeyOf } from '#market/indicators/rules/indicatorKey.ts';

/**
 * The operands of a choice in the picker; an indicator yields one per timeframe.
 * @returns none if the catalog lacks the indicator's family
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

/** The indicators of a choice. Fields of the broker are left out, because every stock already has their values. */
export const pickedIndicators = (result: PickerResult, catalog: Catalog | null): Ref[] =>
  pickedOperands(result, catalog).filter((operand) => operand.type !== 'field');

/** If no new values arrive for this time (ms), the values count as complete. */
const SETTLED_MS = 3000;

/** Number of values of indicators and candles that the stocks have, and that they could have. Prices do not count. */
function countValues(operands: readonly Operand[], stocks: ReadonlyMap<string, Stock>): [number, number] {
  const awaited = operands.filter(({ type }) => type === 'indicator' || type === 'htf');
  let known = 0;
  for (const operand of awaited) {
    const read = readerOf(operand);
    for (const stock of stocks.values()) if (read(stock) !== null) known += 1;
  }
  return [known, awaited.length * stocks.size];
}

/** Whether values of the operands are still arriving, so that counts are not complete. */
export function useArriving(operands: readonly Operand[], stocks: ReadonlyMap<string, Stock>): boolean {
  const [known, possible] = useMemo(() => countValues(operands, stocks), [operands, stocks]);
  const key = operands.map(operandId).join();
  const [grown, setGrown] = useState<string | null>(null);
  const seen = useRef({ key, known });
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  useEffect(() => {
    const before = seen.current;
    seen.current = { key, known };
    if (before.key !== key || known <= before.known) return;
    setGrown(key);
    clearTimeout(timer.current);
    timer.current = setTimeout(() => setGrown(null), SETTLED_MS);
  }, [key, known]);
  useEffect(() => () => clearTimeout(timer.current), []);
  return grown === key && known < possible;
}

/**
 * Whether any stock has a value, or none is needed. Numbers and texts always exist, and the minutes since the open
 * exist from the open.
 */
export function hasValues(operand: Operand, stocks: ReadonlyMap<string, Stock>): boolean {
  if (operand.type === 'text' || (operand.type === 'field' && operand.key === MINUTES_FIELD)) return true;
  if (isSector(operand)) return [...stocks.values()].some(({ sector }) => sector !== null);
  const read = readerOf(operand);
  for (const stock of stocks.values()) if (read(stock) !== null) return true;
  return false;
}

/** How long a crossing counts, ms of market time. It lasts only one tick, which users would not notice. */
const CROSSING_HOLD_MS = 60_000;

/**
 * Codes of the stocks that meet all conditions, updated with the market.
 * @param logic must be stable while its conditions stay the same, because a new object forgets past crossings
 * @returns null without conditions
 */
export function useMatches(
  logic: Logic | null,
  stocks: ReadonlyMap<string, Stock>,
): ReadonlySet<string> | null {
  const evaluator = useMemo(
    () => (logic ? createEvaluator(logic, { holdMs: CROSSING_HOLD_MS, ignoreStatus: ignoresStatus }) : null),
    [logic],
  );
  return useMemo(() => evaluator?.run(stocks, marketNow()) ?? null, [evaluator, stocks]);
}
