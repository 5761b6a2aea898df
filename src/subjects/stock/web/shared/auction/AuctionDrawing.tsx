import { lastAtMost } from '#lib/search.ts';
import {
  type KeyboardEvent,
  type PointerEvent,
  type ReactNode,
  useEffect,
  useId,
  useLayoutEffect,
  useRef,
  useState,
} from 'react';
import {
  type AuctionColumns,
  auctionPointAt,
  type AuctionPoint,
  surplusFlips,
} from '#market/auctions/rules/auction.ts';
import { type SurplusFlip } from '#market/rules/stock.ts';
import type { TimeSpan } from '#market/bars/rules/bars.ts';
import { trendClass } from '#ui/Trend.tsx';
import { useElementWidth } from '#ui/table/useElementWidth.ts';
import { preferences, shownTheme } from '#web/shared/preferences.ts';
import { crosshairMove } from '../chart/crosshairMove.ts';
import { planAuction, shownPart, type AuctionPlan, axisPrices, axisTimes, yOf } from './auctionPlan.ts';
import { DASH, formatClock, formatNumber, formatSigned, formatShort, formatTime } from '#texts/format.ts';

const flipText = (flip: SurplusFlip): string =>
  flip > 0 ? 'Surplus flipped to buyers' : 'Surplus flipped to sellers';

export type AuctionValues = {
  time: string;
  price: string;
  /** Change from the previous close; a dash if one of the prices is unknown. */
  gap: string;
  volume: string;
  surplus: string;
  direction: 'up' | 'down' | 'flat';
};

/** Formats one point of an auction. @param close previous close, AUD; null if unknown */
export function auctionValues(
  { time, price, volume, surplus }: AuctionPoint,
  close: number | null,
): AuctionValues {
  const gap = price === null || close === null || close <= 0 ? null : (price / close - 1) * 100;
  return {
    time: formatClock(time),
    price: formatNumber(price, 3),
    gap: gap === null ? DASH : `${formatSigned(gap, 1)}%`,
    volume: formatNumber(volume, 0),
    surplus: formatSigned(surplus, 0),
    direction: surplus === null || surplus === 0 ? 'flat' : surplus > 0 ? 'up' : 'down',
  };
}

/** Describes a point: '09:41:07, match 0.540, gap +8.0%, volume 100,000, surplus +1,200'. */
const auctionSentence = (values: AuctionValues): string =>
  `${values.time}, match ${values.price}, gap ${values.gap}, volume ${values.volume}, surplus ${values.surplus}`;

/** Sentences on when the surplus changed sides, newest first. */
export function flipSentences(columns: AuctionColumns, count: number): string[] {
  return surplusFlips(columns)
    .slice(-count)
    .reverse()
    .map(({ index, flip }) => `${flipText(flip)} at ${formatClock(columns.time[index])}.`);
}

type AuctionStyle = Readonly<
  Record<'line' | 'text' | 'muted' | 'accent' | 'up' | 'down' | 'ground' | 'font', string>
>;

type Drawing = {
  columns: AuctionColumns;
  plan: AuctionPlan;
  style: AuctionStyle;
  /** How long the last change is valid, epoch ms. */
  until: number;
};

function readFormat(element: Element): AuctionStyle {
  const style = getComputedStyle(element);
  const token = (name: string): string => style.getPropertyValue(`--${name}`).trim();
  const isLight = document.documentElement.dataset['theme'] === 'light';
  return {
    line: token('line'),
    text: token('text'),
    muted: token('text-muted'),
    // On a light background the accent is too pale for a line.
    accent: token(isLight ? 'stale' : 'accent'),
    up: token('up'),
    down: token('down'),
    ground: token('ground'),
    font: style.fontFamily,
  };
}

function eachStep(
  { columns, plan, until }: Drawing,
  draw: (index: number, from: number, to: number) => void,
): void {
  const { time } = columns;
  for (let index = 0; index < time.length; index += 1) {
    draw(index, plan.xOf(time[index] ?? 0), plan.xOf(time[index + 1] ?? until));
  }
}

function drawAxis(pen: CanvasRenderingContext2D, { plan, style }: Drawing): void {
  const { span, right, price, surplus, xOf } = plan;
  pen.font = `11px ${style.font}`;
  pen.lineWidth = 1;
  pen.strokeStyle = style.line;
  pen.fillStyle = style.muted;
  pen.textBaseline = 'alphabetic';
  for (const time of axisTimes(span, right)) {
    const x = Math.round(xOf(time)) + 0.5;
    pen.globalAlpha = 0.5;
    pen.beginPath();
    pen.moveTo(x, price.top);
    pen.lineTo(x, surplus.bottom);
    pen.stroke();
    pen.globalAlpha = 1;
    pen.textAlign = x < 16 ? 'left' : x > right - 16 ? 'right' : 'center';
    pen.fillText(formatTime(time), x, surplus.bottom + 13);
  }
  pen.textAlign = 'left';
  const { low, high } = price;
  for (const value of axisPrices(low, high)) {
    pen.fillText(formatNumber(value, 3), right + 6, yOf(price, value, low, high) + 4);
  }
  if (surplus.most > 0) {
    pen.fillText(formatShort(surplus.most, true), right + 6, surplus.top + 9);
    pen.fillText(formatShort(-surplus.most, true), right + 6, surplus.bottom);
  }
}

function drawVolume(pen: CanvasRenderingContext2D, drawing: Drawing): void {
  const { columns, plan, style } = drawing;
  const { volume } = plan;
  pen.fillStyle = style.muted;
  pen.globalAlpha = 0.28;
  eachStep(drawing, (index, from, to) => {
    const value = columns.volume[index] ?? 0;
    const y = yOf(volume, value, 0, volume.most || 1);
    pen.fillRect(from, y, to - from, volume.bottom - y);
  });
  pen.globalAlpha = 1;
}

/** Draws the surplus as bars from the middle: upwards for buyers, downwards for sellers. */
function drawSurplus(pen: CanvasRenderingContext2D, drawing: Drawing): void {
  const { columns, plan, style } = drawing;
  const { surplus, right } = plan;
  const most = surplus.most || 1;
  const middle = yOf(surplus, 0, -most, most);
  eachStep(drawing, (index, from, to) => {
    const value = columns.surplus[index] ?? 0;
    if (value === 0) return;
    const y = yOf(surplus, value, -most, most);
    pen.fillStyle = value > 0 ? style.up : style.down;
    // If both directions have the same colour, position and opacity distinguish them.
    pen.globalAlpha = value > 0 ? 0.85 : style.up === style.down ? 0.45 : 0.85;
    pen.fillRect(from, Math.min(y, middle), Math.max(1, to - from), Math.abs(y - middle));
  });
  pen.globalAlpha = 1;
  pen.strokeStyle = style.muted;
  pen.beginPath();
  pen.moveTo(0, Math.round(middle) + 0.5);
  pen.lineTo(right, Math.round(middle) + 0.5);
  pen.stroke();
}

function drawPrice(pen: CanvasRenderingContext2D, drawing: Drawing): void {
  const { columns, plan, style } = drawing;
  const { price } = plan;
  pen.strokeStyle = style.accent;
  pen.lineWidth = 1.75;
  pen.lineJoin = 'round';
  pen.beginPath();
  let isDown = false;
  eachStep(drawing, (index, from, to) => {
    const value = columns.price[index] ?? null;
    if (value === null) {
      isDown = false;
      return;
    }
    const y = yOf(price, value, price.low, price.high);
    if (isDown) pen.lineTo(from, y);
    else pen.moveTo(from, y);
    pen.lineTo(to, y);
    isDown = true;
  });
  pen.stroke();
  pen.lineWidth = 1;
}

function drawClose(pen: CanvasRenderingContext2D, { plan, style }: Drawing, close: number | null): void {
  const { price, right } = plan;
  if (close === null || close < price.low || close > price.high) return;
  const y = Math.round(yOf(price, close, price.low, price.high)) + 0.5;
  pen.strokeStyle = style.muted;
  pen.setLineDash([3, 4]);
  pen.beginPath();
  pen.moveTo(0, y);
  pen.lineTo(right, y);
  pen.stroke();
  pen.setLineDash([]);
  pen.fillStyle = style.muted;
  pen.textAlign = 'left';
  pen.fillText('P. Close', 4, y - 4);
}

function drawCrosshair(pen: CanvasRenderingContext2D, drawing: Drawing, index: number): void {
  const { columns, plan, style } = drawing;
  const time = columns.time[index];
  if (time === undefined) return;
  const x = plan.xOf(time);
  pen.strokeStyle = style.text;
  pen.beginPath();
  pen.moveTo(Math.round(x) + 0.5, plan.price.top);
  pen.lineTo(Math.round(x) + 0.5, plan.surplus.bottom);
  pen.stroke();
  const price = columns.price[index] ?? null;
  if (price === null) return;
  pen.fillStyle = style.accent;
  pen.strokeStyle = style.ground;
  pen.lineWidth = 2;
  pen.beginPath();
  pen.arc(x, yOf(plan.price, price, plan.price.low, plan.price.high), 4, 0, 2 * Math.PI);
  pen.fill();
  pen.stroke();
  pen.lineWidth = 1;
}

/** @param shown index of the change under the crosshair; null for none */
function drawAuction(
  canvas: HTMLCanvasElement,
  drawing: Drawing,
  {
    close,
    shown,
    width,
    height,
  }: { close: number | null; shown: number | null; width: number; height: number },
): void {
  const pen = canvas.getContext('2d');
  if (!pen) return;
  const scale = window.devicePixelRatio || 1;
  const [wide, high] = [Math.round(width * scale), Math.round(height * scale)];
  if (canvas.width !== wide) canvas.width = wide;
  if (canvas.height !== high) canvas.height = high;
  pen.setTransform(scale, 0, 0, scale, 0, 0);
  pen.clearRect(0, 0, width, height);
  drawAxis(pen, drawing);
  drawVolume(pen, drawing);
  drawSurplus(pen, drawing);
  drawClose(pen, drawing, close);
  drawPrice(pen, drawing);
  if (shown !== null) drawCrosshair(pen, drawing, shown);
}

const HEIGHT = 176;

type AuctionDrawingProps = {
  /** For screen readers: "Opening auction". */
  name: string;
  code: string;
  columns: AuctionColumns;
  span: TimeSpan;
  /** How long the last change is valid, epoch ms. */
  until: number;
  /** Previous close, AUD; null if unknown. */
  close: number | null;
};

/** Changes with the theme and palette, whose colours the canvas uses. */
const styleKey = (): string => `${shownTheme.value} ${preferences.value.directions}`;

/** Draws an auction on a canvas: match price (step line) over match volume, and the surplus below as bars. */
export function AuctionDrawing(props: AuctionDrawingProps): ReactNode {
  const { host, canvas, width, style, count, pointed, values, pointAt, pointTo } = useAuctionCanvas(props);
  const help = useId();
  const index = pointed ?? count - 1;
  const move = (event: PointerEvent<HTMLDivElement>): void =>
    pointAt(event.clientX - event.currentTarget.getBoundingClientRect().left);
  return (
    <>
      <Legend values={values} />
      <div
        ref={host}
        className="auction-drawing"
        data-looks={style}
        role="slider"
        tabIndex={0}
        aria-label={`${props.name} of ${props.code}: changes`}
        aria-describedby={help}
        aria-valuemin={1}
        aria-valuemax={Math.max(1, count)}
        aria-valuenow={Math.max(1, index + 1)}
        aria-valuetext={values === null ? 'No changes' : auctionSentence(values)}
        onKeyDown={(event) => takeKey(event, [pointed, count], pointTo)}
        onBlur={() => pointTo(null)}
        onPointerMove={move}
        onPointerDown={move}
        onPointerLeave={() => pointTo(null)}
      >
        <canvas ref={canvas} aria-hidden="true" style={{ width, height: HEIGHT }} />
      </div>
      <p id={help} className="visually-hidden">
        Left and right arrows move by a change.
      </p>
    </>
  );
}

function takeKey(
  event: KeyboardEvent,
  [at, count]: [number | null, number],
  pointTo: (index: number | null) => void,
): void {
  const action = crosshairMove(event, at, count);
  if (action === null) return;
  event.preventDefault();
  event.stopPropagation();
  pointTo(action.to);
}

/** Draws with each render, and tracks which change the pointer is on. */
function useAuctionCanvas({ columns: all, span, until, close }: AuctionDrawingProps) {
  const host = useRef<HTMLDivElement>(null);
  const canvas = useRef<HTMLCanvasElement>(null);
  const width = useElementWidth(host);
  const [pointedTime, setPointedTime] = useState<number | null>(null);
  const columns = shownPart(all, span);
  const count = columns.time.length;
  // Stored by time, because omitted changes would shift positions.
  const pointed = pointedTime === null ? null : Math.max(0, lastAtMost(columns.time, pointedTime));
  const plan = planAuction({ columns, span, close, width, height: HEIGHT });
  useLayoutEffect(() => {
    if (canvas.current === null || host.current === null || width === 0) return;
    const drawing = { columns, plan, until, style: readFormat(host.current) };
    drawAuction(canvas.current, drawing, { close, shown: pointed, width, height: HEIGHT });
  });
  useScreenScale();
  const point = auctionPointAt(columns, pointed ?? count - 1);
  const pointTo = (index: number | null): void =>
    setPointedTime(index === null ? null : (columns.time[index] ?? null));
  return {
    host,
    canvas,
    width,
    count,
    pointed,
    pointTo,
    style: styleKey(),
    values: point ? auctionValues(point, close) : null,
    /** @param x px from the left edge of the drawing */
    pointAt: (x: number): void => {
      const time = span.from + (x / plan.right) * (span.until - span.from);
      pointTo(Math.max(0, lastAtMost(columns.time, time)));
    },
  };
}

function useScreenScale(): void {
  const [, setScale] = useState(() => window.devicePixelRatio);
  useEffect(() => {
    const resized = () => setScale(window.devicePixelRatio);
    window.addEventListener('resize', resized);
    return () => window.removeEventListener('resize', resized);
  }, []);
}

function Legend({ values }: { values: AuctionValues | null }): ReactNode {
  if (values === null)
    return <p className="auction-legend wrap gap-0-3 small">No change in these minutes.</p>;
  return (
    <dl className="auction-legend wrap gap-0-3 small">
      <Value term="At">{values.time}</Value>
      <Value term="Match" mark="price">
        {values.price} <span className="muted">{values.gap}</span>
      </Value>
      <Value term="Volume" mark="volume">
        {values.volume}
      </Value>
      <Value term="Surplus">
        <span className={values.direction === 'flat' ? undefined : trendClass(values.direction)}>
          {values.surplus}
        </span>
      </Value>
    </dl>
  );
}

type ValueProps = { term: string; mark?: 'price' | 'volume'; children: ReactNode };

function Value({ term, mark, children }: ValueProps): ReactNode {
  return (
    <div className="auction-value cluster" data-mark={mark}>
      <dt>{term}</dt>
      <dd>{children}</dd>
    </div>
  );
}
