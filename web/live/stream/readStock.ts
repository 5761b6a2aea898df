import type { StockPatch } from '#market/rules/stream.ts';
import { readBoolean, readIsoTime, readList, readNumber, readText } from '#lib/read.ts';
import { mapOf, type MemberReader, objectOf, readMembers } from './readMembers.ts';

/** The specification does not say whether these are counted or listed. */
const readHowMany: MemberReader = (value) =>
  readNumber(value) ?? (Array.isArray(value) ? value.length : Number(readBoolean(value) ?? 0));

/** To buyers or to sellers; anything else is none. */
const readFlip: MemberReader = (value) => {
  const flip = readNumber(value);
  return flip === 1 || flip === -1 ? flip : null;
};

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
  summary_of: readText,
  summary_note: readText,
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
  surplusFlip: readFlip,
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
  yearRange: objectOf({ high: readNumber, low: readNumber }),
  news: mapOf(readNewsDay),
  preOpen: objectOf({ snapshot: readPreOpenSnapshot }),
  indicators: mapOf(mapOf(mapOf(readNumber))),
  htf: mapOf(mapOf(readNumber)),
});

/** Patches of stocks by code: what can't be read is unknown, a stock that is no object is left out. */
export const readStockPatches = (value: unknown): Record<string, StockPatch> =>
  readMembers<StockPatch>(value, readStock);
