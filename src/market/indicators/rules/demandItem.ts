import type { IndicatorChoice } from './types.ts';
import { type HtfChoice, htfKey } from './htfCandle.ts';

/** A value that somebody looks at: an indicator, or a price of a higher-timeframe candle. */
export type DemandItem =
  | {
      kind: 'indicator';
      choice: IndicatorChoice;
      /** Its place, `indicators[tf][key][valueKey]`. */
      key: string;
    }
  | { kind: 'htf'; choice: HtfChoice };

/** One text per value: two items with the same text are the same value. */
export const demandItemId = (item: DemandItem): string =>
  item.kind === 'htf'
    ? `htf:${htfKey(item.choice)}`
    : `indicator:${item.choice.tf}:${item.key}:${item.choice.delay}`;
