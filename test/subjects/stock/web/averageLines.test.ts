import { expect, test } from 'bun:test';
import type { SeriesAttachedParameter, Time } from 'lightweight-charts';
import type { ChartAverage } from '#market/bars/rules/averages.ts';
import { GAP, QUIET, type Slots } from '#subjects/stock/web/shared/chart/chartSlots.ts';
import { AverageLines } from '#subjects/stock/web/shared/chart/drawing/layers.ts';
import type { ChartColours } from '#subjects/stock/web/shared/chart/drawing/styles.ts';

const COLOURS = {
  'average-short': 'cyan',
  'average-medium': 'violet',
  'average-long': 'pink',
} as unknown as ChartColours;
const COUNT = 1000;
const SLOTS: Slots = {
  axis: Array.from({ length: COUNT }, (_one, slot) => slot * 60_000),
  bar: Array.from({ length: COUNT }, (_one, slot) => slot),
};
const RISING: ChartAverage = {
  id: 'sma20',
  values: Array.from({ length: COUNT }, (_one, bar) => bar / 10),
  first: 19,
};

/** A chart with ten pixels per slot and one pixel per cent of price, with these slots visible. */
const attachedTo = (from: number, to: number) =>
  ({
    chart: {
      timeScale: () => ({
        getVisibleLogicalRange: () => ({ from, to }),
        logicalToCoordinate: (slot: number) => (slot - from) * 10,
      }),
    },
    series: { coordinateToPrice: (top: number) => 100 - top / 100 },
    requestUpdate: () => undefined,
  }) as unknown as SeriesAttachedParameter<Time>;

/** The drawing steps of these averages. */
function drawn(averages: readonly ChartAverage[], slots: Slots, [from, to]: [number, number]) {
  const steps: (string | number | readonly number[])[][] = [];
  const context = {
    beginPath: () => undefined,
    moveTo: (x: number, y: number) => steps.push(['move', Math.round(x), Math.round(y)]),
    lineTo: (x: number, y: number) => steps.push(['line', Math.round(x), Math.round(y)]),
    setLineDash: (dash: readonly number[]) => void (context.dash = dash),
    stroke: () => steps.push([context.strokeStyle, context.lineWidth, context.dash]),
    dash: [] as readonly number[],
    strokeStyle: '',
    lineWidth: 0,
  };
  const lines = new AverageLines();
  lines.attached?.(attachedTo(from, to));
  lines.draw(averages, slots, COLOURS);
  const target = { useMediaCoordinateSpace: (paint: (scope: unknown) => void) => paint({ context }) };
  for (const view of lines.paneViews?.() ?? []) view.renderer()?.draw(target as never);
  return { steps, extremes: lines.extremes() };
}

test('the lines of averages are drawn only in the visible part, even of thousands of bars', () => {
  const { steps, extremes } = drawn([RISING], SLOTS, [500, 504]);
  expect(steps[0]).toEqual(['move', -10, 5010]);
  expect(steps[1]).toEqual(['line', 0, 5000]);
  expect(steps).toHaveLength(8);
  expect(steps.at(-1)).toEqual(['cyan', 1, []]);
  expect(extremes).toEqual([49.9, 50.5]);
});

test('the lines of averages start once there are enough bars, and have no height before', () => {
  const { steps, extremes } = drawn([RISING], SLOTS, [0, 20]);
  expect(steps.map(([what]) => what)).toEqual(['move', 'line', 'line', 'cyan']);
  expect(extremes).toEqual([1.9, 2.1]);
  expect(drawn([{ ...RISING, first: COUNT }], SLOTS, [0, 20]).extremes).toEqual([]);
});

test('the lines of averages break at data gaps, and continue across minutes without trades', () => {
  const bar = [20, QUIET, 21, GAP, 22, 23];
  const { steps } = drawn([RISING], { axis: SLOTS.axis.slice(0, 6), bar }, [0, 5]);
  expect(steps.slice(0, -1)).toEqual([
    ['move', 0, 9800],
    ['line', 20, 9790],
    ['move', 40, 9780],
    ['line', 50, 9770],
  ]);
});

test('the lines of averages differ by colour, strength and dashes', () => {
  const averages = (['sma50', 'sma200', 'ema20'] as const).map((id) => ({ ...RISING, id }));
  const { steps } = drawn(averages, SLOTS, [500, 501]);
  expect(steps.filter(([what]) => what !== 'move' && what !== 'line')).toEqual([
    ['violet', 1.6, []],
    ['pink', 2.4, []],
    ['cyan', 1, [5, 3]],
  ]);
});
