import type { HtfChoice } from '../../../src/domain/indicators/htfCandle.ts';
import type { IndicatorChoice } from '../../../src/domain/indicators/types.ts';

/** What was chosen in the picker: a broker field, a candle, or an indicator once for each timeframe. */
export type PickerResult =
  | { kind: 'field'; key: string }
  | { kind: 'htf'; choice: HtfChoice }
  | { kind: 'indicator'; choices: IndicatorChoice[] };
