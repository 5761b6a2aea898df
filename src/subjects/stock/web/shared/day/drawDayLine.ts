import { DAY_LINE_SLOTS } from '#market/bars/rules/dayLine.ts';
import type { KnownLine } from './dayLines.ts';

/** px */
export const LINE_WIDTH = 92;
export const LINE_HEIGHT = 22;
const PAD = 2;

export type LineColours = { up: string; down: string; flat: string; reference: string };

/** The tokens as they are now. */
export function readLineColours(): LineColours {
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
