import { YEAR, type YearField } from '#market/indicators/rules/indicatorKey.ts';
import type { FieldRef } from '../operand.ts';
import { type Lexicon, lexiconOf, nameAt, words, type Token } from './lexicon.ts';
import type { Kind, Value } from './value.ts';

const FIELD_KINDS = {
  last: 'price',
  close: 'price',
  open: 'price',
  high: 'price',
  low: 'price',
  volume: 'shares',
  value: 'money',
  pips: 'pips',
  match_price: 'price',
  match_vol: 'shares',
  change_percent: 'percent',
  relativeVolume: 'ratio',
  gap_percent: 'percent',
  vwap: 'price',
  marketCap: 'money',
  day_range: 'percent',
  minutes_since_open: 'minutes',
} as const satisfies Readonly<Record<FieldRef['key'], Kind>>;
type FieldKey = keyof typeof FIELD_KINDS;

/** @param name the field's name within a sentence */
export const fieldValue = (key: FieldKey, name: string): Value => ({
  spec: { type: 'field', key },
  kind: FIELD_KINDS[key],
  name,
  note: null,
});

export const LAST = fieldValue('last', 'the last price');
export const CHANGE = fieldValue('change_percent', 'the change of the day');
export const GAP = fieldValue('gap_percent', 'the gap');
export const REL_VOL = fieldValue('relativeVolume', 'the relative volume');
export const VOLUME = fieldValue('volume', 'the volume');
export const MARKET_CAP = fieldValue('marketCap', 'the market cap');
export const DAY_RANGE = fieldValue('day_range', 'the position in the day’s range');
export const MINUTES = fieldValue('minutes_since_open', 'the minutes since the open');
export const HIGH = fieldValue('high', 'the day’s high');
export const LOW = fieldValue('low', 'the day’s low');
export const TRADED = fieldValue('value', 'the value traded');
export const VWAP = fieldValue('vwap', 'VWAP');
export const PIPS = fieldValue('pips', 'the pips');

/** The 52 weeks before today. @param name other names than 52 weeks get a note */
const year = (field: YearField, note: string | null): Value => ({
  spec: { type: 'htf', period: YEAR, field },
  kind: 'price',
  name: `the 52-week ${field}`,
  note,
});

const years = (['high', 'low'] as const).flatMap((field) =>
  (
    [
      [null, ['52 week', '52 weeks', '52 wk', '52 w', '52w']],
      ['Read as the 52 weeks before today.', ['12 month', '12 months', 'one year', '1 year']],
    ] as const
  ).map(
    ([note, words]) =>
      [year(field, note), words.flatMap((word) => [`${word} ${field}`, `${word} ${field}s`])] as const,
  ),
);

/** The current candles. Most of them are easily misunderstood, so a note explains them. */
const candle = (period: '1M' | '3M' | '12M', field: 'open' | 'high' | 'low', of: string): Value => ({
  spec: { type: 'htf', period, field },
  kind: 'price',
  name: `the ${field} of the calendar ${of}`,
  note: period === '1M' ? null : `For the current calendar ${of}.`,
});

const candles = (field: 'open' | 'high' | 'low', ...more: readonly string[]) =>
  (
    [
      ['1M', 'month', ['month', 'monthly']],
      ['3M', 'quarter', ['quarter', 'quarterly']],
      ['12M', 'year', ['year', 'yearly', 'calendar year']],
    ] as const
  ).map(
    ([period, of, words]) =>
      [
        candle(period, field, of),
        [field, ...more].flatMap((name) =>
          words.flatMap((word) => [`${word} ${name}`, `this ${word} ${name}`, `current ${word} ${name}`]),
        ),
      ] as const,
  );

const FIELDS: Lexicon<Value> = lexiconOf([
  [LAST, ['price', 'last', 'last price', 'share price', 'stock price', 'current price', 'trading price']],
  [
    fieldValue('close', 'the previous close'),
    words(`
      previous close, prev close, prior close, last close, yesterday close, close yesterday,
      previous closing price, yesterday closing price, p close, close of yesterday
    `),
  ],
  [
    fieldValue('open', 'the day’s open'),
    words(`
      open, open price, opening price, day open, today open, open of day, daily open,
      today opening price, opening, opened, opens
    `),
  ],
  [
    HIGH,
    words(`
      high, day high, daily high, high of day, hod, today high, intraday high, session high,
      high for day, high of session, day highs
    `),
  ],
  [
    LOW,
    words(`
      low, day low, daily low, low of day, lod, today low, intraday low, session low, low for day,
      low of session, day lows
    `),
  ],
  [
    VOLUME,
    words(`
      volume, vol, daily volume, shares traded, traded volume, day volume, today volume, trading volume
    `),
  ],
  [
    TRADED,
    words(`
      value, value traded, daily value, daily turnover, traded value, turnover, dollar volume,
      dollar value, $ volume, $ traded, dollar turnover, dollars traded, $ value, $ turnover,
      traded dollar value
    `),
  ],
  [PIPS, ['pips']],
  [
    fieldValue('match_price', 'the match price'),
    words(`
      match, match price, matching price, indicative price, indicative match, indicative match price,
      auction price, iap, indicative open, indicative opening price
    `),
  ],
  [
    fieldValue('match_vol', 'the match volume'),
    ['match volume', 'match vol', 'matched volume', 'matching volume', 'indicative volume', 'auction volume'],
  ],
  [
    CHANGE,
    words(`
      change, % change, change %, percent change, percentage change, day change, daily change,
      price change, change today, today change, daily % change, day % change
    `),
  ],
  [REL_VOL, ['relative volume', 'relative vol', 'rel vol', 'rel volume', 'rvol', 'relvol', 'r vol']],
  [
    GAP,
    words(`
      gap, gap %, % gap, gap percent, opening gap, price gap, indicative gap, pre open gap,
      pre market gap, premarket gap, preopen gap, gap percentage
    `),
  ],
  [
    MARKET_CAP,
    words(`
      market cap, mcap, market capitalisation, market capitalization, marketcap, mkt cap,
      capitalisation, capitalization
    `),
  ],
  [DAY_RANGE, ['range position', 'day range %', 'range %', 'day range position', 'position in day range']],
  [MINUTES, ['minutes since open', 'minutes after open', 'minutes from open', 'mins since open']],
  ...years,
  ...candles('open'),
  ...candles('high', 'highs'),
  ...candles('low', 'lows'),
]);

/** Words after "last" with which it does not mean the last price: "last week". */
const TIMES: ReadonlySet<string> = new Set(
  words('day, days, week, weeks, month, months, quarter, year, hour'),
);

export function fieldAt(tokens: readonly Token[], at: number): { value: Value; next: number } | null {
  const found = nameAt(FIELDS, tokens, at);
  const after = tokens[at + 1];
  const isTime = after !== undefined && (TIMES.has(after.text) || after.numbers !== undefined);
  return tokens[at]?.text === 'last' && found?.next === at + 1 && isTime ? null : found;
}

/** Whether a value includes the last price, so that nothing can trade beyond it. */
export const isExtreme = ({ spec }: Value, side: 'high' | 'low'): boolean =>
  (spec.type === 'field' && spec.key === side) ||
  (spec.type === 'htf' && spec.period !== YEAR && spec.field === side) ||
  (spec.type === 'indicator' && spec.family === (side === 'high' ? 'donch-ch-upper' : 'donch-ch-lower'));
