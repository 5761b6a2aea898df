import type { ReactNode } from 'react';
import { CHART_TIMEFRAMES, type ChartTimeframe } from '../../../../../market/bars/rules/bars.ts';
import { TIMEFRAME_NAMES } from './chartFormat.ts';
import './TimeframeButtons.css';

type TimeframeButtonsProps = { tf: ChartTimeframe; onChoose(tf: ChartTimeframe): void };

/** The timeframes of a chart as one row of buttons. */
export function TimeframeButtons({ tf, onChoose }: TimeframeButtonsProps): ReactNode {
  return (
    <div className="timeframe-buttons" role="group" aria-label="Timeframe">
      {CHART_TIMEFRAMES.map((choice) => (
        <button
          key={choice}
          type="button"
          aria-pressed={choice === tf}
          aria-label={`${TIMEFRAME_NAMES[choice].short}, ${TIMEFRAME_NAMES[choice].long}`}
          title={TIMEFRAME_NAMES[choice].long}
          onClick={() => onChoose(choice)}
        >
          {TIMEFRAME_NAMES[choice].short}
        </button>
      ))}
    </div>
  );
}
