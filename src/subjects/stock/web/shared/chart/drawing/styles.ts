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

const TOKENS = [
  'ground',
  'line',
  'line-strong',
  'text',
  'text-muted',
  'accent',
  'olive',
  'warn',
  'stale',
  'up',
  'down',
  'average-short',
  'average-medium',
  'average-long',
] as const;
type Token = (typeof TOKENS)[number];

/** The tokens that a chart draws with, as `rgb()`, because the drawing library reads no other colour space. */
export type ChartColours = Readonly<Record<Token, string>> & { font: string; isMonochrome: boolean };

/**
 * Converts any CSS colour to `rgb(r, g, b)` by painting it, because computed styles differ between browser versions.
 */
function painter(): (colour: string) => string {
  const canvas = document.createElement('canvas');
  canvas.width = 1;
  canvas.height = 1;
  const context = canvas.getContext('2d', { willReadFrequently: true });
  return (colour) => {
    if (context === null) return 'rgb(128, 128, 128)';
    context.clearRect(0, 0, 1, 1);
    context.fillStyle = colour;
    context.fillRect(0, 0, 1, 1);
    const [red = 0, green = 0, blue = 0] = context.getImageData(0, 0, 1, 1).data;
    return `rgb(${red}, ${green}, ${blue})`;
  };
}

let known: { key: string; colours: ChartColours } | null = null;

export function coloursNow(): ChartColours {
  const { theme, directions } = document.documentElement.dataset;
  const key = `${theme ?? ''} ${directions ?? ''}`;
  if (known?.key !== key) known = { key, colours: readColours() };
  return known.colours;
}

function readColours(): ChartColours {
  const style = getComputedStyle(document.documentElement);
  const paint = painter();
  const colours = Object.fromEntries(
    TOKENS.map((token) => [token, paint(style.getPropertyValue(`--${token}`).trim())]),
  ) as Record<Token, string>;
  return {
    ...colours,
    // On a light background the accent is too pale for a line.
    accent: document.documentElement.dataset['theme'] === 'light' ? colours.stale : colours.accent,
    font: style.getPropertyValue('--font').trim(),
    isMonochrome: colours.up === colours.down,
  };
}

/** A colour with an alpha value. @param rgb `rgb(r, g, b)` */
export const faded = (rgb: string, alpha: number): string =>
  rgb.replace('rgb(', 'rgba(').replace(')', `, ${alpha})`);

/** Calls back when the theme or the direction palette changes. Returns the stop function. */
export function onStyle(changed: () => void): () => void {
  const observer = new MutationObserver(changed);
  observer.observe(document.documentElement, { attributeFilter: ['data-theme', 'data-directions'] });
  return () => observer.disconnect();
}

export function chartStyle(colours: ChartColours): DeepPartial<ChartOptions> {
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
      panes: { separatorColor: colours.line, enableResize: false },
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

export function candleStyle(colours: ChartColours): SeriesPartialOptions<CandlestickStyleOptions> {
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

export const volumeStyle = (colours: ChartColours): SeriesPartialOptions<HistogramStyleOptions> => ({
  color: faded(colours['text-muted'], 0.4),
});

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
  level: 'olive',
  cursor: 'text',
} as const;

type DrawnLine = Pick<ChartLevel, 'price' | 'title'> & { kind: keyof typeof LEVEL_COLOURS };

export function levelStyle(colours: ChartColours, { kind, price, title }: DrawnLine): PriceLineOptions {
  const color = colours[LEVEL_COLOURS[kind]];
  const isDotted = kind === 'previousClose' || kind === 'vwap';
  return {
    price,
    title,
    color,
    lineWidth: 1,
    lineVisible: true,
    lineStyle: isDotted ? LineStyle.Dotted : LineStyle.Dashed,
    axisLabelVisible: true,
    axisLabelColor: color,
    axisLabelTextColor: colours.ground,
  };
}

/** A line of the user is solid, which tells it from those of the market and of saved alerts and calls. */
export const userLineStyle = (colours: ChartColours, line: DrawnLine): PriceLineOptions => ({
  ...levelStyle(colours, line),
  lineStyle: LineStyle.Solid,
});

/** Formats of marks, which letter and shape distinguish as well as colour. */
export const MARK_STYLES = {
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
