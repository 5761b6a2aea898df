import type { HtfChoice } from '#market/indicators/rules/htfCandle.ts';
import type { IndicatorChoice } from '#market/indicators/rules/types.ts';

/** What was chosen in the picker: a broker field, a candle, or an indicator once for each timeframe. */
export type PickerResult =
  | { kind: 'field'; key: string }
  | { kind: 'htf'; choice: HtfChoice }
  | { kind: 'indicator'; choices: IndicatorChoice[] };
