import { signal } from '@preact/signals-react';
import {
  type KeyboardEvent,
  type ReactNode,
  useId,
  useMemo,
  useRef,
  useState,
  useEffect,
  type RefObject,
  useCallback,
  useLayoutEffect,
} from 'react';
import type { ChartData, ChartLevel } from '#market/bars/rules/chart.ts';
import { formatMoment, formatShortDate } from '#texts/format.ts';
import { Button, IconButton } from '#ui/Button.tsx';
import { crosshairMove, type PressedKey } from './crosshairMove.ts';
import {
  averageValues,
  type AverageValue,
  barSentence,
  barValues,
  priceDecimals,
  type BarValues,
  markTexts,
  AverageLine,
} from './chartTexts.tsx';
import { ChartKey, ChartNumbers } from './ChartInWords.tsx';
import type {
  PriceChartProps,
  MakeDrawing,
  AlertOffer,
  Drawing,
  DrawingEvents,
  SharedPoint,
  UserLine,
} from './types.ts';
import { sydneyDate } from '#lib/sydneyTime.ts';
import { isDated, toAxis } from './chartSlots.ts';
import { movedPrice } from './movedPrice.ts';
import { PriceLevels } from './PriceLevels.tsx';
import { Trend } from '#ui/Trend.tsx';
import { roundToStep } from '#market/rules/priceStep.ts';
import { isTyping } from '#ui/isTyping.ts';
import { useNewest } from '#web/shared/useLoaded.ts';
import BellPlusIcon from 'lucide-react/icons/bell-plus';
import SeparatorHorizontalIcon from 'lucide-react/icons/separator-horizontal';
import XIcon from 'lucide-react/icons/x';
import { priceText } from '#subjects/alerts/rules/seenText.ts';
import { crossingAt, crossingText } from '#subjects/alerts/rules/crossingAt.ts';

type PriceCursorProps = {
  label: string;
  offer: AlertOffer;
  price: number | null;
  onPrice(price: number | null): void;
  /** The element on which `--cursor-top` is set. */
  place: RefObject<HTMLDivElement | null>;
} & Pick<PriceChartProps, 'onAddLevel'>;

/** Factor of the price that is the slider's maximum. */
const REACH = 10;

/**
 * The price cursor and the alert that can be set at it. The arrows move it by a price step, the page keys by ten. Enter
 * sets an alert, Escape removes the cursor.
 */
function PriceCursor({ label, offer, price, onPrice, place, onAddLevel }: PriceCursorProps): ReactNode {
  const { current } = offer;
  const at = price ?? roundToStep(current);
  const crossing = crossingAt(at, current);
  const words = crossingText(crossing);

  const ask = (): void => {
    offer.ask(crossing);
    onPrice(null);
  };

  function press(event: KeyboardEvent): void {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const moved = movedPrice(event.key, at);
    if (moved !== null) onPrice(moved);
    else if (event.key === 'Enter' && price === null) onPrice(at);
    else if (event.key === 'Enter') ask();
    else if (event.key === 'Escape' && price !== null) onPrice(null);
    else return;
    event.preventDefault();
    event.stopPropagation();
  }

  return (
    <div className="price-cursor" ref={place} data-shown={price !== null || undefined}>
      <div
        className="price-cursor-slider"
        role="slider"
        tabIndex={0}
        aria-orientation="vertical"
        aria-label={`${label}: price of an alert`}
        aria-valuemin={0}
        aria-valuemax={Math.max(current, at) * REACH}
        aria-valuenow={at}
        aria-valuetext={`${priceText(at)}: ${price === null ? 'the arrows choose another price' : `Enter sets an alert when it ${words}`}`}
        onKeyDown={press}
      />
      {price !== null && (
        <Offer
          words={words}
          onAsk={ask}
          onLeave={() => onPrice(null)}
          place={place}
          onLevel={onAddLevel && (() => onAddLevel(price))}
        />
      )}
    </div>
  );
}

type OfferProps = Pick<PriceCursorProps, 'place'> & {
  words: string;
  onAsk(): void;
  onLevel: (() => void) | undefined;
  onLeave(): void;
};

function Offer({ words, onAsk, onLevel, onLeave, place }: OfferProps): ReactNode {
  const leave = (): void => {
    // The button disappears, so its focus moves to the chart's bars.
    place.current?.parentElement?.querySelector<HTMLElement>('[role="slider"]')?.focus();
    onLeave();
  };
  const andLeave = (act: () => void) => () => {
    leave();
    act();
  };
  const escape = (event: KeyboardEvent): void => {
    if (event.key !== 'Escape') return;
    event.stopPropagation();
    leave();
  };
  return (
    <div className="price-cursor-offer rounded on-raised" onKeyDown={escape}>
      <Button onClick={andLeave(onAsk)}>
        <BellPlusIcon size={14} aria-hidden />
        Alert me: {words}
      </Button>
      {onLevel && (
        <IconButton label="Add a level here (h)" onClick={andLeave(onLevel)}>
          <SeparatorHorizontalIcon size={14} aria-hidden />
        </IconButton>
      )}
      <IconButton label="Close without setting an alert" onClick={leave}>
        <XIcon size={14} aria-hidden />
      </IconButton>
    </div>
  );
}

type DrawingState = {
  drawing: Drawing | null;
  /** True if the code did not load, or could not draw the data. */
  hasFailed: boolean;
  retry(): void;
};

type Options = Pick<PriceChartProps, 'data'> & { fitsAll: boolean; load: () => Promise<MakeDrawing> };

/** Makes a failure to draw replace the chart, not the whole screen. */
const catching = (drawing: Drawing, failed: (problem: unknown) => void): Drawing => ({
  ...drawing,
  show(data) {
    try {
      drawing.show(data);
    } catch (problem) {
      failed(problem);
    }
  },
});

const forwarded = (latest: RefObject<DrawingEvents>): DrawingEvents => ({
  onPoint: (bar) => latest.current.onPoint(bar),
  onHover: (price) => latest.current.onHover(price),
  onOlder: () => latest.current.onOlder(),
  onPick: (price) => latest.current.onPick(price),
  onCursor: (top) => latest.current.onCursor(top),
  onLines: (tops) => latest.current.onLines(tops),
});

function useShown<T extends Parameters<Drawing['show']>[0]>(
  drawing: Drawing | null,
  data: T,
  shown: RefObject<T | null>,
): void {
  useLayoutEffect(() => {
    if (drawing === null || shown.current === data) return;
    shown.current = data;
    drawing.show(data);
  }, [drawing, data, shown]);
}

function useDrawing(
  host: RefObject<HTMLElement | null>,
  { data, fitsAll, load }: Options,
  events: DrawingEvents,
): DrawingState {
  const [drawing, setDrawing] = useState<Drawing | null>(null);
  const [hasFailed, setFailed] = useState(false);
  const latest = useNewest(events);
  const newest = useNewest(data);
  const shown = useRef<typeof data | null>(null);
  useEffect(() => {
    if (hasFailed) return;
    let made: Drawing | null = null;
    let isShown = true;
    const failed = (problem: unknown): void => {
      console.error('The chart could not be drawn.', problem);
      setFailed(true);
    };
    const begin = (make: MakeDrawing): void => {
      if (!isShown || host.current === null) return;
      made = catching(make(host.current, forwarded(latest), { fitsAll }), failed);
      // Drawn now, because waiting for the next render would delay the picture by a frame.
      made.show(newest.current);
      shown.current = newest.current;
      setDrawing(made);
    };
    load()
      .then(begin, () => isShown && setFailed(true))
      .catch(failed);
    return () => {
      isShown = false;
      made?.stop();
      setDrawing(null);
    };
  }, [host, hasFailed, fitsAll, load, latest, newest]);
  useShown(drawing, data, shown);
  return { drawing, hasFailed, retry: () => setFailed(false) };
}

type PriceCursorState = {
  price: number | null;
  setPrice(price: number | null): void;
  pick(price: number): void;
  moved(top: number | null): void;
  place: RefObject<HTMLDivElement | null>;
};

const hasAlert = (levels: readonly ChartLevel[], at: number): boolean =>
  levels.some(({ kind, price }) => kind === 'alert' && price === at);

const NO_LEVELS: readonly ChartLevel[] = [];
const NO_LINES: readonly UserLine[] = [];

/**
 * The price cursor, if the chart offers alerts.
 * @param data once a level is at the cursor's price, or for another stock, the cursor disappears
 */
function usePriceCursor(
  offer: AlertOffer | undefined,
  drawing: Drawing | null,
  { code, levels = NO_LEVELS }: ChartData,
): PriceCursorState {
  const [price, setPrice] = useState<number | null>(null);
  const [known, setKnown] = useState({ code, levels });
  if (known.levels !== levels || known.code !== code) {
    setKnown({ code, levels });
    const isSet = price !== null && hasAlert(levels, price) && !hasAlert(known.levels, price);
    if (isSet || known.code !== code) setPrice(null);
  }
  const place = useRef<HTMLDivElement>(null);
  const isOffered = offer !== undefined;
  const shown = isOffered ? price : null;
  const isMarked = useRef(false);
  useEffect(() => {
    if (shown !== null || isMarked.current) drawing?.mark(shown);
    isMarked.current = shown !== null;
  }, [drawing, shown]);
  const pick = useCallback(
    (picked: number) => {
      if (isOffered && picked > 0) setPrice(roundToStep(picked));
    },
    [isOffered],
  );
  // Writes the style without a render, because the position changes with each picture.
  const moved = useCallback((top: number | null) => {
    place.current?.style.setProperty('--cursor-top', top === null ? '' : `${top}px`);
  }, []);
  return { price: shown, setPrice, pick, moved, place };
}

/** Draws the user's lines. @returns the element whose children follow them, and how to move these */
function useUserLines(drawing: Drawing | null, levels: readonly UserLine[]) {
  const place = useRef<HTMLDivElement>(null);
  const hadLines = useRef(false);
  useLayoutEffect(() => {
    if (levels.length > 0 || hadLines.current) drawing?.lines(levels);
    hadLines.current = levels.length > 0;
  }, [drawing, levels]);
  const moved = (tops: readonly (number | null)[]): void =>
    tops.forEach((top, index) => {
      const handle = place.current?.children[index];
      if (handle instanceof HTMLElement) handle.style.setProperty('--top', top === null ? '' : `${top}px`);
    });
  return { place, moved };
}

const axisTime = (time: number, tf: ChartData['tf']): number => (isDated(tf) ? time : toAxis(time));

/** The bar of a time in another chart. A day's bar becomes the day's first bar; null if it is not loaded. */
function barAt({ bars, tf }: ChartData, { at, isDated: isDay }: SharedPoint): number | null {
  const { time } = bars;
  const bar =
    isDay && !isDated(tf)
      ? time.findIndex((one) => axisTime(one, tf) >= at)
      : time.findLastIndex((one) => axisTime(one, tf) <= at);
  return bar < 0 ? null : bar;
}

/**
 * Follows the crosshair's time in other charts.
 * @returns reports the bar that is pointed at in this chart
 */
function useSharedPoint(
  shared: PriceChartProps['shared'],
  data: ChartData,
  follow: (bar: number | null) => void,
): (bar: number | null) => void {
  const by = useId();
  const latest = useNewest({ data, follow });
  useEffect(() => {
    if (shared === undefined) return;
    return shared.subscribe((point) => {
      if (point?.by === by) return;
      latest.current.follow(point && barAt(latest.current.data, point));
    });
  }, [shared, by, latest]);
  return (bar) => {
    if (shared === undefined) return;
    const time = bar === null ? undefined : data.bars.time[bar];
    if (time !== undefined) shared.value = { at: axisTime(time, data.tf), isDated: isDated(data.tf), by };
    else if (shared.peek()?.by === by) shared.value = null;
  };
}

/** Adds a level at the crosshair. */
const LEVEL_KEY = 'h';

/** Adds a level by key while the pointer is over the chart or the focus is in it. @param at the price of the level */
function useLevelKey(
  host: RefObject<HTMLElement | null>,
  add: PriceChartProps['onAddLevel'],
  at: () => number | undefined,
): void {
  const latest = useNewest({ add, at });
  useEffect(() => {
    const press = (event: globalThis.KeyboardEvent): void => {
      if (event.key !== LEVEL_KEY || event.ctrlKey || event.metaKey || event.altKey) return;
      if (event.defaultPrevented || isTyping(event.target)) return;
      const plot = host.current?.closest('.price-chart-plot');
      if (plot?.matches(':hover, :focus-within') !== true) return;
      const price = latest.current.at();
      if (price !== undefined) latest.current.add?.(price);
    };
    document.addEventListener('keydown', press);
    return () => document.removeEventListener('keydown', press);
  }, [host, latest]);
}

type ChartLegendProps = {
  values: BarValues | null;
  averages: readonly AverageValue[];
  texts: readonly string[];
};

function ChartLegend({ values, averages, texts }: ChartLegendProps): ReactNode {
  const text = texts.join(' · ');
  return (
    <figcaption className="chart-legend" aria-hidden="true">
      {values !== null && (
        <span className="chart-legend-values wrap">
          <span className="strong">{values.when}</span>
          <Value name="O">{values.open}</Value>
          <Value name="H">{values.high}</Value>
          <Value name="L">{values.low}</Value>
          <Value name="C">{values.close}</Value>
          {values.change && <Trend direction={values.change.direction}>{values.change.text}</Trend>}
          <Value name="Vol">{values.volume}</Value>
        </span>
      )}
      {averages.length > 0 && (
        <span className="chart-legend-values wrap">
          {averages.map(({ id, title, value }) => (
            <span key={id}>
              {id !== 'histogram' && <AverageLine id={id} />} <span className="muted">{title}</span> {value}
            </span>
          ))}
        </span>
      )}
      <span className="chart-legend-text ellipsis muted" title={text || undefined}>
        {text}
      </span>
    </figcaption>
  );
}

function Value({ name, children }: { name: string; children: ReactNode }): ReactNode {
  return (
    <span>
      <span className="muted">{name}</span> {children}
    </span>
  );
}

/** Effect of a key on the chart. `bar` is an index; null leaves the bars. */
type ChartAction =
  | { kind: 'bar'; bar: number | null }
  | { kind: 'timeframe'; step: -1 | 1 }
  | { kind: 'zoom'; factor: number };

const ZOOM = 1.4;

/**
 * @param bar index of the bar under the crosshair; null for none, so that the first step goes to the newest
 * @returns null if the chart does not use the key, for example Escape without a bar
 */
function chartKey(pressed: PressedKey, bar: number | null, count: number): ChartAction | null {
  if (pressed.ctrlKey || pressed.metaKey || pressed.altKey) return null;
  switch (pressed.key) {
    case 'ArrowUp':
      return { kind: 'timeframe', step: 1 };
    case 'ArrowDown':
      return { kind: 'timeframe', step: -1 };
    case '+':
    case '=':
      return { kind: 'zoom', factor: ZOOM };
    case '-':
      return { kind: 'zoom', factor: 1 / ZOOM };
    default: {
      const move = crosshairMove(pressed, bar, count);
      return move && { kind: 'bar', bar: move.to };
    }
  }
}

/** A ratio rounded to four digits: 15, 11.5, 1.333. */
const ratioText = (ratio: number): string => String(Number(ratio.toPrecision(4)));

const factorText = (factor: number): string =>
  factor >= 1 ? `× ${ratioText(factor)}` : `÷ ${ratioText(1 / factor)}`;

export function adjustedTexts({ tf, bars, adjustments = [] }: ChartData): string[] {
  const first = bars.time[0];
  if (first === undefined) return [];
  const date = isDated(tf) ? new Date(first).toISOString().slice(0, 10) : sydneyDate(first);
  return adjustments
    .filter((one) => one.date > date)
    .map(
      (one) =>
        `Prices before ${formatShortDate(one.date, '')} are adjusted for a split or consolidation (${factorText(one.factor)}).`,
    );
}

let code: Promise<MakeDrawing> | null = null;

/** Loads the drawing library with the first chart. @throws Error if it does not load; the next call retries */
export async function drawingCode(): Promise<MakeDrawing> {
  code ??= import('./drawing/createDrawing.ts').then(({ createDrawing }) => createDrawing);
  try {
    return await code;
  } catch (problem) {
    code = null;
    throw problem;
  }
}

/** Duration of two frames, ms: the library draws in the first, and the picture appears with the second. */
const PAINTED_MS = 60;

/**
 * The data once its picture has had the time to be painted; until then that of the previous stock, or null.
 * @param isDrawn whether it was drawn
 */
function useAfterPaint(isDrawn: boolean, data: ChartData): ChartData | null {
  const { code = '' } = data;
  const [painted, setPainted] = useState<string | null>(null);
  const held = useRef<ChartData | null>(null);
  useEffect(() => {
    if (!isDrawn || painted === code) return;
    const timer = setTimeout(() => setPainted(code), PAINTED_MS);
    return () => clearTimeout(timer);
  }, [isDrawn, painted, code]);
  if (painted === code) held.current = data;
  return held.current;
}

/**
 * A chart of candles with volume, marks and levels. Left and right move by a bar, Home and End go to the ends, + and −
 * zoom. Up and down change the timeframe, Escape leaves the bar.
 */
export function PriceChart(props: PriceChartProps): ReactNode {
  const { label, data, height, alert, readout, onTimeframe, lines = NO_LINES, onAddLevel } = props;
  const chart = usePriceChart(props);
  const { drawing, hasFailed, retry, cursor, hovered, shown } = chart;
  const help = useId();
  // The hidden table is rendered after the picture.
  const painted = useAfterPaint(drawing !== null || hasFailed, data);
  return (
    <figure className="price-chart stack min-w-0" aria-label={label}>
      <ChartLegend values={shown.values} averages={shown.averages} texts={shown.texts} />
      {readout?.({ hovered, picked: cursor.price })}
      <div className="price-chart-plot" style={height === undefined ? undefined : { height }}>
        <BarSlider chart={chart} label={label} help={help} />
        {alert && !hasFailed && (
          <PriceCursor
            label={label}
            offer={alert}
            price={cursor.price}
            onPrice={cursor.setPrice}
            place={cursor.place}
            {...(onAddLevel && { onAddLevel })}
          />
        )}
        {lines.length > 0 && !hasFailed && (
          <PriceLevels levels={lines} drawing={drawing} place={chart.lines} />
        )}
      </div>
      {hasFailed && (
        <p className="price-chart-failed" role="alert">
          The chart could not be shown. <Button onClick={retry}>Retry</Button>
        </p>
      )}
      <ChartKey data={data} decimals={shown.decimals} hasAlerts={alert !== undefined} />
      <p id={help} className="visually-hidden">
        Left and right arrows move by a bar{onTimeframe && ', up and down change the timeframe'}.
      </p>
      <ChartNote data={data} />
      {painted && <ChartNumbers label={label} data={painted} decimals={shown.decimals} />}
    </figure>
  );
}

function useShownBar(data: ChartData, pointed: number | null) {
  const count = data.bars.time.length;
  const decimals = useMemo(() => priceDecimals(data.bars), [data.bars]);
  const bar = pointed !== null && pointed < count ? pointed : count - 1;
  return {
    count,
    bar,
    decimals,
    values: barValues(data, bar, decimals),
    averages: averageValues(data, bar, decimals),
    texts: markTexts(data, bar),
  };
}

function usePlace() {
  const host = useRef<HTMLDivElement>(null);
  const slider = useRef<HTMLDivElement>(null);
  return { host, slider };
}

/** The bar and price that the user points at. The price changes without a render, so it is a signal. */
function usePointed(code: string | undefined) {
  const [pointed, setPointed] = useState<number | null>(null);
  const [known, setKnown] = useState(code);
  if (known !== code) {
    setKnown(code);
    setPointed(null);
  }
  const [hovered] = useState(() => signal<number | null>(null));
  const hover = (price: number | null): void => {
    hovered.value = price;
  };
  return { pointed, setPointed, hovered, hover };
}

function usePriceChart({ data, alert, onTimeframe, onOlder, ...props }: PriceChartProps) {
  const { fitsAll = false, load = drawingCode, lines: ofUser = NO_LINES, onAddLevel, shared } = props;
  const place = usePlace();
  const { pointed, setPointed, hovered, hover } = usePointed(data.code);
  const onPick = (price: number): void => {
    if (alert === undefined) return;
    // Focused, so that keys act on the clicked price; Escape removes it.
    place.slider.current?.focus({ preventScroll: true });
    cursor.pick(price);
  };
  const onCursor = (top: number | null): void => cursor.moved(top);
  const onLines = (tops: readonly (number | null)[]): void => lines.moved(tops);
  const onPoint = (bar: number | null): void => {
    setPointed(bar);
    share(bar);
  };
  const events = {
    onPoint,
    onHover: hover,
    onOlder: () => onOlder?.(),
    onPick,
    onCursor,
    onLines,
  };
  const { drawing, hasFailed, retry } = useDrawing(place.host, { data, fitsAll, load }, events);
  const cursor = usePriceCursor(alert, drawing, data);
  const share = useSharedPoint(shared, data, (bar) => {
    setPointed(bar);
    drawing?.point(bar, true);
  });
  const lines = useUserLines(drawing, ofUser);
  const shown = useShownBar(data, pointed);

  useLevelKey(place.host, onAddLevel, () => cursor.price ?? hovered.peek() ?? data.bars.close.at(-1));

  function point(bar: number | null): void {
    onPoint(bar);
    hover(bar === null ? null : (data.bars.close[bar] ?? null));
    drawing?.point(bar);
  }
  function press(event: KeyboardEvent): void {
    if (event.key === 'Escape' && cursor.price !== null) {
      event.stopPropagation();
      return cursor.setPrice(null);
    }
    const action = chartKey(event, pointed, shown.count);
    if (action === null) return;
    if (action.kind === 'timeframe' && onTimeframe === undefined) return;
    event.preventDefault();
    event.stopPropagation();
    if (action.kind === 'timeframe') onTimeframe?.(action.step);
    else if (action.kind === 'zoom') drawing?.zoom(action.factor);
    else {
      point(action.bar);
      if (action.bar === 0) onOlder?.();
    }
  }
  return {
    ...place,
    drawing,
    hasFailed,
    retry,
    cursor,
    lines: lines.place,
    hovered,
    shown,
    press,
    leave: () => point(null),
  };
}

type BarSliderProps = {
  chart: ReturnType<typeof usePriceChart>;
  label: string;
  help: string;
};

/** The drawing as a slider over its bars, for keyboards and screen readers. */
function BarSlider({ chart, label, help }: BarSliderProps): ReactNode {
  const { host, slider, drawing, hasFailed, shown, press, leave } = chart;
  const { count, bar, values, averages, texts } = shown;
  const words = [...averages.map(({ title, value }) => `${title} ${value}`), ...texts];
  return (
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
      aria-valuetext={values === null ? 'No bars' : barSentence(values, words)}
      onKeyDown={press}
      onBlur={leave}
    >
      <div
        className="price-chart-canvas"
        ref={host}
        aria-hidden="true"
        data-drawn={drawing !== null || undefined}
      />
      {drawing === null && !hasFailed && (
        <span className="price-chart-canvas center muted small">Loading the chart…</span>
      )}
    </div>
  );
}

/** States since when data is known, so that a short chart does not look like a short history. */
function knownSinceText({ knownSince, hasMore }: ChartData): string {
  return knownSince === null || hasMore !== false ? '' : `Data since ${formatMoment(knownSince)}.`;
}

function ChartNote({ data }: Pick<PriceChartProps, 'data'>): ReactNode {
  if (data.bars.time.length === 0) return null;
  const texts = [knownSinceText(data), ...adjustedTexts(data)].filter((text) => text !== '');
  return texts.length === 0 ? null : <p className="muted small">{texts.join(' ')}</p>;
}
