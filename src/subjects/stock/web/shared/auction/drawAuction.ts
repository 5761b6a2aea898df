import type { AuctionColumns } from '#market/auctions/rules/auction.ts';
import { formatNumber, formatShort, formatTime } from '#texts/format.ts';
import { type AuctionPlan, axisPrices, axisTimes, yOf } from './auctionPlan.ts';

/** The tokens that the drawing uses, as CSS colours. */
export type AuctionLooks = Readonly<
  Record<'line' | 'text' | 'muted' | 'accent' | 'up' | 'down' | 'ground' | 'font', string>
>;

type Drawing = {
  columns: AuctionColumns;
  plan: AuctionPlan;
  looks: AuctionLooks;
  /** Until when the last change holds, epoch ms. */
  until: number;
};

/** The colours of the page as it looks now. */
export function readLooks(element: Element): AuctionLooks {
  const style = getComputedStyle(element);
  const token = (name: string): string => style.getPropertyValue(`--${name}`).trim();
  const isLight = document.documentElement.dataset['theme'] === 'light';
  return {
    line: token('line'),
    text: token('text'),
    muted: token('text-muted'),
    // On a light ground the accent is too pale for a line.
    accent: token(isLight ? 'stale' : 'accent'),
    up: token('up'),
    down: token('down'),
    ground: token('ground'),
    font: style.fontFamily,
  };
}

/** Calls back with each change and until when it holds, px. */
function eachStep(
  { columns, plan, until }: Drawing,
  draw: (index: number, from: number, to: number) => void,
): void {
  const { time } = columns;
  for (let index = 0; index < time.length; index += 1) {
    draw(index, plan.xOf(time[index] ?? 0), plan.xOf(time[index + 1] ?? until));
  }
}

function drawAxis(pen: CanvasRenderingContext2D, { plan, looks }: Drawing): void {
  const { span, right, price, surplus, xOf } = plan;
  pen.font = `11px ${looks.font}`;
  pen.lineWidth = 1;
  pen.strokeStyle = looks.line;
  pen.fillStyle = looks.muted;
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
  const { columns, plan, looks } = drawing;
  const { volume } = plan;
  pen.fillStyle = looks.muted;
  pen.globalAlpha = 0.28;
  eachStep(drawing, (index, from, to) => {
    const value = columns.volume[index] ?? 0;
    const y = yOf(volume, value, 0, volume.most || 1);
    pen.fillRect(from, y, to - from, volume.bottom - y);
  });
  pen.globalAlpha = 1;
}

/** Bars from the middle: up where buyers are left over, down where sellers are. */
function drawSurplus(pen: CanvasRenderingContext2D, drawing: Drawing): void {
  const { columns, plan, looks } = drawing;
  const { surplus, right } = plan;
  const most = surplus.most || 1;
  const middle = yOf(surplus, 0, -most, most);
  eachStep(drawing, (index, from, to) => {
    const value = columns.surplus[index] ?? 0;
    if (value === 0) return;
    const y = yOf(surplus, value, -most, most);
    pen.fillStyle = value > 0 ? looks.up : looks.down;
    // Where both directions have one colour, the side of the line and the shade tell them apart.
    pen.globalAlpha = value > 0 ? 0.85 : looks.up === looks.down ? 0.45 : 0.85;
    pen.fillRect(from, Math.min(y, middle), Math.max(1, to - from), Math.abs(y - middle));
  });
  pen.globalAlpha = 1;
  pen.strokeStyle = looks.muted;
  pen.beginPath();
  pen.moveTo(0, Math.round(middle) + 0.5);
  pen.lineTo(right, Math.round(middle) + 0.5);
  pen.stroke();
}

/** The match price in steps; where it was not known there is no line. */
function drawPrice(pen: CanvasRenderingContext2D, drawing: Drawing): void {
  const { columns, plan, looks } = drawing;
  const { price } = plan;
  pen.strokeStyle = looks.accent;
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

function drawClose(pen: CanvasRenderingContext2D, { plan, looks }: Drawing, close: number | null): void {
  const { price, right } = plan;
  if (close === null || close < price.low || close > price.high) return;
  const y = Math.round(yOf(price, close, price.low, price.high)) + 0.5;
  pen.strokeStyle = looks.muted;
  pen.setLineDash([3, 4]);
  pen.beginPath();
  pen.moveTo(0, y);
  pen.lineTo(right, y);
  pen.stroke();
  pen.setLineDash([]);
  pen.fillStyle = looks.muted;
  pen.textAlign = 'left';
  pen.fillText('P. Close', 4, y - 4);
}

/** The line through one change, and a dot on its price. */
function drawCrosshair(pen: CanvasRenderingContext2D, drawing: Drawing, index: number): void {
  const { columns, plan, looks } = drawing;
  const time = columns.time[index];
  if (time === undefined) return;
  const x = plan.xOf(time);
  pen.strokeStyle = looks.text;
  pen.beginPath();
  pen.moveTo(Math.round(x) + 0.5, plan.price.top);
  pen.lineTo(Math.round(x) + 0.5, plan.surplus.bottom);
  pen.stroke();
  const price = columns.price[index] ?? null;
  if (price === null) return;
  pen.fillStyle = looks.accent;
  pen.strokeStyle = looks.ground;
  pen.lineWidth = 2;
  pen.beginPath();
  pen.arc(x, yOf(plan.price, price, plan.price.low, plan.price.high), 4, 0, 2 * Math.PI);
  pen.fill();
  pen.stroke();
  pen.lineWidth = 1;
}

/**
 * Draws an auction on a canvas, whose pixels follow the screen's.
 * @param shown the change that the crosshair is on; null for none
 */
export function drawAuction(
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
