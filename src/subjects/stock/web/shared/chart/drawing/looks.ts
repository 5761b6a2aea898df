import {
  type CandlestickStyleOptions,
  type ChartOptions,
  ColorType,
  CrosshairMode,
  type DeepPartial,
  type HistogramStyleOptions,
  LineStyle,
  type PriceLineOptions,
  type SeriesPartialOptions,
} from 'lightweight-charts';
import type { ChartLevel, ChartMark, ChartPath } from '#market/bars/rules/chart.ts';
import { type ChartColours, faded } from './colours.ts';

/** The chart around the bars, in the page's colours. */
export function chartLooks(colours: ChartColours): DeepPartial<ChartOptions> {
  const crosshair = {
    color: colours['line-strong'],
    labelBackgroundColor: colours['line-strong'],
    style: LineStyle.Dashed,
    width: 1 as const,
  };
  return {
    layout: {
      background: { type: ColorType.Solid, color: 'transparent' },
      textColor: colours['text-muted'],
      fontFamily: colours.font,
      fontSize: 11,
      panes: { separatorColor: colours.line },
    },
    grid: {
      vertLines: { color: faded(colours.line, 0.45) },
      horzLines: { color: faded(colours.line, 0.45) },
    },
    crosshair: { mode: CrosshairMode.Normal, vertLine: crosshair, horzLine: crosshair },
    rightPriceScale: { borderColor: colours.line },
    timeScale: { borderColor: colours.line },
  };
}

/** Where up and down have one colour, a bar that rose is hollow. */
export function candleLooks(colours: ChartColours): SeriesPartialOptions<CandlestickStyleOptions> {
  const { up, down, isMonochrome, ground } = colours;
  return {
    upColor: isMonochrome ? ground : up,
    downColor: down,
    borderVisible: isMonochrome,
    borderUpColor: up,
    borderDownColor: down,
    wickUpColor: up,
    wickDownColor: down,
    priceLineColor: colours['text-muted'],
    priceLineStyle: LineStyle.Dotted,
  };
}

export const volumeLooks = (colours: ChartColours): SeriesPartialOptions<HistogramStyleOptions> => ({
  color: faded(colours['text-muted'], 0.4),
});

/** The colour of a bar's volume. */
export const volumeColour = (colours: ChartColours, rose: boolean): string =>
  faded(rose ? colours.up : colours.down, colours.isMonochrome && rose ? 0.22 : 0.4);

export const pathColour = (colours: ChartColours, kind: ChartPath['kind']): string =>
  kind === 'stop' ? colours.warn : colours.accent;

const LEVEL_COLOURS = {
  previousClose: 'text-muted',
  vwap: 'accent',
  entry: 'text',
  exit: 'text',
  target: 'up',
  stop: 'warn',
  alert: 'accent',
} as const;

export function levelLooks(colours: ChartColours, { kind, price, title }: ChartLevel): PriceLineOptions {
  const color = colours[LEVEL_COLOURS[kind]];
  return {
    price,
    title,
    color,
    lineWidth: 1,
    lineVisible: true,
    lineStyle: kind === 'previousClose' || kind === 'vwap' ? LineStyle.Dotted : LineStyle.Dashed,
    axisLabelVisible: true,
    axisLabelColor: color,
    axisLabelTextColor: colours.ground,
  };
}

/** Told apart by letter and shape as well as by colour. */
export const MARK_LOOKS = {
  announcement: { shape: 'circle', text: 'N', colour: 'olive' },
  sensitive: { shape: 'square', text: '$', colour: 'warn' },
  auction: { shape: 'circle', text: 'A', colour: 'text-muted' },
  trigger: { shape: 'arrowDown', text: '', colour: 'accent' },
  entry: { shape: 'arrowUp', text: 'Entry', colour: 'text' },
  exit: { shape: 'arrowDown', text: 'Exit', colour: 'text' },
  level: { shape: 'circle', text: '', colour: 'warn' },
  correction: { shape: 'square', text: 'Corrected', colour: 'stale' },
} as const satisfies Record<
  ChartMark['kind'],
  { shape: 'circle' | 'square' | 'arrowUp' | 'arrowDown'; text: string; colour: keyof ChartColours }
>;
