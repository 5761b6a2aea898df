import { useMemo, useEffect, useRef, useState } from 'react';
import { createEvaluator, readerOf } from '#subjects/conditions/rules/evaluator.ts';
import type { Logic } from '#subjects/conditions/rules/condition.ts';
import type { Stock } from '#market/rules/stock.ts';
import { ignoresStatus, marketNow } from '#web/live/market.ts';
import { MINUTES_FIELD } from '#subjects/conditions/rules/conditionFields.ts';
import { isSector, type Operand, operandId } from '#subjects/conditions/rules/operand.ts';

/** For how long no further value has to come until those that are there count as all there will be. */
const SETTLED_MS = 3000;

/** How many values of indicators and candles the stocks have; prices come by trades and are never awaited. */
function countValues(operands: readonly Operand[], stocks: ReadonlyMap<string, Stock>): [number, number] {
  const awaited = operands.filter(({ type }) => type === 'indicator' || type === 'htf');
  let known = 0;
  for (const operand of awaited) {
    const read = readerOf(operand);
    for (const stock of stocks.values()) if (read(stock) !== null) known += 1;
  }
  return [known, awaited.length * stocks.size];
}

/** Whether values that the operands read are still coming in, so that what is counted with them is not the whole yet. */
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
 * Whether any stock has a value for the operand, or nothing is to be waited for: a number and a text are always there,
 * and the minutes since the open come with the open.
 */
export function hasValues(operand: Operand, stocks: ReadonlyMap<string, Stock>): boolean {
  if (operand.type === 'text' || (operand.type === 'field' && operand.key === MINUTES_FIELD)) return true;
  if (isSector(operand)) return [...stocks.values()].some(({ sector }) => sector !== null);
  const read = readerOf(operand);
  for (const stock of stocks.values()) if (read(stock) !== null) return true;
  return false;
}

/** For how long a crossing counts, market time: it lasts one tick, too short to see the row that it lets through. */
export const CROSSING_HOLD_MS = 60_000;

/**
 * The codes of the stocks that meet all conditions, computed again with every change of the market.
 * @param logic the same object while its conditions stay the same: another one forgets the crossings so far
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
