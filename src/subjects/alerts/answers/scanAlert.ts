import type { ScanRef } from '#subjects/conditions/rules/operand.ts';
import { SCANNER_KEYS, type ScannerKey } from '#market/scanners/rules/scanners.ts';
import {
  anyOf,
  boolean,
  choice,
  count,
  type Field,
  integer,
  isoTime,
  list,
  number,
  or,
  orNull,
  readBy,
  text,
  where,
  words,
} from '#lib/contract/fields.ts';
import { always, object, optional, extension } from '#lib/contract/objects.ts';
import { described, unchecked } from '#lib/contract/requests.ts';
import { readList, readRecord } from '#lib/read.ts';
import type { Result } from '#lib/result.ts';
import { checkScanFilters, type ScanFilters } from '#market/scanners/rules/filters.ts';
import { ANNOUNCEMENT_KINDS, type AnnouncementKind } from '#subjects/announcements/rules/announcementKind.ts';
import { readScanRef } from '#subjects/conditions/answers/logic.ts';
import { announced, destinations, seen } from './alert.ts';
import { membersOf, SCAN_OPTIONS } from './options.ts';

export const SHARED_SCANNERS = SCANNER_KEYS.filter((key) => key !== 'custom');

export type SharedScanner = (typeof SHARED_SCANNERS)[number];

/** A scan that stocks enter and leave. */
export type StockScan = WatchedScanner | WatchedSaved;

export type WatchedScan = StockScan | WatchedNews;

/** @property filters of the scanner's filter bar; omitted for the default ones, as in older alerts */
export type WatchedScanner = { type: 'scanner'; key: SharedScanner; filters?: ScanFilters };

/** @property filters of the custom scanner's filter bar */
type WatchedSaved = ScanRef & { filters?: ScanFilters };

/**
 * Company announcements instead of a scan.
 * @property kinds it must have one of them; empty for all
 * @property words its headline must have one of them; empty for all
 * @property filters `sensitiveOnly` and `lists`
 */
export type WatchedNews = {
  type: 'announcements';
  kinds: readonly AnnouncementKind[];
  words: readonly string[];
  filters?: ScanFilters;
};

const sharedScanner: Field<SharedScanner> = choice(SHARED_SCANNERS);

const announcementKind = choice(ANNOUNCEMENT_KINDS);

const filterList = object({ id: integer, name: text });

export const scanFilters = object({
  minValue: optional(described(number, 'Minimum value in AUD traded today, or matched in the auction.')),
  minChange: optional(
    described(number, 'Minimum change on the day in percent; not for the pre-market scan.'),
  ),
  priceGroup: optional(choice(['underOne', 'oneOrOver', 'largeCap'])),
  gaps: optional(choice(['down'])),
  newsOnly: optional(boolean),
  sensitiveOnly: optional(boolean),
  securities: optional(choice(['shares', 'funds'])),
  text: optional(described(text, 'Start of a code, or part of a name.')),
  lists: optional(
    described(
      anyOf([choice(['all']), list(filterList)], () => null),
      '`all`, or chosen watchlists by id.',
    ),
  ),
});

export function readFilters(key: ScannerKey, value: unknown): Result<ScanFilters | null> {
  const { lists } = readRecord(value);
  const own = readList(lists, (one) => filterList.read(one));
  const known = own.flatMap(({ id, name }) => (id === null || name === null ? [] : [{ id, name }]));
  return checkScanFilters(key, value, known);
}

export const watchedScan: Field<WatchedScan> = {
  form: anyOf(
    [
      object({ type: choice(['scanner']), key: sharedScanner, filters: optional(scanFilters) }),
      object({
        type: choice(['scan']),
        id: integer,
        name: optional(text),
        filters: optional(described(scanFilters, 'Filters of the custom scanner; the default is none.')),
      }),
      object({
        type: choice(['announcements']),
        kinds: optional(described(list(announcementKind), 'Types of announcements; the default is all.')),
        words: optional(
          described(list(text), 'Words or phrases, one of which is in the headline; the default is all.'),
        ),
        filters: optional(described(scanFilters, 'Only `sensitiveOnly` and `lists`.')),
      }),
    ],
    () => null,
  ).form,
  read(value) {
    const given = readRecord(value);
    if (given.type === 'announcements') {
      const filters = readFilters('custom', given.filters);
      const kinds = ANNOUNCEMENT_KINDS.filter((kind) => readList(given.kinds, text.read).includes(kind));
      const words = readList(given.words, text.read);
      return {
        type: given.type,
        kinds,
        words,
        ...(filters.ok && filters.value && { filters: filters.value }),
      };
    }
    if (given.type !== 'scanner') {
      const saved = readScanRef(given);
      const own = saved && readFilters('custom', given.filters);
      return saved && { ...saved, ...(own?.ok && own.value && { filters: own.value }) };
    }
    const key = SHARED_SCANNERS.find((one) => one === given.key);
    if (key === undefined) return null;
    const filters = readFilters(key, given.filters);
    return { type: 'scanner', key, ...(filters.ok && filters.value && { filters: filters.value }) };
  },
};

export const scanAlert = object(
  {
    id: count,
    scan: unchecked(watchedScan),
    ...membersOf(SCAN_OPTIONS, 'answer'),
    active: extension(or(boolean, false)),
    destinations: extension(destinations),
    last_triggered_at: extension(orNull(isoTime)),
    /** By the market's clock; null once the trigger is deleted. */
    last_triggered_market_time: extension(orNull(isoTime)),
    version: extension(or(described(count, 'Send it with a change to detect conflicts.'), 1)),
    snoozed_until: extension(orNull(isoTime)),
    until_open: extension(
      or(
        described(boolean, 'The scan uses the opening auction, so it is only checked before the open.'),
        false,
      ),
    ),
    muted_today: extension(described(list(text), 'Stocks muted for this session.')),
    in_scan: extension(orNull(described(count, 'Number of stocks in the scan; null if the alert is off.'))),
    problem: extension(
      orNull(described(text, 'Why the scan is not evaluated, for example because it was deleted.')),
    ),
  },
  ['id', 'scan'],
);

/** Answer of `GET /api/scan-alerts`; `limit` is the number of active scan alerts that the plan allows. */
export const scanAlertsAnswer = always(object({ scan_alerts: list(scanAlert), limit: or(count, 0) }));

/** Answer to a change that is based on an older version: an error and the current alert. */
export const scanAlertConflict = object({ error: text, scan_alert: scanAlert });

const wholeTrigger = object(
  {
    id: count,
    symbol: orNull(described(text, 'Null if the trigger combines several stocks.')),
    symbols: extension(described(list(text), 'The stocks of a combined trigger.')),
    announcements: extension(described(list(announced), 'Empty unless the alert watches announcements.')),
    event: SCAN_OPTIONS.event.answer,
    /** The scan's name when the alert fired. */
    scan: extension(or(text, '')),
    timestamp: isoTime,
    marketTime: extension(isoTime),
    seen: extension(seen),
    quoteTime: extension(orNull(isoTime)),
    source: extension(or(text, '')),
    delayMinutes: extension(or(number, 0)),
    silent: extension(or(boolean, false)),
    guard: extension(orNull(described(words, 'The calendar event mentioned in the message.'))),
  },
  ['id'],
);

/** A stock entered or left the scan, or several did and share one trigger. One of the two times is enough. */
export const scanTrigger = readBy(wholeTrigger, (value) => {
  const known = wholeTrigger.read(value);
  const marketTime = known?.marketTime ?? known?.timestamp ?? null;
  if (known === null || marketTime === null) return null;
  return { ...known, marketTime, timestamp: known.timestamp ?? marketTime };
});

/** Answer of `GET /api/scan-alerts/:id/triggers`, newest first. */
export const scanTriggersAnswer = always(object({ triggers: list(scanTrigger) }));

const isNamed = ({ symbol, date }: { symbol: string | null; date: string | null }): boolean =>
  Boolean(symbol) && Boolean(date);

export const stricterScan = object(
  {
    kind: choice(['dayMaximum', 'minChange', 'minValue']),
    limit: number,
    perDay: or(described(number, 'Average triggers per trading day.'), 0),
  },
  ['kind', 'limit'],
);

/** Answer of `POST /api/scan-alerts/rehearse`: a backtest over past days. */
export const scanBacktest = always(
  object({
    fired: or(count, 0),
    stocks: or(count, 0),
    days: or(described(count, 'Number of trading days in the backtest.'), 0),
    busiestDay: extension(or(count, 0)),
    /** Newest first, by date, because a daily bar has no time of day. */
    newest: extension(list(where(object({ symbol: text, date: text }, ['symbol', 'date']), isNamed))),
    notRehearsed: extension(list(text)),
    stricter: extension(
      orNull(described(stricterScan, 'A stricter limit, if the alert fires more than 20 times a day.')),
    ),
  }),
);
