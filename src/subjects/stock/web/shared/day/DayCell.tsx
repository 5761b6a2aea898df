import { effect } from '@preact/signals-react';
import { type ReactNode, useEffect, useLayoutEffect, useMemo, useRef } from 'react';
import type { DayLine } from '#market/bars/rules/bars.ts';
import { dayLinesAnswer } from '#market/bars/rules/dayLinesAnswer.ts';
import { readerOf } from '#web/api/readerOf.ts';
import { dayText } from '#market/bars/rules/dayLine.ts';
import { DASH } from '#texts/format.ts';
import type { Stock } from '#market/rules/stock.ts';
import { api, unwrap } from '#web/api/client.ts';
import { isStreamLost } from '#web/live/market.ts';
import { onNewEra } from '#web/live/marketEra.ts';
import { quoteTime } from '#web/live/quoteTime.ts';
import { type Preferences, preferences, shownTheme, type Theme } from '#web/shared/preferences.ts';
import { DayLines, type KnownLine } from './dayLines.ts';
import { drawDayLine, LINE_HEIGHT, LINE_WIDTH, type LineColours, readLineColours } from './drawDayLine.ts';
import './DayCell.css';

const NOT_LOADED = 'The line could not be loaded. Trying again.';

const lines = new DayLines({
  fetch: (codes) =>
    unwrap(api.data['day-lines'].get({ query: { symbols: codes.join(',') } }), readerOf(dayLinesAnswer)),
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
      className="day-cell"
      role="img"
      aria-label={text}
      data-state={state}
      title={state === 'failed' ? NOT_LOADED : undefined}
    >
      <canvas ref={canvas} className="day-cell-line" aria-hidden="true" />
      {state === 'failed' && <span className="day-cell-missing">{DASH}</span>}
    </span>
  );
}
