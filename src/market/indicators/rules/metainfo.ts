import { isRecord, lookUp } from '#lib/json.ts';
import { failed, ok, type Result } from '#lib/result.ts';
import { capitalised } from '#lib/wording.ts';
import {
  BROKER_FIELDS,
  type DatedCatalog,
  DEFAULT_TIMEFRAME,
  type Family,
  type Param,
  platformTimeframe,
  type Timeframe,
  timeframeOf,
  TIMEFRAMES,
} from './types.ts';

type FamilyInfo = {
  label: string;
  fullName: string;
  /** The parameter value of the bare name: the column RSI has 14. */
  bareValue?: string;
  firstValue?: string;
};

const info = (
  label: string,
  fullName: string,
  more: Pick<FamilyInfo, 'bareValue' | 'firstValue'> = {},
): FamilyInfo => ({
  label,
  fullName,
  ...more,
});
const band = (label: string, name: string): FamilyInfo =>
  info(label, `Bollinger Bands ${name}`, { bareValue: '20' });
const ichimoku = (label: string, name: string): FamilyInfo =>
  info(`Ichimoku ${label}`, `Ichimoku Cloud ${name}`, { bareValue: '9_26_52_26' });
const donchian = (name: string): FamilyInfo =>
  info(`Donchian ${name}`, `Donchian Channels ${name}`, { firstValue: '20' });
const keltner = (name: string): FamilyInfo => info(`Keltner ${name}`, `Keltner Channels ${name}`);
const rating = (name: string): FamilyInfo => info(`Rating ${name}`, `Technical rating: ${name}`);

/** Labels by the platform's name. Other families get a label made of that name. */
const FAMILY_INFO: Readonly<Record<string, FamilyInfo>> = {
  EMA: info('EMA', 'Exponential Moving Average', { firstValue: '20' }),
  SMA: info('SMA', 'Simple Moving Average', { firstValue: '20' }),
  HullMA: info('Hull MA', 'Hull Moving Average', { firstValue: '9' }),
  VWMA: info('VWMA', 'Volume Weighted Moving Average'),
  VWAP: info('VWAP', 'Volume Weighted Average Price'),
  RSI: info('RSI', 'Relative Strength Index', { bareValue: '14' }),
  CCI: info('CCI', 'Commodity Channel Index', { firstValue: '20' }),
  ADX: info('ADX', 'Average Directional Index', { bareValue: '14' }),
  'ADX+DI': info('+DI', 'Positive Directional Indicator', { bareValue: '14' }),
  'ADX-DI': info('-DI', 'Negative Directional Indicator', { bareValue: '14' }),
  Mom: info('Momentum', 'Momentum', { bareValue: '10' }),
  ROC: info('ROC', 'Rate of Change'),
  AO: info('AO', 'Awesome Oscillator'),
  UO: info('UO', 'Ultimate Oscillator'),
  'W.R': info('Williams %R', 'Williams Percent Range'),
  'Stoch.K': info('Stoch %K', 'Stochastic %K', { bareValue: '14_3_3' }),
  'Stoch.D': info('Stoch %D', 'Stochastic %D', { bareValue: '14_3_3' }),
  'Stoch.RSI.K': info('Stoch RSI %K', 'Stochastic RSI fast line'),
  'Stoch.RSI.D': info('Stoch RSI %D', 'Stochastic RSI slow line'),
  'MACD.macd': info('MACD', 'Moving Average Convergence Divergence line'),
  'MACD.signal': info('MACD signal', 'Moving Average Convergence Divergence signal line'),
  'MACD.hist': info('MACD histogram', 'Moving Average Convergence Divergence histogram'),
  'BB.upper': band('BB upper', 'upper band'),
  'BB.lower': band('BB lower', 'lower band'),
  'BB.basis': band('BB basis', 'middle line'),
  BBPower: info('Bull Bear Power', 'Bull Bear Power'),
  'DonchCh.Upper': donchian('upper'),
  'DonchCh.Lower': donchian('lower'),
  'DonchCh.Middle': donchian('middle'),
  'KltChnl.upper': keltner('upper'),
  'KltChnl.lower': keltner('lower'),
  'KltChnl.basis': keltner('basis'),
  'Ichimoku.BLine': ichimoku('base', 'base line'),
  'Ichimoku.CLine': ichimoku('conversion', 'conversion line'),
  'Ichimoku.Lead1': ichimoku('span A', 'leading span A'),
  'Ichimoku.Lead2': ichimoku('span B', 'leading span B'),
  'P.SAR': info('Parabolic SAR', 'Parabolic Stop and Reverse'),
  'Aroon.Up': info('Aroon up', 'Aroon up'),
  'Aroon.Down': info('Aroon down', 'Aroon down'),
  ATR: info('ATR', 'Average True Range'),
  ATRP: info('ATR %', 'Average True Range in percent'),
  ADR: info('ADR', 'Average Day Range'),
  ADRP: info('ADR %', 'Average Day Range in percent'),
  ChaikinMoneyFlow: info('Chaikin MF', 'Chaikin Money Flow'),
  MoneyFlow: info('Money Flow', 'Money Flow Index'),
  'Recommend.All': rating('overall'),
  'Recommend.MA': rating('moving averages'),
  'Recommend.Other': rating('oscillators'),
  open: info('Open', 'Open of the bar'),
  high: info('High', 'High of the bar'),
  low: info('Low', 'Low of the bar'),
  close: info('Close', 'Close of the bar'),
  volume: info('Volume', 'Volume of the bar'),
  change: info('Change %', 'Change of the bar in percent'),
  change_abs: info('Change', 'Change of the bar'),
  change_from_open: info('From open %', 'Change from the open in percent'),
  change_from_open_abs: info('From open', 'Change from the open'),
  gap: info('Gap %', 'Gap in percent'),
  gap_up: info('Gap up %', 'Gap up in percent'),
  gap_down: info('Gap down %', 'Gap down in percent'),
  gap_up_abs: info('Gap up', 'Gap up'),
  gap_down_abs: info('Gap down', 'Gap down'),
  volume_change: info('Volume change %', 'Volume change in percent'),
  volume_change_abs: info('Volume change', 'Volume change'),
  relative_volume_10d_calc: info('Relative volume', 'Volume relative to the average of 10 bars'),
  average_volume_10d_calc: info('Average volume 10', 'Average volume of 10 bars'),
  average_volume_30d_calc: info('Average volume 30', 'Average volume of 30 bars'),
  average_volume_60d_calc: info('Average volume 60', 'Average volume of 60 bars'),
  average_volume_90d_calc: info('Average volume 90', 'Average volume of 90 bars'),
};

const spaced = (text: string): string =>
  text
    .replace(/([a-z\d])([A-Z])/g, '$1 $2')
    .replace(/([A-Z])([A-Z][a-z])/g, '$1 $2')
    .replace(/(\d)([A-Z])/g, '$1 $2')
    .replace(/[._]{1,80}/g, ' ')
    .trim();

function labelFrom(family: string): string {
  const words = spaced(family.replace(/^Pivot\.M\./, 'Pivot.').replace(/^Rec\./, 'Rating '));
  return capitalised(words);
}

function familyInfoOf(family: string): FamilyInfo {
  const own = lookUp(FAMILY_INFO, family);
  if (own) return own;
  const name = labelFrom(family);
  return info(name, name);
}

type PlatformName = {
  family: string;
  prefix: string;
  separator: '' | '_';
  suffix: string;
  value: string | null;
};

/** Numbers at the end after an underscore: ADX_9, Stoch.K_14_1_3, BB.lower_50. */
const UNDERSCORED = /^(?<prefix>.{1,80}?)_(?<value>\d{1,9}(?:_\d{1,9}){0,9})$/;
/** A number after letters, at the end or before a last part: EMA20, CCI20, DonchCh20.Upper. */
const ATTACHED = /^(?<prefix>[A-Za-z]{1,80})(?<value>\d{1,9})(?<suffix>\.[A-Za-z]{1,80})?$/;

/** Splits a platform name without timeframe and delay. Without a parameter the whole name is the family. */
function splitPlatformName(name: string): PlatformName {
  const underscored = UNDERSCORED.exec(name)?.groups;
  if (underscored) {
    const { prefix = '', value = '' } = underscored;
    return { family: prefix, prefix, separator: '_', suffix: '', value };
  }
  const attached = ATTACHED.exec(name)?.groups;
  if (attached) {
    const { prefix = '', value = '', suffix = '' } = attached;
    return { family: `${prefix}${suffix}`, prefix, separator: '', suffix, value };
  }
  return { family: name, prefix: name, separator: '', suffix: '', value: null };
}

/** 'ADX+DI' → 'adx-plus-di', 'ADX-DI' → 'adx-minus-di', 'Stoch.K' → 'stoch-k'. */
export const slugOf = (family: string): string =>
  family
    .replaceAll('-', '.minus.')
    .replaceAll('+', '.plus.')
    .replace(/([a-z\d])([A-Z])/g, '$1-$2')
    .toLowerCase()
    .replace(/[^a-z\d]{1,80}/g, '-')
    .replace(/^-|-$/g, '');

/** A column of the platform's metainfo: its name (`n`) and its kind of value (`t`). */
export type MetaField = { n: string; t: string };

type Forms = { type: string; byDelay: Map<number, Set<Timeframe>> };

/** A shorter list is not the platform's column list. */
const MIN_FAMILIES = 10;

const FIELD = /^(?<base>[^|[\]]{1,80})(?:\[(?<delay>\d{1,2})\])?(?:\|(?<suffix>\w{1,4}))?$/;

const isField = (value: unknown): value is MetaField =>
  isRecord(value) &&
  typeof value['n'] === 'string' &&
  value['n'].length <= 80 &&
  typeof value['t'] === 'string';

function collectForms(fields: readonly MetaField[]): Map<string, Forms> {
  const columns = new Map<string, Forms>();
  for (const { n, t } of fields) {
    const parts = FIELD.exec(n)?.groups;
    const tf = timeframeOf(parts?.['suffix'] ?? '');
    const base = parts?.['base'];
    if (base === undefined || tf === null) continue;
    const forms = columns.get(base) ?? { type: t, byDelay: new Map() };
    const delay = Number(parts?.['delay'] ?? 0);
    const timeframes = forms.byDelay.get(delay) ?? new Set();
    forms.byDelay.set(delay, timeframes.add(tf));
    columns.set(base, forms);
  }
  return columns;
}

const isIndicator = ({ byDelay }: Forms): boolean => (byDelay.get(0)?.size ?? 0) > 1;

type Member = { name: PlatformName; forms: Forms };

const timeframesOf = (forms: Forms, delay: number): Set<Timeframe> => forms.byDelay.get(delay) ?? new Set();

/** The intersection, so that every choice is an existing column. */
const common = <T>(sets: readonly ReadonlySet<T>[]): Set<T> =>
  sets.reduce<Set<T>>((all, next) => new Set([...all].filter((one) => next.has(one))), new Set(sets[0]));

function delaysOf(members: readonly Member[], timeframes: readonly Timeframe[]): number[] {
  const whole = members.map(
    ({ forms }) =>
      new Set(
        [...forms.byDelay.keys()].filter((delay) =>
          timeframes.every((tf) => timeframesOf(forms, delay).has(tf)),
        ),
      ),
  );
  return [...common(whole)].filter((delay) => delay > 0).sort((a, b) => a - b);
}

function byNumbers(a: string, b: string): number {
  const [left, right] = [a.split('_').map(Number), b.split('_').map(Number)];
  const at = left.findIndex((part, index) => part !== right[index]);
  return at === -1 ? left.length - right.length : (left[at] ?? 0) - (right[at] ?? 0);
}

function orderValues(values: readonly string[], first: string | undefined): string[] {
  const rest = values.filter((value) => value !== first).sort(byNumbers);
  return first !== undefined && values.includes(first) ? [first, ...rest] : rest;
}

function paramOf(values: readonly string[]): Param {
  const several = values.some((value) => value.includes('_'));
  return {
    name: several ? 'lengths' : 'length',
    label: several ? 'Lengths' : 'Length',
    type: 'enum',
    values,
    default: values[0] ?? null,
    required: true,
    readOnly: values.length === 1,
    allowNone: false,
  };
}

function familyOf(family: string, members: readonly Member[]): Family {
  const { label, fullName, bareValue, firstValue } = familyInfoOf(family);
  const withValue = members.find(({ name }) => name.value !== null);
  const isBare = members.some(({ name }) => name.value === null);
  const ignoreParam = withValue && isBare ? (bareValue ?? 'default') : null;
  const values = members.flatMap(({ name }) => name.value ?? ignoreParam ?? []);
  const shared = common(members.map(({ forms }) => timeframesOf(forms, 0)));
  const timeframes = TIMEFRAMES.filter((tf) => shared.has(tf));
  const shape = (withValue ?? members[0])?.name;
  const slug = slugOf(family);
  return {
    family: slug,
    label,
    fullName,
    params: values.length === 0 ? [] : [paramOf(orderValues(values, ignoreParam ?? firstValue))],
    defaultTimeframes: timeframes.includes(DEFAULT_TIMEFRAME) ? [DEFAULT_TIMEFRAME] : timeframes.slice(0, 1),
    timeframes,
    tvPrefix: shape?.prefix ?? family,
    tvSuffix: shape?.suffix ?? '',
    separator: shape?.separator ?? '',
    ignoreParam,
    delaysAvailable: delaysOf(members, timeframes),
    familySlug: slug,
    type: members[0]?.forms.type ?? 'number',
    hasTimeframes: timeframes.length > 1,
  };
}

/**
 * Groups columns by family. An underscored number is a parameter only if the bare name exists (ADX_9 and
 * ADX); otherwise it is part of the name.
 */
function groupByFamily(columns: ReadonlyMap<string, Forms>): Map<string, Member[]> {
  const groups = new Map<string, Member[]>();
  for (const [base, forms] of columns) {
    if (!isIndicator(forms)) continue;
    const split = splitPlatformName(base);
    const isParam = split.separator === '' || columns.has(split.prefix);
    const name: PlatformName = isParam
      ? split
      : { family: base, prefix: base, separator: '', suffix: '', value: null };
    const group = groups.get(name.family) ?? [];
    group.push({ name, forms });
    groups.set(name.family, group);
  }
  return groups;
}

/**
 * Reads families from the platform's metainfo: the columns on several timeframes.
 * @param input the list of {n, t}, or the whole answer with that list as `fields`
 * @returns families by slug; or a clause that says why the input is invalid
 */
export function parseMetainfo(input: unknown): Result<Record<string, Family>, string> {
  const list = isRecord(input) && 'fields' in input ? input['fields'] : input;
  if (!Array.isArray(list)) return failed('is not a list of columns');
  const fields = list.filter(isField);
  if (fields.length < list.length / 2) return failed('has columns in an unknown format');
  const groups = groupByFamily(collectForms(fields));
  if (groups.size < MIN_FAMILIES) return failed(`has only ${groups.size} indicator families`);
  const families = [...groups].map(([family, members]) => familyOf(family, members));
  return ok(Object.fromEntries(families.map((one) => [one.familySlug, one])));
}

/** A column family as of July 2026: `*` in the name is the parameter value; '' is the bare name. */
type Spec = { name: string; values?: readonly string[]; delays?: readonly number[]; type?: string };

const RECORDED_AT = Date.UTC(2026, 6, 1);

const spec = (name: string, values?: string, delays: readonly number[] = []): Spec => ({
  name,
  ...(values === undefined ? {} : { values: values.split(' ').map((value) => (value === '/' ? '' : value)) }),
  delays,
});
const plain = (names: string, type = 'number'): Spec[] => names.split(' ').map((name) => ({ name, type }));

const AVERAGE_LENGTHS =
  '2 3 5 6 7 8 9 10 12 13 14 15 20 21 25 26 30 34 40 50 55 60 75 89 100 120 144 150 200 250 300';
const DIRECTIONAL_LENGTHS = '/ _9 _20 _50 _100';
const STOCHASTIC_LENGTHS = '/ _14_1_3 _5_3_3 _6_3_3 _8_3_3';

const PARAMETRIC: readonly Spec[] = [
  spec('EMA*', AVERAGE_LENGTHS),
  spec('SMA*', AVERAGE_LENGTHS),
  spec('HullMA*', '9 20 200'),
  spec('RSI*', '/ 2 3 4 5 7 9 10 20 21 30', [1]),
  spec('CCI*', '20', [1]),
  spec('ADX*', DIRECTIONAL_LENGTHS),
  spec('ADX+DI*', DIRECTIONAL_LENGTHS, [1]),
  spec('ADX-DI*', DIRECTIONAL_LENGTHS, [1]),
  spec('Mom*', '/ _14', [1]),
  spec('Stoch.K*', STOCHASTIC_LENGTHS, [1]),
  spec('Stoch.D*', STOCHASTIC_LENGTHS, [1]),
  ...['BB.upper', 'BB.lower', 'BB.basis'].map((name) => spec(`${name}*`, '/ _50')),
  ...['BLine', 'CLine', 'Lead1', 'Lead2'].map((line) => spec(`Ichimoku.${line}*`, '/ _20_60_120_30')),
  ...['Upper', 'Lower', 'Middle'].map((part) => spec(`DonchCh*.${part}`, '20')),
  spec('AO', undefined, [1, 2]),
];

const PLAIN: readonly Spec[] = [
  ...plain(
    'MACD.macd MACD.signal MACD.hist Stoch.RSI.K Stoch.RSI.D ATR ATRP ADR ADRP Aroon.Up Aroon.Down BBPower',
  ),
  ...plain('ChaikinMoneyFlow MoneyFlow KltChnl.upper KltChnl.lower KltChnl.basis P.SAR ROC UO VWAP VWMA W.R'),
  ...plain('Recommend.All Recommend.MA Recommend.Other'),
  ...plain('Rec.BBPower Rec.HullMA9 Rec.Ichimoku Rec.Stoch.RSI Rec.UO Rec.VWMA Rec.WR'),
  ...plain(
    'open high low close change_abs change_from_open_abs gap_up_abs gap_down_abs pre_change_abs',
    'price',
  ),
  ...plain('change change_from_open gap gap_up gap_down volume_change pre_change post_change', 'percent'),
  ...plain('volume volume_change_abs relative_volume_10d_calc bars_count indicators_bars_count'),
  ...plain('average_volume_10d_calc average_volume_30d_calc average_volume_60d_calc average_volume_90d_calc'),
  ...plain('last_bar_update_time'),
  ...plain('time', 'time'),
  ...plain('update_mode', 'text'),
];

const PIVOT_LEVELS = ['Middle', 'R1', 'R2', 'R3', 'S1', 'S2', 'S3'];
const PIVOTS: readonly Spec[] = ['Camarilla', 'Classic', 'Demark', 'Fibonacci', 'Woodie'].flatMap((kind) =>
  PIVOT_LEVELS.filter((level) => kind !== 'Demark' || !/[23]/.test(level)).map((level) => ({
    name: `Pivot.M.${kind}.${level}`,
  })),
);

const CANDLES: readonly Spec[] = [
  ...'3BlackCrows 3WhiteSoldiers Doji Doji.Dragonfly Doji.Gravestone EveningStar MorningStar Hammer'.split(
    ' ',
  ),
  ...'HangingMan InvertedHammer ShootingStar LongShadow.Lower LongShadow.Upper Marubozu.Black'.split(' '),
  ...'Marubozu.White SpinningTop.Black SpinningTop.White AbandonedBaby.Bearish AbandonedBaby.Bullish'.split(
    ' ',
  ),
  ...'DarkCloudCover.Bearish DojiStar.Bearish DojiStar.Bullish DownsideTasukiGap.Bearish'.split(' '),
  ...'UpsideTasukiGap.Bullish Engulfing.Bearish Engulfing.Bullish EveningDojiStar.Bearish'.split(' '),
  ...'MorningDojiStar.Bullish FallingThreeMethods.Bearish RisingThreeMethods.Bullish'.split(' '),
  ...'FallingWindow.Bearish RisingWindow.Bullish Harami.Bearish Harami.Bullish HaramiCross.Bearish'.split(
    ' ',
  ),
  ...'HaramiCross.Bullish Kicking.Bearish Kicking.Bullish OnNeck.Bearish Piercing.Bullish'.split(' '),
  ...'TriStar.Bearish TriStar.Bullish TweezerBottom.Bullish TweezerTop.Bearish'.split(' '),
].map((name) => ({ name: `Candle.${name}` }));

const formsOf = ({ name, values = [''], delays = [], type = 'number' }: Spec): MetaField[] =>
  values.flatMap((value) =>
    ['', ...delays.map((delay) => `[${delay}]`)].flatMap((back) =>
      TIMEFRAMES.flatMap((tf) => {
        const suffix = platformTimeframe(tf);
        if (suffix === null) return [];
        const base = `${name.replace('*', value)}${back}`;
        return [{ n: suffix === '' ? base : `${base}|${suffix}`, t: type }];
      }),
    ),
  );

export const builtInFields = (): MetaField[] =>
  [...PARAMETRIC, ...PLAIN, ...PIVOTS, ...CANDLES].flatMap(formsOf);

export function builtInCatalog(): DatedCatalog {
  const parsed = parseMetainfo(builtInFields());
  return {
    indicators: parsed.ok ? parsed.value : {},
    fields: BROKER_FIELDS,
    fetchedAt: RECORDED_AT,
  };
}
