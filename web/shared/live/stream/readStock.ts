import { isRecord, type JsonRecord } from '../../../../src/lib/json.ts';
import { readBoolean, readIsoTime, readList, readNumber, readText } from '../../../../src/lib/read.ts';
import type { StockPatch } from '../../../../src/domain/market/stream.ts';

/** Brings a member into its form; null, which means unknown, when it can't be read. */
type MemberReader = (value: unknown) => unknown;

/** An object whose members are named here; others mean nothing to this page. */
function objectOf(readers: Readonly<Record<string, MemberReader>>): MemberReader {
  const known = new Map(Object.entries(readers));
  return (value) => {
    if (!isRecord(value)) return null;
    for (const key in value) {
      const read = known.get(key);
      // Undefined changes nothing when it is merged, and costs less than to delete the member.
      if (read === undefined) value[key] = undefined;
      else readMember(value, key, read);
    }
    return value;
  };
}

/** An object with any keys whose members are all of one form. */
const mapOf =
  (read: MemberReader): MemberReader =>
  (value) => {
    if (!isRecord(value)) return null;
    for (const key in value) readMember(value, key, read);
    return value;
  };

/** Null stays: in a merge patch it removes. What has its form already is not written again. */
function readMember(record: JsonRecord, key: string, read: MemberReader): void {
  const value = record[key];
  if (value === null) return;
  const right = read(value);
  if (right !== value) record[key] = right;
}

/** The specification does not say whether these are counted or listed. */
const readHowMany: MemberReader = (value) =>
  readNumber(value) ?? (Array.isArray(value) ? value.length : Number(readBoolean(value) ?? 0));

const readTexts: MemberReader = (value) => readList(value, readText);

const readAnnouncement = objectOf({
  headline: readText,
  url: readText,
  announcementTypes: readTexts,
  isPriceSensitive: readBoolean,
  time: readIsoTime,
});

const readNewsDay = objectOf({
  headline: readText,
  summary: readText,
  summary_generated_at: readIsoTime,
  alerted: readBoolean,
  announcements: mapOf(readAnnouncement),
});

const readPreOpenSnapshot = objectOf({
  capturedAt: readIsoTime,
  indicativeChangePercent: readNumber,
  match_price: readNumber,
  match_vol: readNumber,
  match_value: readNumber,
  buy_surplus: readNumber,
});

const readStock = objectOf({
  code: readText,
  name: readText,
  // A status that this page does not know is shown as it is, and is in no table that asks for another.
  status: readText,
  securityType: readText,
  sector: readText,
  open: readNumber,
  high: readNumber,
  low: readNumber,
  close: readNumber,
  last: readNumber,
  change: readNumber,
  change_percent: readNumber,
  vwap: readNumber,
  volume: readNumber,
  value: readNumber,
  match_price: readNumber,
  match_vol: readNumber,
  match_value: readNumber,
  buy_surplus: readNumber,
  indicativeChangePercent: readNumber,
  marketCap: readNumber,
  marketCapCategory: readText,
  relativeVolume: readNumber,
  sensitiveAnnouncements: readHowMany,
  trend: objectOf({
    daysUp: readNumber,
    daysDown: readNumber,
    weeksUp: readNumber,
    weeksDown: readNumber,
  }),
  news: mapOf(readNewsDay),
  preOpen: objectOf({ snapshot: readPreOpenSnapshot }),
  indicators: mapOf(mapOf(mapOf(readNumber))),
  htf: mapOf(mapOf(readNumber)),
});

/**
 * Patches of stocks by code, each member in its form: what can't be read is unknown, members with other names are
 * left out. What was given is changed in place, as this runs over every price that comes in; a stock that is no
 * object is taken out.
 */
export function readStockPatches(value: unknown): Record<string, StockPatch> {
  if (!isRecord(value)) return {};
  for (const code in value) if (readStock(value[code]) === null) delete value[code];
  return value as Record<string, StockPatch>;
}
