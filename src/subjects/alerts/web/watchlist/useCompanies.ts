import { computed } from '@preact/signals-react';
import { useMemo } from 'react';
import { stocks } from '../../../../../web/live/market.ts';
import { useWatch } from '../../../../../web/live/useWatch.ts';

/**
 * The names of the companies of some symbols, as far as the live list has them; the same function until another is known.
 * @param symbols in whatever order, each as often as it stands somewhere
 */
export function useCompanies(symbols: readonly string[]): (symbol: string) => string {
  const codes = useMemo(() => [...new Set(symbols)].sort(), [symbols]);
  useWatch({ codes });
  // Of what comes with every tick only this is read: without a new name nothing here renders.
  const names = useMemo(
    () => computed(() => JSON.stringify(codes.map((code) => stocks.value.get(code)?.name ?? ''))),
    [codes],
  );
  const text = names.value;
  return useMemo(() => {
    const known = JSON.parse(text) as string[];
    const byCode = new Map(codes.map((code, index) => [code, known[index] ?? '']));
    return (symbol) => byCode.get(symbol) ?? '';
  }, [codes, text]);
}
