import { BROKER_FIELDS } from '../indicators/brokerFields.ts';
import type { FieldOption } from '../indicators/types.ts';
import { minutesSinceOpen } from '../market/sinceOpen.ts';
import type { Stock } from '../market/stock.ts';
import { SCAN_FIELDS, scanReader } from './scanFields.ts';

/** A value of a stock as a number; null when it is not known. `now` is ms on the market's clock, undefined when unknown. */
export type FieldReader = (stock: Stock, now?: number) => number | null;

/** A field that conditions read besides the field catalogue; `create` makes a reader with a memory of its own. */
type MoreField = FieldOption & { create(): FieldReader };

/** The indicative gap in the pre-open, afterwards the gap that the open left against the previous close, percent. */
function gapOf(stock: Stock): number | null {
  const { status, open, close, indicativeChangePercent } = stock;
  if (status === 'Pre Open' || open === null) return indicativeChangePercent;
  return close === null || close <= 0 ? null : (open / close - 1) * 100;
}

/** Where the last price stands in the day's range: 0 at the low, 100 at the high; null while the range is one price. */
function rangePosition({ last, high, low }: Stock): number | null {
  if (last === null || high === null || low === null || high <= low) return null;
  return ((last - low) / (high - low)) * 100;
}

/**
 * Whether something price sensitive was announced in the session that is shown: 1 or 0. It is known in every phase: the
 * count begins anew with each session.
 */
const sensitiveToday = ({ sensitiveAnnouncements }: Stock): number =>
  (sensitiveAnnouncements ?? 0) > 0 ? 1 : 0;

const always = (read: FieldReader) => () => read;

/** The one field that is the same for every stock. */
export const MINUTES_FIELD = 'minutes_since_open';

/** The one field that is a yes or no: 1 or 0. */
export const SENSITIVE_FIELD: FieldOption = {
  key: 'sensitive_today',
  label: 'Price-Sensitive Announcement Today',
};

const MORE_FIELDS: readonly MoreField[] = [
  { key: 'change_percent', label: 'Change %', create: always((stock) => stock.change_percent) },
  { key: 'relativeVolume', label: 'Rel Vol', create: always((stock) => stock.relativeVolume) },
  { key: 'gap_percent', label: 'Gap %', create: always(gapOf) },
  { key: 'marketCap', label: 'Market Cap', create: always((stock) => stock.marketCap) },
  { key: 'day_range', label: 'Day’s Range %', create: always(rangePosition) },
  { ...SENSITIVE_FIELD, create: always(sensitiveToday) },
  { key: MINUTES_FIELD, label: 'Minutes Since Open', create: createMinutesReader },
];

/** All stocks are read at one moment: the session clock is asked once for it. */
function createMinutesReader(): FieldReader {
  let at: number | undefined;
  let minutes: number | null = null;
  return (_stock, now) => {
    if (now === undefined) return null;
    if (now !== at) {
      at = now;
      minutes = minutesSinceOpen(now);
    }
    return minutes;
  };
}

/** The one field that is a text: it is compared with a list of sectors. */
export const SECTOR_FIELD: FieldOption = { key: 'sector', label: 'Sector' };

/** The fields that conditions read beside those of the field catalogue. */
export const MORE_CONDITION_FIELDS: readonly FieldOption[] = [
  ...MORE_FIELDS.map(({ key, label }) => ({ key, label })),
  ...SCAN_FIELDS,
  SECTOR_FIELD,
];

/** Every field that a condition may read. */
export const CONDITION_FIELDS: readonly FieldOption[] = [...BROKER_FIELDS, ...MORE_CONDITION_FIELDS];

/** A reader of a field that is not in the field catalogue; null for any other key, and for the sector. */
export const createFieldReader = (key: string): FieldReader | null =>
  MORE_FIELDS.find((field) => field.key === key)?.create() ?? scanReader(key);
