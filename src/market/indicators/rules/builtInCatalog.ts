import { type MetaField, parseMetainfo } from './metainfo.ts';
import { BROKER_FIELDS } from './brokerFields.ts';
import { platformTimeframe, TIMEFRAMES } from './timeframe.ts';
import type { DatedCatalog } from './types.ts';

/**
 * A family of columns as the charting platform listed it in July 2026: `*` in the name stands for the parameter value;
 * the value '' gives the bare name.
 */
type Spec = { name: string; values?: readonly string[]; delays?: readonly number[]; type?: string };

/** 1 July 2026. */
const RECORDED_AT = Date.UTC(2026, 6, 1);

const spec = (name: string, values?: string, delays: readonly number[] = []): Spec => ({
  name,
  // A slash among the values is the bare name.
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

/** The columns of the built-in catalog, in the form of the platform's metainfo. */
export const builtInFields = (): MetaField[] =>
  [...PARAMETRIC, ...PLAIN, ...PIVOTS, ...CANDLES].flatMap(formsOf);

/** The catalog that holds until an administrator fetches a newer one from the platform. */
export function builtInCatalog(): DatedCatalog {
  const parsed = parseMetainfo(builtInFields());
  return {
    indicators: parsed.ok ? parsed.value : {},
    fields: BROKER_FIELDS,
    fetchedAt: RECORDED_AT,
  };
}
