import { expect, test } from 'bun:test';
import { DAY_LINE_SLOTS } from '../../../../src/market/bars/rules/dayLine.ts';
import {
  drawDayLine,
  LINE_HEIGHT,
  LINE_WIDTH,
} from '../../../../src/subjects/stock/web/shared/day/drawDayLine.ts';

const COLOURS = { up: 'green', down: 'red', flat: 'grey', reference: 'line' };

/** Draws a day. @returns what was drawn, in its order: colour, then points as [x, y], px */
function drawn(closes: (number | null)[], previousClose: number | null, gaps: readonly number[] = []) {
  const strokes: { colour: string; points: (readonly ['move' | 'line', number, number])[] }[] = [];
  const context = {
    strokeStyle: '',
    lineWidth: 0,
    clearRect: () => {},
    setLineDash: () => {},
    beginPath: () => void strokes.push({ colour: '', points: [] }),
    moveTo: (x: number, y: number) => void strokes.at(-1)?.points.push(['move', x, y]),
    lineTo: (x: number, y: number) => void strokes.at(-1)?.points.push(['line', x, y]),
    stroke(this: { strokeStyle: string }) {
      Object.assign(strokes.at(-1) ?? {}, { colour: this.strokeStyle });
    },
  };
  const known = { line: { closes, previousClose }, isGap: (slot: number) => gaps.includes(slot) };
  drawDayLine(context as unknown as CanvasRenderingContext2D, known, previousClose, COLOURS);
  return strokes;
}

test('a day goes from the left edge to the right, its lowest price at the bottom and its highest at the top', () => {
  const closes = Array.from({ length: DAY_LINE_SLOTS }, (_, slot) => 10 + slot);
  const [line] = drawn(closes, null);
  expect(line?.colour).toBe('grey');
  expect(line?.points[0]).toEqual(['move', 1, LINE_HEIGHT - 2]);
  expect(line?.points[1]).toEqual(['line', 2, LINE_HEIGHT - 2]);
  expect(line?.points.at(-1)).toEqual(['line', LINE_WIDTH - 2, 2]);
  expect(line?.points.at(DAY_LINE_SLOTS / 2 + 1)?.[1]).toBeCloseTo(2 + (39 / 77) * (LINE_WIDTH - 4));
});

test('its colour is the change since the previous close, which is a line of its own', () => {
  expect(drawn([10, 11], 10).map(({ colour }) => colour)).toEqual(['line', 'green']);
  expect(drawn([10, 9], 10).map(({ colour }) => colour)).toEqual(['line', 'red']);
  expect(drawn([9, 10], 10).map(({ colour }) => colour)).toEqual(['line', 'grey']);
  expect(drawn([], 10).map(({ colour }) => colour)).toEqual(['line']);
  expect(drawn([], null)).toEqual([]);
});

test('a day of one price lies in the middle; only what was not seen breaks the line', () => {
  const [line] = drawn([5, null, 5, null, 5], null, [3]);
  expect(line?.points.map(([kind]) => kind)).toEqual(['move', 'line', 'line', 'move', 'line']);
  for (const [, , y] of line?.points ?? []) expect(y).toBe(LINE_HEIGHT / 2);
});
