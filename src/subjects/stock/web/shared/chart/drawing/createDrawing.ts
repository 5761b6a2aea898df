import {
  type AutoscaleInfo,
  createSeriesMarkers,
  type IChartApi,
  type IPriceLine,
  type ISeriesApi,
  type ISeriesMarkersPluginApi,
  type Logical,
  type LogicalRange,
  type MouseEventParams,
  type Time,
  type ISeriesPrimitive,
} from 'lightweight-charts';
import { barsBefore } from '#market/bars/rules/averages.ts';
import { STUDY_IDS, STUDY_LINES, STUDY_SETTLED_AFTER } from '#market/bars/rules/studies.ts';
import type { TimeSpan } from '#market/bars/rules/bars.ts';
import type { ChartData } from '#market/bars/rules/chart.ts';
import { formatNumber } from '#texts/format.ts';
import { isDated, placeMarks, lastDrawn, layOut, QUIET, type Slots } from '../chartSlots.ts';
import { decimalsOf, priceDecimals } from '../chartTexts.tsx';
import {
  firstRange,
  newestDay,
  wholeRange,
  widenRange,
  firstScaled,
  redrawFrom,
  placePath,
  placeShade,
} from './placing.ts';
import type { Drawing, DrawingEvents, MakeDrawing, PriceLevel } from '../types.ts';
import { AverageLines, Overlay, PriceLines } from './layers.ts';
import { StudyPane } from './studyPane.ts';
import {
  axisSeconds,
  markers,
  slotData,
  createDayPlaces,
  onPick,
  addSeries,
  makeChart,
  layer,
} from './series.ts';
import {
  coloursNow,
  faded,
  onStyle,
  candleStyle,
  chartStyle,
  levelStyle,
  pathColour,
  userLineStyle,
  volumeStyle,
} from './styles.ts';

type Scaled = { low: number; high: number; volume: number };

/**
 * The slot where the newest day begins, if earlier bars are visible only because that day's label needs room; otherwise
 * null.
 */
function newestDayAlone(chart: IChartApi, { axis }: Slots, tf: ChartData['tf']): number | null {
  const range = chart.timeScale().getVisibleLogicalRange();
  if (range === null || isDated(tf)) return null;
  const first = firstScaled(axis, range, chart.timeScale().width());
  return first > Math.ceil(range.from) ? first : null;
}

function extremesOf({ bars }: ChartData, { bar }: Slots, first: number, last: number): Scaled | null {
  const places = bar.slice(first, last + 1).filter((at) => at >= 0);
  if (places.length === 0) return null;
  const of = (column: readonly number[]) => places.map((at) => column[at] ?? 0);
  return {
    low: Math.min(...of(bars.low)),
    high: Math.max(...of(bars.high)),
    volume: Math.max(0, ...of(bars.volume)),
  };
}

/** Clears the picture before a slot. @param first returns the slot; null for none */
function hideBefore(chart: IChartApi, first: () => number | null): ISeriesPrimitive<Time> {
  const x = (slot: number) => chart.timeScale().logicalToCoordinate(slot as Logical);
  const views = [
    layer('normal', ({ context, mediaSize }) => {
      const slot = first();
      const [before, at] = slot === null ? [null, null] : [x(slot - 1), x(slot)];
      if (before === null || at === null) return;
      // Narrow bars fill whole pixels, so the middle between two may be inside one.
      const edge = at - before < 3 ? Math.round(at) : (before + at) / 2;
      context.clearRect(0, 0, edge, mediaSize.height);
    }),
  ];
  return { paneViews: () => views };
}

/** Older bars load when the first bar is within this number of slots of the left edge. */
const OLDER_WITHIN = 10;

const HALF_SLOT = 0.5;

/** Height of the prices, as a multiple of a study's. */
const PRICES_HEIGHT = 3;

/** Limit of the height of levels that a chart is shown for, as a multiple of the bars' height. */
const LEVELS_FIRST = 8;
/** Minimum height of the bars, as a share of the price: keeps target and stop up to 20 % away in view. */
const LEVELS_LEAST = 0.025;

export const createDrawing: MakeDrawing = (host, events, { fitsAll }) =>
  new ChartDrawing(host, events, fitsAll);

class ChartDrawing implements Drawing {
  readonly #host: HTMLElement;
  readonly #events: DrawingEvents;
  readonly #fitsAll: boolean;
  #colours = coloursNow();
  readonly #chart: IChartApi;
  readonly #candles: ISeriesApi<'Candlestick'>;
  readonly #volumes: ISeriesApi<'Histogram'>;
  readonly #marks: ISeriesMarkersPluginApi<Time>;
  readonly #overlay = new Overlay();
  readonly #lines = new AverageLines();
  readonly #cursor: PriceLines;
  readonly #userLines: PriceLines;
  readonly #keepPlaces: (slots: Slots) => void;
  readonly #stopStyle: () => void;
  #shown: ChartData | null = null;
  #slots: Slots = { axis: [], bar: [] };
  #levels: IPriceLine[] = [];
  #panes: StudyPane[] = [];
  #pointed: number | null = null;
  #userLevels: readonly PriceLevel[] = [];
  /** Whether the scale fitted itself before it was held. */
  #wasFitted = true;
  #decimals = 2;
  #framed: { from: number; to: number } | null = null;

  constructor(host: HTMLElement, events: DrawingEvents, fitsAll: boolean) {
    this.#host = host;
    this.#events = events;
    this.#fitsAll = fitsAll;
    this.#chart = makeChart(host, this.#colours, () => this.#shown?.tf ?? '1');
    ({ candles: this.#candles, volumes: this.#volumes } = addSeries(this.#chart, this.#colours));
    this.#candles.applyOptions({ autoscaleInfoProvider: this.#widen });
    this.#volumes.applyOptions({ autoscaleInfoProvider: this.#scaleVolumes });
    this.#marks = createSeriesMarkers(this.#candles, []);
    this.#candles.attachPrimitive(this.#overlay);
    this.#candles.attachPrimitive(this.#lines);
    // Attached to the volumes, because these are drawn last.
    this.#volumes.attachPrimitive(hideBefore(this.#chart, this.#newestDay));
    this.#cursor = new PriceLines(this.#candles, ([top = null]) => events.onCursor(top));
    this.#userLines = new PriceLines(this.#candles, this.#placeLines);
    this.#keepPlaces = createDayPlaces(this.#chart);
    this.#chart.subscribeCrosshairMove(this.#hover);
    onPick(this.#chart, this.#candles, this.#pick);
    this.#chart.timeScale().subscribeVisibleLogicalRangeChange(this.#askOlder);
    this.#stopStyle = onStyle(this.#recolour);
  }

  readonly show = (data: ChartData): void => {
    const before = this.#shown;
    const isSame = before !== null && isSameStretch(before, data);
    const sameSpans = before?.unknown === data.unknown && before?.shades === data.shades;
    const samePartial = String(before?.partial ?? []) === String(data.partial ?? []);
    const sameDay = before?.day?.from === data.day?.from;
    const from =
      isSame && sameSpans && samePartial && sameDay ? redrawFrom(before.bars, data.bars, this.#slots) : 0;
    this.#shown = data;
    const follows = this.#fitsAll && this.#isFramed();
    const seen = this.#seen();
    const places = this.#slots.axis.length;
    this.#slots = layOut(data.bars, data.tf, [...data.unknown, ...(data.shades ?? [])], data.day);
    if (from === 0) this.#setDecimals();
    this.#drawBars(data, from);
    if (from === 0 || before?.marks !== data.marks || before?.levels !== data.levels) this.#drawExtras(data);
    this.#drawOverlay(data);
    const isOtherLayout = this.#drawStudies(data);
    const { axis } = this.#slots;
    const added = axis.length - places;
    const isLonger = isSame && added > 0 && before.bars.time[0] === data.bars.time[0];
    const isNewDay = isLonger && seen !== null && data.tf === '1' && newestDay(axis) <= added;
    const isOther = !isSame || !sameDay || isNewDay || isOtherLayout;
    // The user may have dragged the scale, which does not fit other bars.
    if (isOther) this.#candles.priceScale().applyOptions({ autoScale: true });
    if (isOther || (follows && added !== 0)) this.#frame(data);
    else if (isLonger && seen !== null) this.#fillRoom(seen);
    const count = ({ averages = [], studies = [] }: ChartData) => averages.length + studies.length;
    if (before === null || count(before) !== count(data)) this.#askOlder();
  };

  readonly point = (bar: number | null, isFollowing = false): void => {
    const slot = bar === null ? -1 : this.#slots.bar.lastIndexOf(bar);
    const price = bar === null ? undefined : this.#shown?.bars.close[bar];
    if (slot < 0 || price === undefined) return this.#chart.clearCrosshairPosition();
    if (!isFollowing) this.#bringIntoSight(slot);
    this.#chart.setCrosshairPosition(price, axisSeconds(this.#slots.axis[slot] ?? 0), this.#candles);
  };

  readonly mark = (price: number | null): void => {
    this.#pointed = price;
    this.#drawUserLines();
  };

  readonly lines = (levels: readonly PriceLevel[]): void => {
    this.#userLevels = levels;
    this.#setDecimals();
    this.#drawUserLines();
  };

  readonly priceAt = (top: number): number | null => this.#candles.coordinateToPrice(top);

  readonly hold = (isHeld: boolean): void => {
    const scale = this.#candles.priceScale();
    if (isHeld) this.#wasFitted = scale.options().autoScale;
    scale.applyOptions({ autoScale: !isHeld && this.#wasFitted });
  };

  readonly zoom = (factor: number): void => {
    const range = this.#chart.timeScale().getVisibleLogicalRange();
    if (range === null) return;
    const from = range.to - (range.to - range.from) / factor;
    this.#chart.timeScale().setVisibleLogicalRange({ from, to: range.to });
  };

  readonly stop = (): void => {
    this.#stopStyle();
    this.#chart.remove();
  };

  readonly #widen = (original: () => AutoscaleInfo | null): AutoscaleInfo | null => {
    const info = original();
    if (!info?.priceRange) return info;
    const { minValue, maxValue } = info.priceRange;
    const { low: least, high: most } = this.#counted() ?? { low: minValue, high: maxValue };
    const trade = this.#userLevels.filter(({ tone }) => tone !== 'level').map(({ price }) => price);
    const reached = widenRange(least, most, trade, LEVELS_FIRST, LEVELS_LEAST);
    const prices = [
      ...(this.#shown?.levels ?? []).map(({ price }) => price),
      ...this.#lines.extremes(),
      ...this.#userLevels.map(({ price }) => price),
      ...(this.#pointed === null ? [] : [this.#pointed]),
    ];
    const { low, high } = this.#fitsAll
      ? widenRange(least, most, prices, LEVELS_FIRST, LEVELS_LEAST)
      : widenRange(reached.low, reached.high, prices);
    return { ...info, priceRange: { minValue: low, maxValue: high } };
  };

  readonly #scaleVolumes = (original: () => AutoscaleInfo | null): AutoscaleInfo | null => {
    const info = original();
    const counted = this.#counted();
    if (!info?.priceRange || counted === null) return info;
    return { ...info, priceRange: { minValue: 0, maxValue: counted.volume } };
  };

  /** The slot where the newest day begins if the scales use only that day; otherwise null. */
  readonly #newestDay = (): number | null =>
    this.#shown === null || this.#fitsAll ? null : newestDayAlone(this.#chart, this.#slots, this.#shown.tf);

  /** The bars that the scales use, if they are not all bars in sight; otherwise null. */
  #counted(): Scaled | null {
    const first = this.#newestDay();
    const range = this.#chart.timeScale().getVisibleLogicalRange();
    if (first === null || range === null || this.#shown === null) return null;
    return extremesOf(this.#shown, this.#slots, first, Math.ceil(range.to));
  }

  #drawBars(data: ChartData, from: number): void {
    const slots = this.#slots;
    const end = lastDrawn(slots) + 1;
    this.#keepPlaces(slots);
    if (from === 0) {
      const all = slots.axis.slice(0, end).map((_time, slot) => slotData(data, slots, slot, this.#colours));
      this.#candles.setData(all.map(({ candle }) => candle));
      this.#volumes.setData(all.map(({ volume }) => volume));
      return;
    }
    for (let slot = from; slot < end; slot += 1) {
      const { candle, volume } = slotData(data, slots, slot, this.#colours);
      this.#candles.update(candle);
      this.#volumes.update(volume);
    }
  }

  #drawExtras(data: ChartData): void {
    this.#marks.setMarkers(markers(placeMarks(this.#slots, data), this.#slots, this.#colours));
    for (const level of this.#levels) this.#candles.removePriceLine(level);
    this.#levels = (data.levels ?? []).map((level) =>
      this.#candles.createPriceLine(levelStyle(this.#colours, level)),
    );
  }

  #drawOverlay(data: ChartData): void {
    const [slots, colours] = [this.#slots, this.#colours];
    this.#lines.draw(data.averages ?? [], slots, colours);
    const textColour = colours['text-muted'];
    const shade = (span: TimeSpan, title: string, colour: string) => {
      const place = placeShade(slots, span, data.tf);
      return place === null ? [] : [{ ...place, colour, title, textColour }];
    };
    this.#overlay.draw(
      (data.paths ?? []).map((path) => ({
        points: placePath(slots, path, data.tf),
        colour: pathColour(colours, path.kind),
        isStepped: path.kind === 'stop',
      })),
      [
        ...data.unknown.flatMap((span) => shade(span, 'No data', faded(textColour, 0.12))),
        ...(data.shades ?? []).flatMap((span) => shade(span, span.title, faded(colours.stale, 0.16))),
      ],
    );
  }

  /** @returns whether panes were added or removed */
  #drawStudies({ studies = [] }: ChartData): boolean {
    const wanted = STUDY_IDS.filter((id) => studies.some((line) => line.id === STUDY_LINES[id][0]));
    const isOther = wanted.join() !== this.#panes.map(({ id }) => id).join();
    if (isOther) {
      for (const pane of this.#panes) pane.remove();
      this.#panes = wanted.map((id, index) => new StudyPane(this.#chart, id, index + 1));
      this.#chart.panes()[0]?.setStretchFactor(PRICES_HEIGHT);
    }
    for (const pane of this.#panes) pane.show(studies, this.#slots, this.#colours, this.#decimals);
    return isOther;
  }

  #drawUserLines(): void {
    const line = (kind: PriceLevel['tone'] | 'cursor', price: number, title: string) =>
      userLineStyle(this.#colours, { kind, price, title });
    this.#userLines.put(this.#userLevels.map(({ tone, price, label }) => line(tone, price, label)));
    this.#cursor.put(this.#pointed === null ? [] : [line('cursor', this.#pointed, '')]);
  }

  #setDecimals(): void {
    const prices = this.#userLevels.map(({ price }) => price);
    const decimals = Math.max(this.#shown === null ? 2 : priceDecimals(this.#shown.bars), decimalsOf(prices));
    if (decimals === this.#decimals) return;
    this.#decimals = decimals;
    this.#candles.applyOptions({
      priceFormat: {
        type: 'custom',
        minMove: 10 ** -decimals,
        formatter: (price: number) => formatNumber(price, decimals),
      },
    });
  }

  #isFramed(): boolean {
    const range = this.#chart.timeScale().getVisibleLogicalRange();
    return (
      range !== null &&
      this.#framed !== null &&
      Math.abs(range.from - this.#framed.from) < HALF_SLOT &&
      Math.abs(range.to - this.#framed.to) < HALF_SLOT
    );
  }

  /** The range in sight, if it includes the newest bar and the chart does not fit all bars; otherwise null. */
  #seen(): LogicalRange | null {
    const range = this.#fitsAll ? null : this.#chart.timeScale().getVisibleLogicalRange();
    return range !== null && range.to >= lastDrawn(this.#slots) ? range : null;
  }

  /** Lets new bars use the room after the newest one before the chart moves; by default it moves with each bar. */
  #fillRoom(seen: LogicalRange): void {
    if (seen.to >= this.#slots.axis.length) this.#chart.timeScale().setVisibleLogicalRange(seen);
  }

  #frame(data: ChartData): void {
    this.#chart.applyOptions({ timeScale: { timeVisible: !isDated(data.tf), secondsVisible: false } });
    const { axis } = this.#slots;
    if (axis.length === 0) return;
    const width = this.#host.clientWidth - 60;
    const { from, to } = this.#fitsAll
      ? wholeRange(axis.length, width)
      : firstRange(axis, data.tf, width, data.day != null);
    this.#chart.timeScale().setVisibleLogicalRange({ from: from as Logical, to: to as Logical });
    this.#framed = { from, to };
  }

  /** A finger does not hover, so a tap shows the values of its bar. */
  readonly #pick = (price: number | null, slot: number | null): void => {
    if (price !== null) this.#events.onPick(price);
    if (slot === null) return;
    const bar = this.#slots.bar[Math.round(slot)] ?? QUIET;
    this.point(bar < 0 ? null : bar);
    this.#events.onPoint(bar < 0 ? null : bar);
  };

  readonly #hover = ({ logical, point, paneIndex, sourceEvent }: MouseEventParams): void => {
    // The library also reports a crosshair that was set here, when it draws the next picture.
    if (point !== undefined && sourceEvent === undefined) return;
    const isPrice = point !== undefined && paneIndex === 0;
    this.#events.onHover(isPrice ? this.#candles.coordinateToPrice(point.y) : null);
    if (logical === undefined || point === undefined) return this.#events.onPoint(null);
    const bar = this.#slots.bar[Math.round(logical)];
    this.#events.onPoint(bar === undefined || bar < 0 ? null : bar);
  };

  /** Requests older bars, including those that the first averages in sight need. */
  readonly #askOlder = (): void => {
    const range = this.#chart.timeScale().getVisibleLogicalRange();
    const needed = (this.#shown?.averages ?? []).map(({ id }) => barsBefore(id));
    if (this.#panes.length > 0) needed.push(STUDY_SETTLED_AFTER);
    // Before the first framing, the library reports a range of its own.
    if (range === null || this.#framed === null) return;
    if (range.from < Math.max(OLDER_WITHIN, ...needed)) this.#events.onOlder();
  };

  /** Trade lines stay at the edge of the prices while they are out of view; levels are hidden. */
  readonly #placeLines = (tops: readonly (number | null)[]): void => {
    const height = this.#candles.getPane().getHeight();
    const placed = tops.map((top, index) => {
      if (top === null || (top >= 0 && top <= height)) return top;
      return this.#userLevels[index]?.tone === 'level' ? null : Math.min(height, Math.max(0, top));
    });
    this.#events.onLines(placed);
  };

  readonly #recolour = (): void => {
    this.#colours = coloursNow();
    this.#chart.applyOptions(chartStyle(this.#colours));
    this.#candles.applyOptions(candleStyle(this.#colours));
    this.#volumes.applyOptions(volumeStyle(this.#colours));
    this.#drawUserLines();
    if (this.#shown === null) return;
    this.#drawBars(this.#shown, 0);
    this.#drawExtras(this.#shown);
    this.#drawOverlay(this.#shown);
    this.#drawStudies(this.#shown);
  };

  #bringIntoSight(slot: number): void {
    const range = this.#chart.timeScale().getVisibleLogicalRange();
    if (range === null || (slot >= range.from && slot <= range.to)) return;
    const by = slot < range.from ? slot - range.from - 1 : slot - range.to + 1;
    this.#chart.timeScale().setVisibleLogicalRange({ from: range.from + by, to: range.to + by });
  }
}

/** Whether `after` extends `before`: the same stock and timeframe, where bars may be added at either end, but not replaced. */
function isSameStretch({ bars: before, ...shown }: ChartData, { bars: after, code, tf }: ChartData): boolean {
  if (shown.code !== code || shown.tf !== tf) return false;
  const [first, last] = [before.time[0], before.time.at(-1)];
  if (first === undefined || last === undefined) return false;
  return (after.time[0] ?? Number.POSITIVE_INFINITY) <= first && (after.time.at(-1) ?? 0) >= last;
}
