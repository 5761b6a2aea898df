import type { Family, ParamValues } from '../rules/types.ts';
import type { TimeframeBar, Calc, Formula } from '../types.ts';
import type { Needs, Cells } from './cells.ts';
import {
  type PreviousFigures,
  single,
  PreviousBar,
  Counter,
  Previous,
  several,
  trueRange,
  typicalPrice,
} from './make.ts';
import {
  awesome,
  bullBearPower,
  cci,
  chaikinMoneyFlow,
  macd,
  momentum,
  moneyFlow,
  rateOfChange,
  rsi,
  stochastic,
  stochasticRsi,
  ultimate,
  williams,
} from './oscillators.ts';
import { aroon, atr, dayRange, directional, donchian, ichimoku, parabolicSar } from './trend.ts';
import { lookUp } from '#lib/json.ts';
import { BarWindow, Window } from './window.ts';
import { Exponential, Wilder } from './smoothing.ts';

/** Exponential moving average of the close, begun with the first close; null before the `length`th bar. */
export function ema(cells: Cells, length: number): Calc {
  const average = new Exponential(cells, length);
  const count = new Counter(cells);
  return single(cells, ({ close }, replace) => {
    const value = average.update(close, replace);
    return count.update(replace) >= length ? value : null;
  });
}

/** Mean of a figure of `length` bars, the running one included. */
function mean(cells: Cells, figure: 'close' | 'volume', length: number): Calc {
  const figures = new BarWindow(cells, figure, length);
  return single(cells, (bar, replace) => {
    figures.take(bar, replace);
    return figures.isFull() ? figures.sum() / length : null;
  });
}

export const sma = (cells: Cells, length: number): Calc => mean(cells, 'close', length);

/** Hull moving average of the close: WMA(√n) of 2·WMA(n/2) − WMA(n), lengths rounded down. */
export function hull(cells: Cells, length: number): Calc {
  const half = Math.floor(length / 2);
  const root = Math.floor(Math.sqrt(length));
  const closes = new BarWindow(cells, 'close', length);
  const lines = new Window(cells, root);
  return single(cells, (bar, replace) => {
    closes.take(bar, replace);
    if (!closes.isFull()) return null;
    lines.push(2 * closes.weightedMean(half) - closes.weightedMean(length), replace);
    return lines.isFull() ? lines.weightedMean(root) : null;
  });
}

/** Mean of the last `length` closes, weighted by volume. */
export function volumeWeighted(cells: Cells, length: number): Calc {
  const flows = new Window(cells, length);
  const volumes = new BarWindow(cells, 'volume', length);
  return single(cells, (bar, replace) => {
    flows.push(bar.close * bar.volume, replace);
    volumes.take(bar, replace);
    return flows.isFull() ? flows.sum() / volumes.sum() : null;
  });
}

/** Upper, basis, lower: SMA of the close ± 2 population standard deviations. */
function bollinger(cells: Cells, length: number): Calc {
  const closes = new BarWindow(cells, 'close', length);
  return several(cells, 3, (bar, replace, put) => {
    closes.take(bar, replace);
    if (!closes.isFull()) return;
    const mean = closes.sum() / length;
    const deviation = Math.sqrt(closes.squares(mean) / length);
    put(0, mean + 2 * deviation);
    put(1, mean);
    put(2, mean - 2 * deviation);
  });
}

/** Upper, basis, lower: EMA(20) of the close ± 2 ATR(10). */
export function keltner(cells: Cells): Calc {
  const average = new Exponential(cells, 20);
  const count = new Counter(cells);
  const ranges = new Wilder(cells, 10);
  const closes = new Previous(cells);
  return several(cells, 3, (bar, replace, put) => {
    const basis = average.update(bar.close, replace);
    const range = ranges.update(trueRange(bar, closes.update(bar.close, replace)), replace);
    if (count.update(replace) < 20 || range === null) return;
    put(0, basis + 2 * range);
    put(1, basis);
    put(2, basis - 2 * range);
  });
}

/**
 * Typical price weighted by volume since the session's first bar. A bar of a day or longer is its own
 * session, so it is (high + low + close) / 3. Unknown before the first trade.
 */
function sessionVwap(cells: Cells): Calc {
  // The session's day and sums, including the running bar; then those of the last finished bar.
  const running = cells.take(3);
  const finished = cells.take(3);
  return single(cells, (bar, replace) => {
    const { day, volume } = bar;
    if (!replace) {
      for (let index = 0; index < 3; index += 1) cells.set(finished + index, cells.get(running + index));
    }
    const goesOn = cells.get(finished) === day;
    const money = (goesOn ? cells.get(finished + 1) : 0) + typicalPrice(bar) * volume;
    const shares = (goesOn ? cells.get(finished + 2) : 0) + volume;
    cells.set(running, day);
    cells.set(running + 1, money);
    cells.set(running + 2, shares);
    return money / shares;
  });
}

const ofBar = (cells: Cells, read: (bar: TimeframeBar) => number): Calc => single(cells, (bar) => read(bar));

function ofPair(cells: Cells, read: (bar: TimeframeBar, previous: PreviousFigures) => number): Calc {
  const previousBar = new PreviousBar(cells);
  return single(cells, (bar, replace) => {
    const previous = previousBar.update(bar, replace);
    return previous ? read(bar, previous) : null;
  });
}

/** The bar's volume over the mean of the ten before it. */
function relativeVolume(cells: Cells): Calc {
  const volumes = new BarWindow(cells, 'volume', 11);
  return single(cells, (bar, replace) => {
    const { volume } = bar;
    volumes.take(bar, replace);
    return volumes.isFull() ? volume / ((volumes.sum() - volume) / 10) : null;
  });
}

type Lengths = readonly number[];
/** Rules with the same id and lengths share one computation. */
type Rule = {
  id: string;
  output?: number;
  make: (cells: Cells, lengths: Lengths) => Calc;
  usesVolume?: true;
  needs?: Needs;
  lengths?: number;
};

const at = (lengths: Lengths, index: number): number => lengths[index] ?? 1;
const byLength = (id: string, make: (cells: Cells, length: number) => Calc, output = 0): Rule => ({
  id,
  output,
  lengths: 1,
  make: (cells, lengths) => make(cells, at(lengths, 0)),
});
const plain = (id: string, make: (cells: Cells) => Calc, output = 0): Rule => ({ id, output, make });
const volume = (rule: Rule): Rule => ({ ...rule, usesVolume: true });
/** A rule that reads only closes, or accepts unknown figures. */
const closes = (rule: Rule): Rule => ({ ...rule, needs: 'none' });
const volumes = (rule: Rule): Rule => volume({ ...rule, needs: 'volume' });
const stoch = (output: number): Rule => ({
  id: 'stochastic',
  output,
  lengths: 3,
  make: (cells, lengths) => stochastic(cells, at(lengths, 0), at(lengths, 1), at(lengths, 2)),
});
const cloud = (output: number): Rule => ({
  id: 'ichimoku',
  output,
  lengths: 4,
  make: (cells, lengths) => ichimoku(cells, at(lengths, 0), at(lengths, 1), at(lengths, 2)),
});
const bar = (id: string, read: (bar: TimeframeBar) => number): Rule =>
  closes(plain(id, (cells) => ofBar(cells, read)));
const pair = (id: string, read: (bar: TimeframeBar, previous: PreviousFigures) => number): Rule =>
  closes(plain(id, (cells) => ofPair(cells, read)));
const percent = (now: number, before: number): number => (now / before - 1) * 100;

/** The rules by slug. Families without a rule can't be computed from bars. */
const RULES: Readonly<Record<string, Rule>> = {
  ema: closes(byLength('ema', ema)),
  sma: closes(byLength('sma', sma)),
  'hull-ma': closes(byLength('hull', hull)),
  vwma: volumes(plain('vwma', (cells) => volumeWeighted(cells, 20))),
  // After a bar with unknown figures, the rest of its session is unknown.
  vwap: volume(closes(plain('vwap', sessionVwap))),
  rsi: closes(byLength('rsi', rsi)),
  cci: byLength('cci', cci),
  adx: byLength('directional', directional, 0),
  'adx-plus-di': byLength('directional', directional, 1),
  'adx-minus-di': byLength('directional', directional, 2),
  mom: closes(byLength('momentum', momentum)),
  roc: closes(plain('roc', rateOfChange)),
  ao: plain('ao', awesome),
  uo: plain('uo', ultimate),
  'w-r': plain('williams', williams),
  'stoch-k': stoch(0),
  'stoch-d': stoch(1),
  'stoch-rsi-k': closes(plain('stochastic-rsi', stochasticRsi, 0)),
  'stoch-rsi-d': closes(plain('stochastic-rsi', stochasticRsi, 1)),
  'macd-macd': closes(plain('macd', macd, 0)),
  'macd-signal': closes(plain('macd', macd, 1)),
  'macd-hist': closes(plain('macd', macd, 2)),
  'bb-upper': closes(byLength('bollinger', bollinger, 0)),
  'bb-basis': closes(byLength('bollinger', bollinger, 1)),
  'bb-lower': closes(byLength('bollinger', bollinger, 2)),
  bbpower: plain('power', bullBearPower),
  'donch-ch-upper': byLength('donchian', donchian, 0),
  'donch-ch-lower': byLength('donchian', donchian, 1),
  'donch-ch-middle': byLength('donchian', donchian, 2),
  'klt-chnl-upper': plain('keltner', keltner, 0),
  'klt-chnl-basis': plain('keltner', keltner, 1),
  'klt-chnl-lower': plain('keltner', keltner, 2),
  'ichimoku-bline': cloud(0),
  'ichimoku-cline': cloud(1),
  'ichimoku-lead1': cloud(2),
  'ichimoku-lead2': cloud(3),
  'p-sar': plain('sar', parabolicSar),
  'aroon-up': plain('aroon', aroon, 0),
  'aroon-down': plain('aroon', aroon, 1),
  atr: plain('atr', atr, 0),
  atrp: plain('atr', atr, 1),
  adr: plain('day-range', dayRange, 0),
  adrp: plain('day-range', dayRange, 1),
  'chaikin-money-flow': volume(plain('cmf', chaikinMoneyFlow)),
  'money-flow': volume(plain('mfi', moneyFlow)),
  open: bar('open', (one) => one.open),
  high: bar('high', (one) => one.high),
  low: bar('low', (one) => one.low),
  close: bar('close', (one) => one.close),
  volume: volume(bar('volume', (one) => one.volume)),
  'change-abs': pair('change-abs', (one, previous) => one.close - previous.close),
  change: pair('change', (one, previous) => percent(one.close, previous.close)),
  'change-from-open': bar('change-from-open', (one) => percent(one.close, one.open)),
  'change-from-open-abs': bar('change-from-open-abs', (one) => one.close - one.open),
  gap: pair('gap', (one, previous) => percent(one.open, previous.close)),
  'volume-change': volume(pair('volume-change', (one, previous) => percent(one.volume, previous.volume))),
  'volume-change-abs': volume(pair('volume-change-abs', (one, previous) => one.volume - previous.volume)),
  'average-volume-10d-calc': volumes(plain('average-volume-10', (cells) => mean(cells, 'volume', 10))),
  'average-volume-30d-calc': volumes(plain('average-volume-30', (cells) => mean(cells, 'volume', 30))),
  'average-volume-60d-calc': volumes(plain('average-volume-60', (cells) => mean(cells, 'volume', 60))),
  'average-volume-90d-calc': volumes(plain('average-volume-90', (cells) => mean(cells, 'volume', 90))),
  'relative-volume-10d-calc': volumes(plain('relative-volume', relativeVolume)),
};

function lengthsOf(family: Family, params: ParamValues): Lengths | null {
  const [param] = family.params;
  if (!param) return [];
  const value = params[param.name] ?? param.default;
  const lengths = String(value ?? '')
    .split('_')
    .map(Number);
  return lengths.every((length) => Number.isInteger(length) && length > 0 && length <= 1000) ? lengths : null;
}

export function formulaOf(family: Family, params: ParamValues): Formula | null {
  const rule = lookUp(RULES, family.familySlug);
  const lengths = lengthsOf(family, params);
  if (!rule || !lengths || lengths.length !== (rule.lengths ?? 0)) return null;
  return {
    id: [rule.id, ...lengths].join(':'),
    output: rule.output ?? 0,
    make: (cells) => rule.make(cells, lengths),
    usesVolume: rule.usesVolume ?? false,
    needs: rule.needs ?? 'range',
  };
}

export const isComputable = (family: Family): boolean => formulaOf(family, {}) !== null;

/** Whether the server computes an indicator with these parameters. @param families by slug */
export const canCompute =
  (families: Readonly<Record<string, Family>>) =>
  ({ family: slug, params }: { family: string; params: ParamValues }): boolean => {
    const family = families[slug];
    return family !== undefined && formulaOf(family, params) !== null;
  };
