import { effect, type ReadonlySignal, signal } from '@preact/signals-react';
import { type ReactNode, useEffect, useLayoutEffect, useMemo, useRef } from 'react';
import {
  DAY_LINE_SLOTS,
  type DayLine,
  type DayLinesAnswer,
  dayLinesAnswer,
  dayText,
  extendDayLine,
} from '#market/bars/rules/dayLine.ts';
import { MAX_DAY_LINES } from '#market/bars/rules/bars.ts';
import { readerOf, request } from '#web/api/client.ts';
import { DASH } from '#texts/format.ts';
import type { Stock } from '#market/rules/stock.ts';
import { isStreamLost } from '#web/live/market.ts';
import { onNewEpoch, quoteTime } from '#web/live/marketEpoch.ts';
import { type Preferences, preferences, shownTheme, type Theme } from '#web/shared/preferences.ts';

/** A loaded line; a gap is a slot without known prices. */
type KnownLine = { line: DayLine; isGap: (slot: number) => boolean };

type DayLinesDeps = {
  fetch: (codes: readonly string[]) => Promise<DayLinesAnswer>;
  after: (ms: number, run: () => void) => () => void;
  /** Time of the current quotes, epoch ms on the market's clock. */
  quoteTime: () => number;
  /** Monotonic clock, ms. */
  elapsed: () => number;
};

const GATHER_MS = 120;
const KEEP_MS = 60_000;
const MAX_KEPT = 400;
const RETRY_MS = [5000, 15_000, 60_000] as const;

function gapsIn({ from, slotMinutes, unknown }: DayLinesAnswer): (slot: number) => boolean {
  const slotMs = slotMinutes * 60_000;
  const gaps = new Set<number>();
  for (const span of unknown) {
    const first = Math.max(0, Math.floor((span.from - from) / slotMs));
    const last = Math.min(DAY_LINE_SLOTS, Math.ceil((span.until - from) / slotMs));
    for (let slot = first; slot < last; slot += 1) gaps.add(slot);
  }
  return (slot) => gaps.has(slot);
}

/** Lines of the stocks in sight: requested in batches, and updated by the stream. */
export class DayLines {
  readonly #deps: DayLinesDeps;
  readonly #version = signal(0);
  /** Increases with each answer and failure, so that cells render. */
  readonly version: ReadonlySignal<number> = this.#version;
  readonly #entries = new Map<string, KnownLine & { leftAt: number | null }>();
  readonly #inSight = new Map<string, number>();
  readonly #asked = new Set<string>();
  #slots: Pick<DayLinesAnswer, 'from' | 'slotMinutes' | 'date'> | null = null;
  #cancelNext: (() => void) | null = null;
  #failures = 0;
  /** Increases with each refresh, so that older answers are ignored. */
  #run = 0;

  constructor(deps: DayLinesDeps) {
    this.#deps = deps;
  }

  /** Marks a stock as in sight. Returns a function that ends that. */
  show(code: string): () => void {
    this.#inSight.set(code, (this.#inSight.get(code) ?? 0) + 1);
    const entry = this.#entries.get(code);
    if (entry?.leftAt != null && this.#deps.elapsed() - entry.leftAt > KEEP_MS) this.#entries.delete(code);
    else if (entry) entry.leftAt = null;
    this.#askSoon(GATHER_MS);
    return () => this.#leave(code);
  }

  lineOf(stock: Stock): KnownLine | null {
    const entry = this.#entries.get(stock.code);
    if (!entry || !this.#slots) return null;
    entry.line = extendDayLine(entry.line, stock, this.#slots, this.#deps.quoteTime());
    return entry;
  }

  /** Whether the last request failed; it is retried automatically. */
  hasFailed(): boolean {
    return this.#failures > 0;
  }

  /** Reloads all lines in sight, after a disconnect and for another session. */
  readonly refresh = (): void => {
    this.#run += 1;
    this.#asked.clear();
    this.#entries.clear();
    this.#failures = 0;
    this.#waitNoMore();
    this.#askSoon(GATHER_MS);
  };

  #leave(code: string): void {
    const count = (this.#inSight.get(code) ?? 1) - 1;
    if (count > 0) {
      this.#inSight.set(code, count);
      return;
    }
    this.#inSight.delete(code);
    if (this.#inSight.size === 0) this.#waitNoMore();
    const left = this.#entries.get(code);
    if (left) left.leftAt = this.#deps.elapsed();
    this.#forgetOld();
  }

  #missing(): string[] {
    return [...this.#inSight.keys()]
      .filter((code) => !this.#entries.has(code) && !this.#asked.has(code))
      .slice(0, MAX_DAY_LINES);
  }

  #take(codes: readonly string[], answer: DayLinesAnswer): void {
    if (this.#slots !== null && this.#slots.date !== answer.date) this.#entries.clear();
    this.#slots = answer;
    const isGap = gapsIn(answer);
    for (const code of codes) {
      const line = answer.lines[code] ?? { previousClose: null, closes: [] };
      const leftAt = this.#inSight.has(code) ? null : this.#deps.elapsed();
      this.#entries.set(code, { line, isGap, leftAt });
    }
    this.#forgetOld();
    this.#version.value += 1;
  }

  #forgetOld(): void {
    const now = this.#deps.elapsed();
    for (const [code, { leftAt }] of this.#entries) {
      const isOld = leftAt !== null && (now - leftAt > KEEP_MS || this.#entries.size > MAX_KEPT);
      if (isOld) this.#entries.delete(code);
    }
  }

  async #ask(): Promise<void> {
    this.#cancelNext = null;
    const codes = this.#missing();
    if (codes.length === 0) return;
    const mine = this.#run;
    for (const code of codes) this.#asked.add(code);
    try {
      const answer = await this.#deps.fetch(codes);
      if (mine !== this.#run) return;
      this.#failures = 0;
      for (const code of codes) this.#asked.delete(code);
      this.#take(codes, answer);
      this.#askSoon(GATHER_MS);
    } catch {
      if (mine !== this.#run) return;
      for (const code of codes) this.#asked.delete(code);
      this.#askSoon(RETRY_MS[Math.min(this.#failures, RETRY_MS.length - 1)] ?? GATHER_MS);
      this.#failures += 1;
      this.#version.value += 1;
    }
  }

  #askSoon(ms: number): void {
    if (this.#cancelNext !== null || this.#missing().length === 0) return;
    this.#cancelNext = this.#deps.after(ms, () => void this.#ask());
  }

  #waitNoMore(): void {
    this.#cancelNext?.();
    this.#cancelNext = null;
  }
}

export const LINE_WIDTH = 92;
export const LINE_HEIGHT = 22;
const PAD = 2;

type LineColours = { up: string; down: string; flat: string; reference: string };

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

/** Draws the previous close as a dotted line and the closes of the slots, with gaps where prices are unknown. */
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
      // A slot without a trade keeps the price; an unknown one interrupts the line.
      if (isGap(slot)) isDrawing = false;
      return;
    }
    const [x, y] = [xOf(slot), yOf(close)];
    if (!isDrawing) context.moveTo(x - 1, y);
    context.lineTo(x, y);
    isDrawing = true;
  });
}

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

let read: { preferences: Preferences; theme: Theme; colours: LineColours } | null = null;

function coloursOf(preferences: Preferences, theme: Theme): LineColours {
  if (read?.preferences !== preferences || read.theme !== theme)
    read = { preferences, theme, colours: readLineColours() };
  return read.colours;
}

function followMarket(): () => void {
  let wasLost = isStreamLost.peek();
  const stopStream = effect(() => {
    const isLost = isStreamLost.value;
    if (wasLost && !isLost) lines.refresh();
    wasLost = isLost;
  });
  const stopEpochs = onNewEpoch(lines.refresh);
  return () => {
    stopStream();
    stopEpochs();
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

/** The content of a canvas; equal content is not drawn again. */
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
  // Setting the size clears the canvas and costs more than drawing, so it is set only if it changed.
  if (canvas.width !== width) {
    canvas.width = width;
    canvas.height = Math.round(LINE_HEIGHT * scale);
  }
  context.setTransform(scale, 0, 0, scale, 0, 0);
  if (next.line && isGap) drawDayLine(context, { line: next.line, isGap }, next.previousClose, next.colours);
  else context.clearRect(0, 0, LINE_WIDTH, LINE_HEIGHT);
}

function useLine(stock: Stock): KnownLine | null {
  return lines.version.value >= 0 ? lines.lineOf(stock) : null;
}

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
      title={state === 'failed' ? 'The line could not be loaded. Trying again.' : undefined}
    >
      <canvas ref={canvas} className="day-cell-line" aria-hidden="true" />
      {state === 'failed' && <span className="muted">{DASH}</span>}
    </span>
  );
}
