import { effect } from '@preact/signals-react';
import { type ReactNode, useEffect, useLayoutEffect, useMemo, useRef } from 'react';
import type { DayLine } from '#market/bars/rules/bars.ts';
import { dayLinesAnswer } from '#market/bars/rules/dayLinesAnswer.ts';
import { readerOf } from '#web/api/readerOf.ts';
import { dayText, DAY_LINE_SLOTS } from '#market/bars/rules/dayLine.ts';
import { DASH } from '#texts/format.ts';
import type { Stock } from '#market/rules/stock.ts';
import { request } from '#web/api/client.ts';
import { isStreamLost } from '#web/live/market.ts';
import { onNewEra } from '#web/live/marketEra.ts';
import { quoteTime } from '#web/live/quoteTime.ts';
import { type Preferences, preferences, shownTheme, type Theme } from '#web/shared/preferences.ts';
import { DayLines, type KnownLine } from './dayLines.ts';

/** px */
export const LINE_WIDTH = 92;
export const LINE_HEIGHT = 22;
const PAD = 2;

type LineColours = { up: string; down: string; flat: string; reference: string };

/** The tokens as they are now. */
function readLineColours(): LineColours {
  const style = getComputedStyle(document.documentElement);
  const token = (name: string): string => style.getPropertyValue(name).trim();
  return {
    up: token('--up'),
    down: token('--down'),
    flat: token('--text-muted'),
    reference: token('--line-strong'),
  };
}

const xOf = (slot: number): number => PAD + (slot / (DAY_LINE_SLOTS - 1)) * (LINE_WIDTH - 2 * PAD);

/** From prices to px; a day of one price lies in the middle. */
function scaleOf(prices: readonly number[]): (price: number) => number {
  let low = Number.POSITIVE_INFINITY;
  let high = Number.NEGATIVE_INFINITY;
  for (const price of prices) {
    low = Math.min(low, price);
    high = Math.max(high, price);
  }
  const height = LINE_HEIGHT - 2 * PAD;
  if (high <= low) return () => LINE_HEIGHT / 2;
  return (price) => PAD + (1 - (price - low) / (high - low)) * height;
}

/** Draws a day: a dotted previous close, and the closes of its slots, with a gap where prices were not seen. */
export function drawDayLine(
  context: CanvasRenderingContext2D,
  { line: { closes }, isGap }: KnownLine,
  previousClose: number | null,
  colours: LineColours,
): void {
  const known = closes.filter((close) => close !== null);
  const last = known.at(-1) ?? null;
  const yOf = scaleOf(previousClose === null ? known : [...known, previousClose]);
  context.clearRect(0, 0, LINE_WIDTH, LINE_HEIGHT);
  if (previousClose !== null) drawReference(context, yOf(previousClose), colours.reference);
  if (last === null) return;
  const change = previousClose === null ? 0 : last - previousClose;
  context.strokeStyle = change > 0 ? colours.up : change < 0 ? colours.down : colours.flat;
  context.lineWidth = 1.25;
  context.setLineDash([]);
  context.beginPath();
  lineCloses(context, closes, isGap, yOf);
  context.stroke();
}

function drawReference(context: CanvasRenderingContext2D, top: number, colour: string): void {
  const y = Math.round(top) + 0.5;
  context.strokeStyle = colour;
  context.lineWidth = 1;
  context.setLineDash([1, 2]);
  context.beginPath();
  context.moveTo(PAD, y);
  context.lineTo(LINE_WIDTH - PAD, y);
  context.stroke();
}

function lineCloses(
  context: CanvasRenderingContext2D,
  closes: readonly (number | null)[],
  isGap: KnownLine['isGap'],
  yOf: (price: number) => number,
): void {
  let isDrawing = false;
  closes.forEach((close, slot) => {
    if (close === null) {
      // A slot without a trade keeps the price; one that was not seen breaks the line.
      if (isGap(slot)) isDrawing = false;
      return;
    }
    const [x, y] = [xOf(slot), yOf(close)];
    // A lone slot is a short dash, so that it is seen.
    if (!isDrawing) context.moveTo(x - 1, y);
    context.lineTo(x, y);
    isDrawing = true;
  });
}

const NOT_LOADED = 'The line could not be loaded. Trying again.';

const lines = new DayLines({
  fetch: (codes) =>
    request('GET /api/data/day-lines', {
      query: { symbols: codes.join(',') },
      read: readerOf(dayLinesAnswer),
    }),
  after(ms, run) {
    const timer = setTimeout(run, ms);
    return () => clearTimeout(timer);
  },
  quoteTime,
  elapsed: () => performance.now(),
});

let read: { looks: Preferences; theme: Theme; colours: LineColours } | null = null;

/** The colours of the page as it looks now; they are read once for each look. */
function coloursOf(looks: Preferences, theme: Theme): LineColours {
  if (read?.looks !== looks || read.theme !== theme) read = { looks, theme, colours: readLineColours() };
  return read.colours;
}

/** Asks for all lines again once a lost stream is back, and in another era. */
function followMarket(): () => void {
  let wasLost = isStreamLost.peek();
  const stopStream = effect(() => {
    const isLost = isStreamLost.value;
    if (wasLost && !isLost) lines.refresh();
    wasLost = isLost;
  });
  const stopEras = onNewEra(lines.refresh);
  return () => {
    stopStream();
    stopEras();
  };
}

let shown = 0;
let unfollow = (): void => undefined;

function show(code: string): () => void {
  shown += 1;
  if (shown === 1) unfollow = followMarket();
  const leave = lines.show(code);
  return () => {
    leave();
    shown -= 1;
    if (shown === 0) unfollow();
  };
}

/** What a canvas shows: the same again is not drawn. */
type Drawn = { line: DayLine | null; previousClose: number | null; colours: LineColours };
const drawn = new WeakMap<HTMLCanvasElement, Drawn>();

function draw(canvas: HTMLCanvasElement, next: Drawn, isGap: KnownLine['isGap'] | undefined): void {
  const before = drawn.get(canvas);
  const isSame = before?.line === next.line && before.previousClose === next.previousClose;
  if (isSame && before.colours === next.colours) return;
  const context = canvas.getContext('2d');
  if (!context) return;
  drawn.set(canvas, next);
  const scale = window.devicePixelRatio || 1;
  const width = Math.round(LINE_WIDTH * scale);
  // Setting the size clears the drawing and costs more than drawing does.
  if (canvas.width !== width) {
    canvas.width = width;
    canvas.height = Math.round(LINE_HEIGHT * scale);
  }
  context.setTransform(scale, 0, 0, scale, 0, 0);
  if (next.line && isGap) drawDayLine(context, { line: next.line, isGap }, next.previousClose, next.colours);
  else context.clearRect(0, 0, LINE_WIDTH, LINE_HEIGHT);
}

/** What is known of a stock's line, followed through every answer. */
function useLine(stock: Stock): KnownLine | null {
  return lines.version.value >= 0 ? lines.lineOf(stock) : null;
}

/** The line of a stock's day against its previous close, live; for who does not see it, a sentence. */
export function DayCell({ stock }: { stock: Stock }): ReactNode {
  const canvas = useRef<HTMLCanvasElement>(null);
  const { code, last, low, high, change_percent, close } = stock;
  const known = useLine(stock);
  const { line = null, isGap } = known ?? {};
  const state = line !== null ? 'known' : lines.hasFailed() ? 'failed' : 'waiting';
  const colours = coloursOf(preferences.value, shownTheme.value);
  useEffect(() => show(code), [code]);
  useLayoutEffect(() => {
    const previousClose = close ?? line?.previousClose ?? null;
    if (canvas.current) draw(canvas.current, { line, previousClose, colours }, isGap);
  }, [line, isGap, close, colours]);
  const text = useMemo(() => dayText({ last, low, high, change_percent }), [last, low, high, change_percent]);
  return (
    <span
      className="day-cell cluster gap-0 justify-end"
      role="img"
      aria-label={text}
      data-state={state}
      title={state === 'failed' ? NOT_LOADED : undefined}
    >
      <canvas ref={canvas} className="day-cell-line" aria-hidden="true" />
      {state === 'failed' && <span className="muted">{DASH}</span>}
    </span>
  );
}
