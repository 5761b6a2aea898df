import { useEffect, useState } from 'react';
import type { BarsAnswer, ChartTimeframe } from '../../../../market/bars/rules/bars.ts';
import { marketEra } from '../../../../../web/live/marketEra.ts';
import { fetchBarsBefore } from './api.ts';

export type BarsOf = {
  /** Null before the answer, and when there is none. */
  answer: BarsAnswer | null;
  hasFailed: boolean;
};

const WAITING: BarsOf = { answer: null, hasFailed: false };

/**
 * The newest bars of a stock that begin before a moment, asked for once an era.
 * @param before epoch ms
 */
export function useBarsOf(symbol: string, tf: ChartTimeframe, before: number): BarsOf {
  const key = `${symbol} ${tf} ${before} ${marketEra.value ?? ''}`;
  const [held, setHeld] = useState<BarsOf & { key: string }>({ ...WAITING, key: '' });
  useEffect(() => {
    let isWanted = true;
    fetchBarsBefore(symbol, tf, before).then(
      (answer) => isWanted && setHeld({ key, answer, hasFailed: false }),
      (problem: unknown) => {
        console.warn(`The bars of ${symbol} could not be loaded.`, problem);
        if (isWanted) setHeld({ key, answer: null, hasFailed: true });
      },
    );
    return () => {
      isWanted = false;
    };
  }, [key, symbol, tf, before]);
  return held.key === key ? held : WAITING;
}
