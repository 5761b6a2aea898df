import type { SurplusFlip, Stock } from '#market/rules/stock.ts';
import { BROKER_FIELDS, type FieldOption } from '#market/indicators/rules/types.ts';
import { createMinutesSinceOpen } from '#market/rules/opening.ts';
import { type IgnoresStatus, SCAN_FIELDS, scanReader } from './scanFields.ts';

/** Reads a value from a stock; null if unknown. `now` is epoch ms by the market's clock, undefined if unknown. */
export type FieldReader = (stock: Stock, now?: number) => number | null;

/** A field that is not in the field catalogue; `create` makes a reader with its own state. */
type MoreField = FieldOption & { create(): FieldReader };

/** The gap in percent: in the pre-open the indicative one, afterwards from the previous close to the open. */
function gapOf(stock: Stock): number | null {
  const { status, open, close, indicativeChangePercent } = stock;
  if (status === 'Pre Open' || open === null) return indicativeChangePercent;
  return close === null || close <= 0 ? null : (open / close - 1) * 100;
}

/** The last price's position in the day's range: 0 at the low, 100 at the high; null if high equals low. */
function rangePosition({ last, high, low }: Stock): number | null {
  if (last === null || high === null || low === null || high <= low) return null;
  return ((last - low) / (high - low)) * 100;
}

/** 1 if a price-sensitive announcement came in this session, otherwise 0. Known in every phase. */
const sensitiveToday = ({ sensitiveAnnouncements }: Stock): number =>
  (sensitiveAnnouncements ?? 0) > 0 ? 1 : 0;

const always = (read: FieldReader) => () => read;

export const MINUTES_FIELD = 'minutes_since_open';

/** A field that is 1 or 0. `yes` and `no` are phrases for use within a sentence. */
export type YesNoField = FieldOption & { yes: string; no: string };

export const SENSITIVE_FIELD: YesNoField = {
  key: 'sensitive_today',
  label: 'Price-Sensitive Announcement Today',
  yes: 'price-sensitive announcement today',
  no: 'no price-sensitive announcement today',
};

/** Fields on whether the auction's surplus changed sides within the last minute of the market's clock. */
const FLIP_FIELDS: readonly (YesNoField & { isAsked: (flip: SurplusFlip) => boolean })[] = [
  {
    key: 'surplus_flipped',
    label: 'Surplus Flipped (last 60 s)',
    yes: 'surplus flipped in the last 60 s',
    no: 'surplus did not flip in the last 60 s',
    isAsked: () => true,
  },
  {
    key: 'surplus_to_buyers',
    label: 'Surplus Flipped to Buyers (last 60 s)',
    yes: 'surplus flipped to buyers in the last 60 s',
    no: 'surplus did not flip to buyers in the last 60 s',
    isAsked: (flip) => flip > 0,
  },
  {
    key: 'surplus_to_sellers',
    label: 'Surplus Flipped to Sellers (last 60 s)',
    yes: 'surplus flipped to sellers in the last 60 s',
    no: 'surplus did not flip to sellers in the last 60 s',
    isAsked: (flip) => flip < 0,
  },
];

/** Reads a surplus flip; null if the surplus is unknown. */
const readFlip =
  (isAsked: (flip: SurplusFlip) => boolean) =>
  ({ buy_surplus, surplusFlip }: Stock): number | null => {
    if (buy_surplus === null) return null;
    return surplusFlip && isAsked(surplusFlip) ? 1 : 0;
  };

export const YES_NO_FIELDS: readonly YesNoField[] = [SENSITIVE_FIELD, ...FLIP_FIELDS];

/** Fields that exist only in an auction. */
export const FLIP_KEYS: readonly string[] = FLIP_FIELDS.map(({ key }) => key);

const MORE_FIELDS: readonly MoreField[] = [
  { key: 'change_percent', label: 'Change %', create: always((stock) => stock.change_percent) },
  { key: 'relativeVolume', label: 'Rel Vol', create: always((stock) => stock.relativeVolume) },
  { key: 'gap_percent', label: 'Gap %', create: always(gapOf) },
  { key: 'vwap', label: 'VWAP', create: always((stock) => stock.vwap) },
  { key: 'marketCap', label: 'Market Cap', create: always((stock) => stock.marketCap) },
  { key: 'day_range', label: 'Day’s Range %', create: always(rangePosition) },
  { ...SENSITIVE_FIELD, create: always(sensitiveToday) },
  ...FLIP_FIELDS.map((field) => ({ ...field, create: always(readFlip(field.isAsked)) })),
  { key: MINUTES_FIELD, label: 'Minutes Since Open', create: createMinutesReader },
];

function createMinutesReader(): FieldReader {
  const minutesAt = createMinutesSinceOpen();
  return (_stock, now) => (now === undefined ? null : minutesAt(now));
}

/** The only text field; it is compared with a list of sectors. */
export const SECTOR_FIELD: FieldOption = { key: 'sector', label: 'Sector' };

export const MORE_CONDITION_FIELDS: readonly FieldOption[] = [
  ...MORE_FIELDS.map(({ key, label }) => ({ key, label })),
  ...SCAN_FIELDS,
  SECTOR_FIELD,
];

export const CONDITION_FIELDS: readonly FieldOption[] = [...BROKER_FIELDS, ...MORE_CONDITION_FIELDS];

/** A reader of a further field; null for a key of the field catalogue, and for the sector. */
export const createFieldReader = (key: string, ignoreStatus?: IgnoresStatus): FieldReader | null =>
  MORE_FIELDS.find((field) => field.key === key)?.create() ?? scanReader(key, ignoreStatus);
