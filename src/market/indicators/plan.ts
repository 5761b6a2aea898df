import type { HtfField } from '../../domain/indicators/htfCandle.ts';
import { HTF_FIELDS } from '../../domain/indicators/htfCandle.ts';
import { valueKeyOf } from '../../domain/indicators/indicatorKey.ts';
import type { Family } from '../../domain/indicators/types.ts';
import { type FrameKey, minutesOf } from '../bars/buckets.ts';
import type { DemandItem } from './demand.ts';
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
  /** Not in demand any more: stocks whose frames were not rebuilt yet must not tell it again. */
  isGone: boolean;
};

export type PlannedCalc = Pick<Formula, 'id' | 'make' | 'usesVolume'>;

/** What is computed on the bars of one frame. */
export type PlannedFrame = {
  key: FrameKey;
  calcs: readonly PlannedCalc[];
  outputs: readonly Output[];
  /** The longest delay of its outputs. */
  delays: number;
};

export type IndicatorPlan = { frames: readonly PlannedFrame[]; usesMinutes: boolean };

export const EMPTY_PLAN: IndicatorPlan = { frames: [], usesMinutes: false };

/** Open, high, low and close of the bar itself. */
const candle = (): Calc =>
  several(4, (bar, _replace, out) => {
    out[0] = bar.open;
    out[1] = bar.high;
    out[2] = bar.low;
    out[3] = bar.close;
  });

const candleFormula = (field: HtfField): Formula => ({
  id: 'candle',
  output: HTF_FIELDS.indexOf(field),
  make: candle,
  usesVolume: false,
});

type Draft = { calcs: PlannedCalc[]; outputs: Output[] };

function addOutput(draft: Draft, formula: Formula, delay: number, place: Place): void {
  let calc = draft.calcs.findIndex(({ id }) => id === formula.id);
  if (calc < 0) calc = draft.calcs.push(formula) - 1;
  draft.outputs.push({ calc, output: formula.output, delay, place, isGone: false });
}

/**
 * What has to be computed for the values in use. Values that share a computation (MACD and its signal, the three
 * Bollinger lines) share it; values that can't be computed from bars are left out.
 * @param families the catalog's, by slug
 */
export function makePlan(
  items: readonly DemandItem[],
  families: Readonly<Record<string, Family>>,
): IndicatorPlan {
  const drafts = new Map<FrameKey, Draft>();
  const draftOf = (key: FrameKey): Draft => {
    const known = drafts.get(key) ?? { calcs: [], outputs: [] };
    drafts.set(key, known);
    return known;
  };
  for (const item of items) {
    if (item.kind === 'htf') {
      const { period, field } = item.choice;
      addOutput(draftOf(`htf:${period}`), candleFormula(field), 0, { kind: 'htf', period, field });
      continue;
    }
    const { family, params, tf, delay } = item.choice;
    const known = families[family];
    const formula = known ? formulaOf(known, params) : null;
    if (!formula) continue;
    const place: Place = { kind: 'indicator', tf, key: item.key, valueKey: valueKeyOf(delay) };
    addOutput(draftOf(tf), formula, delay, place);
  }
  const frames = [...drafts].map(([key, draft]) => ({
    key,
    ...draft,
    delays: Math.max(0, ...draft.outputs.map((output) => output.delay)),
  }));
  return { frames, usesMinutes: frames.some(({ key }) => minutesOf(key) !== null) };
}

const signature = ({ key, calcs, outputs }: PlannedFrame): string =>
  JSON.stringify([key, calcs.map((calc) => calc.id), outputs.map(({ place }) => place)]);

/**
 * The next plan with the frames of the last one wherever they are the same, and with them what every stock computed.
 * Outputs that the next plan has not are marked as gone.
 */
export function continuePlan(before: IndicatorPlan, next: IndicatorPlan): IndicatorPlan {
  const known = new Map(before.frames.map((frame) => [signature(frame), frame]));
  const frames = next.frames.map((frame) => known.get(signature(frame)) ?? frame);
  const places = new Set(frames.flatMap(({ outputs }) => outputs.map(({ place }) => JSON.stringify(place))));
  for (const { outputs } of before.frames) {
    for (const output of outputs) output.isGone = !places.has(JSON.stringify(output.place));
  }
  return { ...next, frames };
}
