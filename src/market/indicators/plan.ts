import { type HtfField, HTF_FIELDS } from './rules/htfCandle.ts';
import { valueKeyOf } from './rules/indicatorKey.ts';
import type { Family } from './rules/types.ts';
import { type FrameKey, minutesOf } from '../bars/rules/buckets.ts';
import type { DemandItem } from './rules/demandItem.ts';
import { Cells } from './formulas/cells.ts';
import { formulaOf } from './formulas/index.ts';
import { several } from './formulas/make.ts';
import type { Calc, Formula } from './types.ts';

/** Where a value goes: `indicators[tf][key][valueKey]` or `htf[period][field]`. */
export type Place =
  | { kind: 'indicator'; tf: string; key: string; valueKey: string }
  | { kind: 'htf'; period: string; field: string };

/** One value: which computation of its frame, which of its results, how many bars back. */
export type Output = {
  calc: number;
  output: number;
  delay: number;
  place: Place;
  /** The same text for the same place. */
  placeId: string;
};

/** A computation of a frame, before it is made. */
export type PlannedCalc = Pick<Formula, 'id' | 'make' | 'usesVolume' | 'needs'>;

/** What is computed on the bars of one timeframe or candle period. */
export type PlannedFrame = {
  key: FrameKey;
  calcs: readonly (Calc & Pick<Formula, 'id' | 'usesVolume' | 'needs'>)[];
  outputs: readonly Output[];
  /** The longest delay of its outputs. */
  delays: number;
  /** What a frame keeps of its stock in numbers: of the computations, and from these indices on of the outputs. */
  cells: Cells;
  /** The value of each output that was written last; NaN when none was. */
  written: number;
  /** Results of the last finished bars: all outputs of the newest, then of the one before. NaN when unknown. */
  past: number;
};

/** Makes the computations of a frame. @param outputs their `calc` is an index into `calcs` */
export function planFrame(
  key: FrameKey,
  calcs: readonly PlannedCalc[],
  outputs: readonly Output[],
): PlannedFrame {
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
  /** The ids of all its places: stocks that still have frames of an earlier plan write no others. */
  places: ReadonlySet<string>;
};

export const EMPTY_PLAN: IndicatorPlan = { frames: [], usesMinutes: false, places: new Set() };

/** Open, high, low and close of the bar itself. */
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

const outputsOf = ({ frames }: Pick<IndicatorPlan, 'frames'>): Output[] =>
  frames.flatMap(({ outputs }) => outputs);

type FrameParts = { calcs: PlannedCalc[]; outputs: Output[] };

function addOutput({ calcs, outputs }: FrameParts, formula: Formula, delay: number, place: Place): void {
  let calc = calcs.findIndex(({ id }) => id === formula.id);
  if (calc < 0) calc = calcs.push(formula) - 1;
  outputs.push({ calc, output: formula.output, delay, place, placeId: JSON.stringify(place) });
}

/**
 * What has to be computed for the values in use. Values of one computation (MACD and its signal, the three Bollinger
 * lines) share it; values that can't be computed from bars are left out.
 * @param families the catalog's, by slug
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

/**
 * The next plan, in which frames that are the same as in the last plan are the identical objects, so that what every
 * stock has computed for them stays.
 */
export function continuePlan(before: IndicatorPlan, next: IndicatorPlan): IndicatorPlan {
  const existing = new Map(before.frames.map((frame) => [signature(frame), frame]));
  return { ...next, frames: next.frames.map((frame) => existing.get(signature(frame)) ?? frame) };
}

/** The outputs of the plan before whose places the one after lacks. */
export const removedOutputs = (before: IndicatorPlan, after: IndicatorPlan): Output[] =>
  outputsOf(before).filter(({ placeId }) => !after.places.has(placeId));
