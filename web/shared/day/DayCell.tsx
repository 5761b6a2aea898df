import { effect } from '@preact/signals-react';
import { type ReactNode, useEffect, useLayoutEffect, useRef } from 'react';
import { dayText } from '../../../src/domain/charts/dayLine.ts';
import type { Stock } from '../../../src/domain/market/stock.ts';
import { api, unwrap } from '../api/client.ts';
import { isStreamLost, marketNow, meta } from '../live/market.ts';
import { preferences } from '../preferences.ts';
import { createDayLines } from './dayLines.ts';
import { drawDayLine, LINE_HEIGHT, LINE_WIDTH, type LineColours, readLineColours } from './drawDayLine.ts';
import { readDayLines } from './readDayLines.ts';
import './DayCell.css';

const MINUTE_MS = 60_000;

const lines = createDayLines({
  fetch: (codes) => unwrap(api.data['day-lines'].get({ query: { symbols: codes.join(',') } }), readDayLines),
  after(ms, run) {
    const timer = setTimeout(run, ms);
    return () => clearTimeout(timer);
  },
  quoteTime: () => marketNow() - (meta.peek()?.feed?.delayMinutes ?? 0) * MINUTE_MS,
  elapsed: () => performance.now(),
});

/** The looks that the colours below were read from. */
let looks: unknown = null;
let colours: LineColours | null = null;

function coloursNow(): LineColours {
  if (colours === null || looks !== preferences.peek()) {
    looks = preferences.peek();
    colours = readLineColours();
  }
  return colours;
}

/** Asks for all lines again once a lost stream is back, and when the market or its session is another one. */
function followMarket(): () => void {
  let wasLost = isStreamLost.peek();
  let before: string | null = null;
  return effect(() => {
    const session = meta.value && `${meta.value.dateToday} ${meta.value.feed?.name ?? ''}`;
    const isLost = isStreamLost.value;
    const isOther = before !== null && session !== null && session !== before;
    if ((wasLost && !isLost) || isOther) lines.refresh();
    wasLost = isLost;
    before = session ?? before;
  });
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

function draw(canvas: HTMLCanvasElement, stock: Stock): void {
  const known = lines.lineOf(stock);
  const context = canvas.getContext('2d');
  if (!context) return;
  const scale = window.devicePixelRatio || 1;
  const width = Math.round(LINE_WIDTH * scale);
  // Setting the size clears the drawing and costs more than drawing does.
  if (canvas.width !== width) {
    canvas.width = width;
    canvas.height = Math.round(LINE_HEIGHT * scale);
  }
  context.setTransform(scale, 0, 0, scale, 0, 0);
  if (known) drawDayLine(context, known, stock.close ?? known.line.previousClose, coloursNow());
  else context.clearRect(0, 0, LINE_WIDTH, LINE_HEIGHT);
}

/** The line of a stock's day against its previous close, live; for who does not see it, a sentence. */
export function DayCell({ stock }: { stock: Stock }): ReactNode {
  const canvas = useRef<HTMLCanvasElement>(null);
  const { code } = stock;
  const version = lines.version.value;
  const look = preferences.value;
  useEffect(() => show(code), [code]);
  useLayoutEffect(() => {
    if (canvas.current) draw(canvas.current, stock);
  }, [stock, version, look]);
  return (
    <span
      className="day-cell"
      role="img"
      aria-label={dayText(stock)}
      data-is-waiting={lines.lineOf(stock) === null}
    >
      <canvas ref={canvas} className="day-cell-line" aria-hidden="true" />
    </span>
  );
}
