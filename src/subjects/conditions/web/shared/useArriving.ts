import { useEffect, useMemo, useRef, useState } from 'react';
import { operandId } from '../../rules/operandText.ts';
import type { Operand } from '../../rules/operand.ts';
import { readerOf } from '../../rules/reader.ts';
import type { Stock } from '../../../../market/rules/stock.ts';

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
