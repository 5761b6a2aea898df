import { type ReactNode, useEffect, useMemo, useRef } from 'react';
import type { BarColumns, ChartTimeframe } from '../../../../../market/bars/rules/bars.ts';
import type { ChartData } from '../../../../../market/bars/rules/chart.ts';
import { wholeDayOf } from '../../../../../market/bars/rules/wholeDay.ts';
import type { Stock } from '../../../../../market/rules/stock.ts';
import { sydneyDate } from '../../../../../market/rules/sydneyTime.ts';
import { ApiError, messageOf } from '../../../../../../web/api/client.ts';
import { meta } from '../../../../../../web/live/market.ts';
import { arePricesOld } from '../../../../../../web/live/marketHours.ts';
import { Button } from '../../../../../../web/ui/Button.tsx';
import { useAverages } from './averages/useAverages.ts';
import { isDated } from './axisTime.ts';
import { TIMEFRAME_NAMES } from './chartFormat.ts';
import { steppedTimeframe } from './chosenTimeframe.ts';
import { drawingCode } from './drawingCode.ts';
import { ChartOptionsButton } from './options/ChartOptionsButton.tsx';
import { chartOptions } from './options/chartOptions.ts';
import { useStockExtras } from './own/useStockExtras.ts';
import { useAlertOffer } from './priceAlert/useAlertOffer.tsx';
import { PriceChart } from './PriceChart.tsx';
import './StockChart.css';
import { TimeframeButtons } from './TimeframeButtons.tsx';
import { useStockBars } from './useStockBars.ts';

export type StockChartProps = {
  code: string;
  /** The stock's record, live; null while it is not known. */
  stock: Stock | null;
  tf: ChartTimeframe;
  onTimeframe(tf: ChartTimeframe): void;
  /** px, of the drawing; left out, the chart fills what is around it. */
  height?: number;
  /** Buttons behind the timeframes, such as one that opens a window. */
  tools?: ReactNode;
};

/** A stock's chart with its timeframes: live, with what happened to it and what its reader has there. */
export function StockChart({ code, stock, tf, onTimeframe, height, tools }: StockChartProps): ReactNode {
  // Its code comes beside the bars; a failure counts where it is drawn.
  useEffect(() => void drawingCode().catch(() => undefined), []);
  const bars = useStockBars(code, tf);
  const { status, bars: columns, unknown, knownSince, hasMore, note, problem } = bars.state.value;
  const shown = useMemo(
    () => ({ bars: columns, unknown, knownSince, hasMore }),
    [columns, unknown, knownSince, hasMore],
  );
  const extras = useStockExtras(code, stock, tf, shown);
  const { averages: chosen, isWholeDay } = chartOptions.value;
  const averages = useAverages(shown, tf, chosen);
  const day = useWholeDay(isWholeDay && tf === '1' ? columns : null);
  const data: ChartData = useMemo(
    () => ({ tf, ...shown, ...extras, averages, day }),
    [tf, shown, extras, averages, day],
  );
  const place = useRef<HTMLElement>(null);
  const { offer, dialog } = useAlertOffer(stock, place);
  // Another timeframe takes the place of this one once it is there: the chart keeps its place, and the keyboard on it.
  const held = useRef<{ code: string; data: ChartData } | null>(null);
  if (status === 'ready') held.current = { code, data };
  const drawn = status === 'failed' || held.current?.code !== code ? null : held.current.data;
  const isOld = arePricesOld.value;
  const isEmpty = drawn !== null && drawn.bars.time.length === 0;
  return (
    <section
      className="stock-chart"
      ref={place}
      aria-label={`Chart of ${code}`}
      data-state={status}
      aria-busy={status === 'loading'}
    >
      <div className="stock-chart-bar">
        <TimeframeButtons tf={tf} onChoose={onTimeframe} />
        <span className="stock-chart-notes">
          {isOld && <span className="stock-chart-stale">Connection lost: prices frozen.</span>}
          {note !== null && <span>{note}</span>}
          {isEarlier(columns, tf) && <span>{absentText(code, stock)}</span>}
        </span>
        <ChartOptionsButton tf={tf} />
        {tools}
      </div>
      <div className="stock-chart-body" style={height === undefined ? undefined : { height }}>
        {status === 'loading' && drawn === null && (
          <p className="stock-chart-word stock-chart-wait" role="status">
            Loading the chart of {code}…
          </p>
        )}
        {status === 'failed' && (
          <p className="stock-chart-word" role="status">
            <span>{messageOf(problem, `The chart of ${code} could not be loaded. Try again.`)}</span>
            {!isUnknownCode(problem) && <Button onClick={() => void bars.refresh()}>Retry</Button>}
          </p>
        )}
        {isEmpty && (
          <p className="stock-chart-word">
            {knownSince === null ? `No prices for ${code} yet.` : absentText(code, stock)}
          </p>
        )}
        {drawn !== null && !isEmpty && (
          <PriceChart
            label={`${code}, ${TIMEFRAME_NAMES[drawn.tf].long}`}
            data={drawn}
            onTimeframe={(step) => onTimeframe(steppedTimeframe(tf, step))}
            onOlder={() => void bars.older()}
            {...(offer && { alert: offer })}
          />
        )}
      </div>
      {dialog}
    </section>
  );
}

/** The day of the newest bar, which is another only with another day; null for no bars. */
function useWholeDay(bars: BarColumns | null): ChartData['day'] {
  const newest = bars?.time.at(-1);
  const date = newest === undefined ? null : sydneyDate(newest);
  return useMemo(() => (date === null ? null : wholeDayOf(date)), [date]);
}

/** Nothing is known of its code: to ask again brings nothing. */
const isUnknownCode = (problem: unknown): boolean => problem instanceof ApiError && problem.status === 404;

/** Whether the newest bar of minutes is not of the session that is shown. */
function isEarlier({ time }: BarColumns, tf: ChartTimeframe): boolean {
  const newest = time.at(-1);
  const today = meta.value?.dateToday ?? '';
  return newest !== undefined && today !== '' && !isDated(tf) && sydneyDate(newest) < today;
}

/** Why there are no minutes of today: a source may tell of a day's trades without when they were. */
const absentText = (code: string, stock: Stock | null): string =>
  (stock?.volume ?? 0) > 0
    ? `Today’s minute bars of ${code} are not known.`
    : `${code} has not traded today.`;
