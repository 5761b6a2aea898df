import { type ReactNode, useEffect, useMemo, useRef, useState, type ComponentProps } from 'react';
import { type BarColumns, type ChartTimeframe, CHART_TIMEFRAMES } from '#market/bars/rules/bars.ts';
import { type ChartData, wholeDayOf } from '#market/bars/rules/chart.ts';
import { studyLines } from '#market/bars/rules/studies.ts';
import type { Stock } from '#market/rules/stock.ts';
import { livePrice } from '#market/rules/stockState.ts';
import { sydneyDate } from '#lib/sydneyTime.ts';
import { isMissing, messageOf } from '#web/api/client.ts';
import { meta, stocks } from '#web/live/market.ts';
import { arePricesOld } from '#web/live/marketHours.ts';
import { Button, IconButton } from '#ui/Button.tsx';
import { Segments } from '#ui/Segments.tsx';
import { isDated } from './chartSlots.ts';
import { TIMEFRAME_NAMES } from './chartTexts.tsx';
import { drawingCode, PriceChart } from './PriceChart.tsx';
import { chartOptions, followChartOptions } from './chartOptions.ts';
import { useStockExtras } from './useStockExtras.ts';
import '../stockLate.css';
import { type ChartBars, type ChartBarsState, prefetchBars, useStockBars } from './chartBars.ts';
import { type ReadonlySignal, signal } from '@preact/signals-react';
import { readChoice } from '#lib/read.ts';
import { readStored, writeStored } from '#web/shared/storage.ts';
import {
  type AverageId,
  type ChartAverage,
  createAverager,
  hasAverages,
} from '#market/bars/rules/averages.ts';
import { followSizeChoices, sizeChoices } from '#subjects/calls/web/shared/size/sizeChoices.tsx';
import { ErrorBoundary } from '#web/shared/ErrorBoundary.tsx';
import { useNewest } from '#web/shared/useLoaded.ts';
import { useChartLevels } from './chartLevels.ts';
import type { PriceChartProps, AlertOffer, PriceLevelProps, UserLine } from './types.ts';
import type { PriceCrossing } from '#subjects/alerts/rules/crossingAt.ts';
import { setAlertAt } from '#subjects/alerts/web/shared/lateAlertDialogs.tsx';
import SlidersIcon from 'lucide-react/icons/sliders-horizontal';
import { late } from '#web/shared/lateStyles.ts';

const SizeDialog = late(() =>
  import('#subjects/calls/web/shared/size/size.tsx').then((code) => code.SizeDialog),
);
const Menu = late(() => import('./ChartOptionsMenu.tsx').then((code) => code.ChartOptionsMenu));

type ChartOptionsButtonProps = Pick<ComponentProps<typeof Menu>, 'tf' | 'exported' | 'onAddLevel'>;

export function ChartOptionsButton({ tf, exported, onAddLevel }: ChartOptionsButtonProps): ReactNode {
  const [isOpen, setOpen] = useState(false);
  const [isSizing, setSizing] = useState(false);
  const button = useRef<HTMLButtonElement>(null);
  useEffect(followChartOptions, []);
  const close = () => {
    setOpen(false);
    button.current?.focus({ preventScroll: true });
  };
  return (
    <>
      <IconButton
        ref={button}
        label="Chart options"
        aria-haspopup="menu"
        aria-expanded={isOpen}
        onClick={() => setOpen(true)}
      >
        <SlidersIcon size={16} aria-hidden />
      </IconButton>
      {isOpen && button.current && (
        <Menu
          tf={tf}
          exported={exported}
          onAddLevel={onAddLevel}
          anchor={button.current}
          onSize={() => setSizing(true)}
          onClose={close}
        />
      )}
      {isSizing && <SizeDialog onClose={() => setSizing(false)} />}
    </>
  );
}

/** Reference price of an alert: the last price, otherwise the match price, otherwise the previous close. */
const currentOf = (stock: Stock | null): number | null =>
  stock?.last ?? stock?.match_price ?? stock?.close ?? null;

function useAlertOffer(stock: Stock | null): AlertOffer | undefined {
  const current = currentOf(stock);
  const newest = useNewest(stock);
  return useMemo(() => {
    if (current === null || current <= 0) return undefined;
    const ask = ({ price }: PriceCrossing) => {
      if (newest.current !== null) void setAlertAt(newest.current, price);
    };
    return { current, ask };
  }, [current, newest]);
}

const SizeReadout = late(() => import('./SizeReadout.tsx').then((code) => code.SizeReadout));

/** Shows the number of shares that the chosen risk allows; undefined without a risk or a price. */
export function useSizeReadout(stock: Stock | null): PriceChartProps['readout'] {
  useEffect(followSizeChoices, []);
  const entry = livePrice(stock ?? undefined);
  if (sizeChoices.value.risk === null || entry === null || entry <= 0) return undefined;
  return (pointed) => (
    // If the code does not load, the chart works as without a risk.
    <ErrorBoundary fallback={() => null}>
      <SizeReadout entry={entry} pointed={pointed} />
    </ErrorBoundary>
  );
}

const TIMEFRAMES = CHART_TIMEFRAMES.map((id) => {
  const { short, long } = TIMEFRAME_NAMES[id];
  return { id, label: short, name: `${short}, ${long}`, title: long };
});

const NONE: readonly ChartAverage[] = [];

export function useAverages(
  { bars, hasMore }: { bars: BarColumns; hasMore: boolean },
  tf: ChartTimeframe,
  ids: readonly AverageId[],
): readonly ChartAverage[] {
  const [averager] = useState(createAverager);
  return useMemo(
    () => (ids.length === 0 || !hasAverages(tf) ? NONE : averager({ bars, hasMore }, ids)),
    [averager, bars, hasMore, tf, ids],
  );
}

const KEY = 'bellbird.chartTimeframe';

const state = signal<ChartTimeframe>(readStored(KEY, readChoice(CHART_TIMEFRAMES)) ?? '1');

/** Timeframe of the charts in rows, stored in this browser. Other windows use it when they load again. */
export const chosenTimeframe: ReadonlySignal<ChartTimeframe> = state;

export function chooseTimeframe(tf: ChartTimeframe): void {
  state.value = tf;
  writeStored(KEY, tf);
}

/** Loads the chart of a stock that will probably be selected next, such as the row below. */
export const prefetchChart = (code: string): void => prefetchBars(code, chosenTimeframe.peek());

function steppedTimeframe(tf: ChartTimeframe, step: -1 | 1): ChartTimeframe {
  return CHART_TIMEFRAMES[CHART_TIMEFRAMES.indexOf(tf) + step] ?? tf;
}

export type StockChartProps = PriceLevelProps & {
  code: string;
  stock: Stock | null;
  tf: ChartTimeframe;
  onTimeframe(tf: ChartTimeframe): void;
  /** Height of the drawing, px; omit to fill the container. */
  height?: number;
  tools?: ReactNode;
} & Pick<PriceChartProps, 'shared'>;

export function StockChart(props: StockChartProps): ReactNode {
  const { code, stock, tf, onTimeframe, height, tools, levels, onLevel, shared } = props;
  // Loaded in parallel with the bars. The chart itself handles a failure.
  useEffect(() => void drawingCode().catch(() => undefined), []);
  const bars = useStockBars(code, tf);
  const { status } = bars.state.value;
  const drawn = useDrawnData(code, stock, tf, bars.state.value);
  const isOther = drawn !== null && drawn.code !== code;
  const offer = useAlertOffer(stock);
  const current = isOther ? null : (drawn?.bars.close.at(-1) ?? null);
  const readout = useSizeReadout(stock);
  const saved = useChartLevels(code, offer);
  const lines = useMemo(
    () => [
      ...(levels ?? []).map(
        (level): UserLine => ({
          ...level,
          ...(onLevel && { onMove: (price, isDone) => onLevel(level.id, price, isDone) }),
        }),
      ),
      ...saved.lines,
    ],
    [levels, onLevel, saved.lines],
  );
  return (
    <section
      className="stock-chart stack gap-1 min-w-0"
      aria-label={shared ? `Chart of ${code}, ${TIMEFRAME_NAMES[tf].long}` : `Chart of ${code}`}
      data-state={status}
      data-stale={arePricesOld.value || undefined}
      aria-busy={status === 'loading'}
    >
      <div className="stock-chart-bar row">
        <Segments label="Timeframe" segments={TIMEFRAMES} chosen={tf} onChoose={onTimeframe} isQuiet />
        <ChartNotes code={code} stock={stock} tf={tf} state={bars.state.value} />
        <ChartOptionsButton
          tf={tf}
          exported={isOther ? null : exportedOf(code, drawn)}
          onAddLevel={saved.add && current !== null ? () => saved.add?.(current) : null}
        />
        {tools}
      </div>
      <div
        className="stock-chart-body"
        data-other={isOther || undefined}
        style={height === undefined ? undefined : { height }}
      >
        <ChartWord code={code} stock={stock} bars={bars} drawn={isOther ? null : drawn} />
        {drawn !== null && drawn.bars.time.length > 0 && (
          <PriceChart
            label={`${code}, ${TIMEFRAME_NAMES[drawn.tf].long}`}
            data={drawn}
            onTimeframe={(step) => onTimeframe(steppedTimeframe(tf, step))}
            onOlder={() => void bars.older()}
            lines={lines}
            {...(shared && { shared })}
            {...(saved.add && { onAddLevel: saved.add })}
            {...(offer && { alert: offer })}
            {...(readout && { readout })}
          />
        )}
      </div>
    </section>
  );
}

const exportedOf = (code: string, data: ChartData | null) =>
  data === null || data.bars.time.length === 0
    ? null
    : { label: `${code} ${TIMEFRAME_NAMES[data.tf].long}`, data };

/**
 * The data to draw; null for none. That of the previous timeframe or stock stays until the next one has loaded, so that
 * the chart keeps its place and focus, and need not be created again.
 */
function useDrawnData(code: string, stock: Stock | null, tf: ChartTimeframe, state: ChartBarsState) {
  const { status, bars, partial, unknown, knownSince, hasMore, adjustments } = state;
  const shown = useMemo(
    () => ({ bars, partial, unknown, knownSince, hasMore, adjustments }),
    [bars, partial, unknown, knownSince, hasMore, adjustments],
  );
  const extras = useStockExtras(code, stock, tf, shown);
  const { averages: chosen, studies: chosenStudies, hasWholeDay } = chartOptions.value;
  const averages = useAverages(shown, tf, chosen);
  const studies = useMemo(
    () => chosenStudies.flatMap((id) => studyLines(id, bars.close, hasMore)),
    [chosenStudies, bars, hasMore],
  );
  const day = useWholeDay(hasWholeDay && tf === '1' ? bars : null);
  const data: ChartData = useMemo(
    () => ({ code, tf, ...shown, ...extras, averages, studies, day }),
    [code, tf, shown, extras, averages, studies, day],
  );
  const held = useRef<ChartData | null>(null);
  if (status === 'ready') held.current = data;
  return status === 'failed' ? null : held.current;
}

type ChartNotesProps = Pick<StockChartProps, 'code' | 'stock' | 'tf'> & { state: ChartBarsState };

function ChartNotes({ code, stock, tf, state: { bars, note } }: ChartNotesProps): ReactNode {
  return (
    <span className="stock-chart-notes row muted small">
      {arePricesOld.value && <span className="stale-text">Connection lost: prices frozen.</span>}
      {note !== null && !stocks.value.has(code) && <span>{note}</span>}
      {isEarlier(bars, tf) && <span>{absentText(code, stock)}</span>}
    </span>
  );
}

type ChartWordProps = { code: string; stock: Stock | null; bars: ChartBars; drawn: ChartData | null };

function ChartWord({ code, stock, bars, drawn }: ChartWordProps): ReactNode {
  const { status, knownSince, problem } = bars.state.value;
  if (status === 'failed') {
    return (
      <p className="stock-chart-word row box muted" role="status">
        <span>{messageOf(problem, `The chart of ${code} could not be loaded. Try again.`)}</span>
        {/* If the server does not know the code, retrying does not help. */}
        {!isMissing(problem) && <Button onClick={() => void bars.refresh()}>Retry</Button>}
      </p>
    );
  }
  if (drawn === null) {
    if (status !== 'loading') return null;
    return (
      <p className="stock-chart-word row box on-raised" role="status">
        Loading the chart of {code}…
      </p>
    );
  }
  if (drawn.bars.time.length > 0) return null;
  return (
    <p className="stock-chart-word row box muted">
      {knownSince === null ? `No prices for ${code} yet.` : absentText(code, stock)}
    </p>
  );
}

function useWholeDay(bars: BarColumns | null): ChartData['day'] {
  const newest = bars?.time.at(-1);
  const date = newest === undefined ? null : sydneyDate(newest);
  return useMemo(() => (date === null ? null : wholeDayOf(date)), [date]);
}

/** Whether the newest minute bar is from an earlier session than the shown one. */
function isEarlier({ time }: BarColumns, tf: ChartTimeframe): boolean {
  const newest = time.at(-1);
  const today = meta.value?.dateToday ?? '';
  return newest !== undefined && today !== '' && !isDated(tf) && sydneyDate(newest) < today;
}

/** Explains missing bars: a source may report a day's trades without their times. */
const absentText = (code: string, stock: Stock | null): string =>
  (stock?.volume ?? 0) > 0
    ? `There are no minute bars of ${code} for today.`
    : `${code} has not traded today.`;
