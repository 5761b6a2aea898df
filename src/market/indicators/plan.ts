import {
  createFrame,
  feedPast,
  type Frame,
  type Output,
  type Place,
  type PlannedFrame,
  setRunning,
} from './frame.ts';
import type { NewQuote } from '../bars/currentDay.ts';
import type { Series, StockBars } from '../bars/series.ts';
import { dayBucket, type FrameKey, minuteBucket, minutesOf } from '../bars/rules/buckets.ts';
import type { BeganUnseen } from '../bars/store.ts';
import { baseOf, type Bucketed, coversBucket, createBarWalk, merge } from '../bars/walk.ts';
import { dayOfKey } from '../rules/localTime.ts';
import { Cells } from './formulas/cells.ts';
import { formulaOf } from './formulas/index.ts';
import { several } from './formulas/make.ts';
import { yearRange } from './formulas/trend.ts';
import { type DemandItem, HTF_FIELDS, type HtfField, valueKeyOf, YEAR } from './rules/indicatorKey.ts';
import type { Family } from './rules/types.ts';
import type { Calc, Formula } from './types.ts';

/** Updates per step: about 1 ms. */
const MAX_UPDATES_A_STEP = 2000;

export type FrameBuilder = {
  steps(): Generator<undefined, void>;
  finish(): Frame;
};

/**
 * Builds a frame over a stock's past. Quotes may arrive between the steps.
 * @param earlier rows before the stored ones
 * @param isWhole whether the history is deep
 * @param beganUnseen whether a minute bar's beginning was not seen
 */
export function createFrameBuilder(
  plan: PlannedFrame,
  stockBars: StockBars,
  earlier: Series | null,
  isWhole: boolean,
  beganUnseen: BeganUnseen = () => false,
): FrameBuilder {
  const isDaily = minutesOf(plan.key) === null;
  const frame = createFrame(plan, isWhole);
  const isSeen = ({ bucket, first }: Bucketed): boolean => {
    if (!isDaily) return !beganUnseen(bucket, first);
    return isWhole || frame.bar !== null || coversBucket(stockBars, bucket);
  };
  const feed = (bucketed: Bucketed): void => feedPast(frame, bucketed, isSeen(bucketed));
  const walk = createBarWalk(stockBars, plan.key, earlier, feed);
  return {
    steps: () => walk.steps(Math.max(1, Math.floor(MAX_UPDATES_A_STEP / plan.calcs.length))),
    finish() {
      const last = walk.finish();
      if (!last) return frame;
      feed(last);
      if (isDaily) frame.base = baseOf(stockBars, plan.key, last.bucket);
      return frame;
    },
  };
}

function followMinutes(frame: Frame, minutes: number, { trade }: NewQuote, beganUnseen: BeganUnseen): void {
  if (!trade) return;
  const { key, price, high, low, volume } = trade;
  const bucket = minuteBucket(minutes, key);
  const figures = { open: price, high, low, close: price, volume };
  const { bar } = frame;
  const isRunning = bar !== null && bucket === frame.bucket;
  const next = isRunning ? merge(bar, figures) : { day: dayOfKey(key), ...figures };
  setRunning(frame, bucket, next, isRunning || !beganUnseen(bucket, key));
}

export function follow(
  frame: Frame,
  stockBars: StockBars,
  quote: NewQuote,
  beganUnseen: BeganUnseen = () => false,
): void {
  const { key } = frame.plan;
  const minutes = minutesOf(key);
  if (minutes !== null) {
    followMinutes(frame, minutes, quote, beganUnseen);
    return;
  }
  const { today } = stockBars;
  if (!today) return;
  const bucket = dayBucket(key, today.day);
  if (bucket !== frame.bucket) frame.base = null;
  const isSeen = frame.bar !== null || frame.isWhole || coversBucket(stockBars, bucket);
  const { open, high, low, close, volume } = today;
  const figures = { open, high, low, close, volume };
  const next = frame.base ? merge(frame.base, figures) : { day: bucket, ...figures };
  setRunning(frame, bucket, next, isSeen);
}

type PlannedCalc = Pick<Formula, 'id' | 'make' | 'usesVolume' | 'needs'>;

function planFrame(key: FrameKey, calcs: readonly PlannedCalc[], outputs: readonly Output[]): PlannedFrame {
  const cells = new Cells();
  const delays = Math.max(0, ...outputs.map((output) => output.delay));
  return {
    key,
    calcs: calcs.map(({ id, usesVolume, needs, make }) => {
      cells.needs = needs;
      return { id, usesVolume, needs, ...make(cells) };
    }),
    outputs,
    delays,
    cells,
    written: cells.take(outputs.length, Number.NaN),
    past: cells.take(outputs.length * delays, Number.NaN),
  };
}

export type IndicatorPlan = {
  frames: readonly PlannedFrame[];
  usesMinutes: boolean;
  places: ReadonlySet<string>;
};

export const EMPTY_PLAN: IndicatorPlan = { frames: [], usesMinutes: false, places: new Set() };

const candle = (cells: Cells): Calc =>
  several(cells, 4, (bar, _replace, put) => {
    put(0, bar.open);
    put(1, bar.high);
    put(2, bar.low);
    put(3, bar.close);
  });

const candleFormula = (field: HtfField): Formula => ({
  id: 'candle',
  output: HTF_FIELDS.indexOf(field),
  make: candle,
  usesVolume: false,
  needs: 'none',
});

const yearFormula = (output: number): Formula => ({
  id: 'year',
  output,
  make: yearRange,
  usesVolume: false,
  needs: 'none',
});

const outputsOf = ({ frames }: Pick<IndicatorPlan, 'frames'>): Output[] =>
  frames.flatMap(({ outputs }) => outputs);

type FrameParts = { calcs: PlannedCalc[]; outputs: Output[] };

function addOutput({ calcs, outputs }: FrameParts, formula: Formula, delay: number, place: Place): void {
  let calc = calcs.findIndex(({ id }) => id === formula.id);
  if (calc < 0) calc = calcs.push(formula) - 1;
  outputs.push({ calc, output: formula.output, delay, place, placeId: JSON.stringify(place) });
}

/**
 * The computations for the values in use. Values of one computation (MACD and its signal) share it; others
 * that need no bars are skipped.
 * @param families by slug
 */
export function makePlan(
  items: readonly DemandItem[],
  families: Readonly<Record<string, Family>>,
): IndicatorPlan {
  const byFrame = new Map<FrameKey, FrameParts>();
  const partsOf = (key: FrameKey): FrameParts => {
    const parts = byFrame.get(key) ?? { calcs: [], outputs: [] };
    byFrame.set(key, parts);
    return parts;
  };
  for (const item of items) {
    if (item.kind === 'htf') {
      const { period, field } = item.choice;
      if (period === YEAR) {
        const [own, withLast] = field === 'high' ? [0, 2] : [1, 3];
        addOutput(partsOf('D'), yearFormula(own), 0, { kind: 'htf', period, field });
        addOutput(partsOf('D'), yearFormula(withLast), 0, { kind: 'htf', period, field: `${field}WithLast` });
        continue;
      }
      addOutput(partsOf(`htf:${period}`), candleFormula(field), 0, { kind: 'htf', period, field });
      continue;
    }
    const { family: slug, params, tf, delay } = item.choice;
    const family = families[slug];
    const formula = family ? formulaOf(family, params) : null;
    if (!formula) continue;
    const place: Place = { kind: 'indicator', tf, key: item.key, valueKey: valueKeyOf(delay) };
    addOutput(partsOf(tf), formula, delay, place);
  }
  const frames = [...byFrame].map(([key, { calcs, outputs }]) => planFrame(key, calcs, outputs));
  return {
    frames,
    usesMinutes: frames.some(({ key }) => minutesOf(key) !== null),
    places: new Set(outputsOf({ frames }).map(({ placeId }) => placeId)),
  };
}

const signature = ({ key, calcs, outputs }: PlannedFrame): string =>
  JSON.stringify([key, calcs.map((calc) => calc.id), outputs.map(({ placeId }) => placeId)]);

/** Reuses identical frames of the last plan, so stocks keep their results. */
export function continuePlan(before: IndicatorPlan, next: IndicatorPlan): IndicatorPlan {
  const existing = new Map(before.frames.map((frame) => [signature(frame), frame]));
  return { ...next, frames: next.frames.map((frame) => existing.get(signature(frame)) ?? frame) };
}

export const removedOutputs = (before: IndicatorPlan, after: IndicatorPlan): Output[] =>
  outputsOf(before).filter(({ placeId }) => !after.places.has(placeId));
