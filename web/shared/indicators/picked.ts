import type { HtfChoice } from '../../../src/domain/indicators/htfCandle.ts';
import type { IndicatorChoice } from '../../../src/domain/indicators/types.ts';

/** What the picker hands over: a field, a candle, or an indicator once for each chosen timeframe. */
export type Picked =
  | { kind: 'field'; key: string }
  | { kind: 'htf'; choice: HtfChoice }
  | { kind: 'indicator'; choices: IndicatorChoice[] };
