import { type KeyboardEvent, type ReactNode, useId, useMemo, useRef, useState } from 'react';
import { formatMoment } from '../../../../calls/rules/callFormat.ts';
import { Button } from '../../../../../../web/ui/Button.tsx';
import { averageValues } from './averages/averageText.ts';
import { barSentence, barValues, priceDecimals } from './chartFormat.ts';
import { ChartKey } from './ChartKey.tsx';
import { ChartLegend } from './ChartLegend.tsx';
import { ChartNumbers } from './ChartNumbers.tsx';
import { chartKey } from './chartKeys.ts';
import { drawingCode } from './drawingCode.ts';
import { markTexts } from './markTexts.ts';
import './PriceChart.css';
import { PriceCursor } from './priceAlert/PriceCursor.tsx';
import { usePriceCursor } from './priceAlert/usePriceCursor.ts';
import type { DrawingEvents, PriceChartProps } from './types.ts';
import { useAfterPaint } from './useAfterPaint.ts';
import { useDrawing } from './useDrawing.ts';

const NOTHING = (): void => undefined;

/**
 * Prices as candles with volume, and what is to be seen on them. By the keyboard: left and right move by a bar, Home and End
 * to the ends, + and − make bars wider and narrower, up and down ask for another timeframe, Escape leaves the bar.
 */
export function PriceChart(props: PriceChartProps): ReactNode {
  const { label, data, height, alert, onTimeframe, onOlder = NOTHING } = props;
  const { fitsAll = false, load = drawingCode } = props;
  const host = useRef<HTMLDivElement>(null);
  const slider = useRef<HTMLDivElement>(null);
  const help = useId();
  const [pointed, setPointed] = useState<number | null>(null);
  const events: DrawingEvents = {
    onPoint: setPointed,
    onOlder,
    onPick: pick,
    onCursor: (top) => cursor.moved(top),
  };
  const { drawing, hasFailed, retry } = useDrawing(host, { data, fitsAll, load }, events);
  const cursor = usePriceCursor(alert, drawing, data.levels);
  // The numbers that are not seen come after the picture.
  const isPainted = useAfterPaint(drawing !== null || hasFailed);
  const count = data.bars.time.length;
  const decimals = useMemo(() => priceDecimals(data.bars), [data.bars]);
  const bar = pointed !== null && pointed < count ? pointed : count - 1;
  const values = barValues(data, bar, decimals);
  const averages = averageValues(data, bar, decimals);
  const texts = markTexts(data, bar);

  function pick(price: number): void {
    if (alert === undefined) return;
    // Its keys act on what was clicked: Escape takes it away.
    slider.current?.focus({ preventScroll: true });
    cursor.pick(price);
  }

  function press(event: KeyboardEvent): void {
    if (event.key === 'Escape' && cursor.price !== null) {
      event.stopPropagation();
      return cursor.setPrice(null);
    }
    const action = chartKey(event, { bar: pointed, count });
    if (action === null) return;
    if (action.kind === 'timeframe' && onTimeframe === undefined) return;
    event.preventDefault();
    event.stopPropagation();
    if (action.kind === 'timeframe') onTimeframe?.(action.step);
    else if (action.kind === 'zoom') drawing?.zoom(action.factor);
    else {
      setPointed(action.bar);
      drawing?.point(action.bar);
      if (action.bar === 0) onOlder();
    }
  }

  return (
    <figure className="price-chart" aria-label={label}>
      <ChartLegend values={values} averages={averages} texts={texts} />
      <div className="price-chart-plot" style={height === undefined ? undefined : { height }}>
        <div
          className="price-chart-drawing"
          ref={slider}
          role="slider"
          tabIndex={0}
          aria-label={`${label}: bars`}
          aria-describedby={help}
          aria-valuemin={1}
          aria-valuemax={Math.max(1, count)}
          aria-valuenow={Math.max(1, bar + 1)}
          aria-valuetext={
            values === null
              ? 'No bars'
              : barSentence(values, [...averages.map(({ title, value }) => `${title} ${value}`), ...texts])
          }
          onKeyDown={press}
          onBlur={() => {
            setPointed(null);
            drawing?.point(null);
          }}
        >
          <div
            className="price-chart-canvas"
            ref={host}
            aria-hidden="true"
            data-drawn={drawing !== null || undefined}
          />
          {drawing === null && !hasFailed && <span className="price-chart-wait">Loading the chart…</span>}
        </div>
        {alert && !hasFailed && (
          <PriceCursor
            label={label}
            offer={alert}
            price={cursor.price}
            onPrice={cursor.setPrice}
            place={cursor.place}
          />
        )}
      </div>
      {hasFailed && (
        <p className="price-chart-failed" role="alert">
          The chart could not be shown. <Button onClick={retry}>Retry</Button>
        </p>
      )}
      <ChartKey data={data} decimals={decimals} hasAlerts={alert !== undefined} />
      <p id={help} className="visually-hidden">
        Left and right arrows move by a bar{onTimeframe && ', up and down change the timeframe'}.
      </p>
      {data.knownSince !== null && <KnownSince data={data} />}
      {isPainted && <ChartNumbers label={label} data={data} decimals={decimals} />}
    </figure>
  );
}

/** Where the first bar is the first that is known, the chart says so: a short chart is no short history. */
function KnownSince({ data }: Pick<PriceChartProps, 'data'>): ReactNode {
  const first = data.bars.time[0];
  if (data.knownSince === null || data.hasMore !== false || first === undefined) return null;
  return <p className="price-chart-note">Known since {formatMoment(data.knownSince)}.</p>;
}
