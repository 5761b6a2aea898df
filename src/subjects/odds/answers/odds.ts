import {
  anyOf,
  boolean,
  choice,
  count,
  date,
  type Field,
  integer,
  isoTime,
  list,
  number,
  or,
  orNull,
  text,
  words,
} from '#lib/contract/fields.ts';
import { always, object, optional } from '#lib/contract/objects.ts';
import { described, unchecked } from '#lib/contract/requests.ts';
import { readCount, readRecord, readText } from '#lib/read.ts';
import type { ScanFilters } from '#market/scanners/rules/filters.ts';
import { readFilters, scanFilters, watchedScan, type StockScan } from '#subjects/alerts/answers/scanAlert.ts';
import { logic, readLogic } from '#subjects/conditions/answers/logic.ts';
import type { Logic } from '#subjects/conditions/rules/condition.ts';
import { readScanLists, type ScanLists } from '#subjects/conditions/rules/scanLists.ts';
import { sentScanLists } from '#subjects/indicators/answers/scans.ts';
import { EXIT_REASONS, type OddsResult } from '../rules/result.ts';
import { checkOddsSettings, EXIT_KINDS, type OddsSettings } from '../rules/settings.ts';

const settingsForm = object({
  exit: object({
    kind: choice(EXIT_KINDS),
    minutes: optional(described(integer, 'With the kind `minutes`: 5, 15, 30 or 60.')),
    stop: optional(described(number, 'With the kind `stopTarget`: percent below the fill.')),
    target: optional(described(number, 'With the kind `stopTarget`: percent above the fill.')),
  }),
  everyEntry: described(boolean, 'False counts only the first entry of a stock on a day.'),
  amount: described(number, 'AUD per trade.'),
  brokerage: described(number, 'Percent of the amount, per side.'),
  minBrokerage: described(number, 'Minimum brokerage in AUD, per side.'),
  steps: described(number, 'Price steps of spread per round trip.'),
});

/** Settings of odds. A missing one gets its default. */
export const oddsSettings: Field<OddsSettings> = {
  form: settingsForm.form,
  read(value) {
    const checked = value == null ? null : checkOddsSettings(value);
    return checked?.ok ? checked.value : null;
  },
};

/** Conditions that need not be saved: those of an editor, or of an alert on one stock. */
type ChosenLogic = {
  type: 'logic';
  logic: Logic;
  filters?: ScanFilters;
  lists?: ScanLists;
  symbol?: string;
};
/** @property id of an own alert */
type ChosenAlert = { type: 'alert'; id: number };

/** The scan that a user chose: a scanner, a saved scan, an alert, or conditions. */
export type ChosenScan = StockScan | ChosenAlert | ChosenLogic;

const chosenLogic = object({
  type: choice(['logic']),
  logic,
  filters: optional(described(scanFilters, 'Filters of the custom scanner; the default is none.')),
  lists: optional(sentScanLists),
  symbol: optional(described(text, 'Limits the conditions to one stock, as in an alert.')),
});

function readChosenLogic({ logic: sent, filters, lists, symbol }: Readonly<Record<string, unknown>>) {
  const read = readLogic(sent);
  if (read === null) return null;
  const own = readFilters('custom', filters);
  const listed = readScanLists(lists);
  const code = readText(symbol);
  return {
    type: 'logic' as const,
    logic: read,
    ...(own.ok && own.value && { filters: own.value }),
    ...(listed && { lists: listed }),
    ...(code && { symbol: code }),
  };
}

export const chosenScan: Field<ChosenScan> = {
  form: anyOf([watchedScan, object({ type: choice(['alert']), id: integer }), chosenLogic], () => null).form,
  read(value) {
    const given = readRecord(value);
    if (given.type === 'logic') return readChosenLogic(given);
    if (given.type !== 'alert') {
      const watched = watchedScan.read(value);
      // Announcements have no entries.
      return watched?.type === 'announcements' ? null : watched;
    }
    const id = readCount(given.id);
    return id === null ? null : { type: 'alert', id };
  },
};

const percent = or(orNull(number), null);

const oddsSample = object(
  {
    entries: or(count, 0),
    stocks: or(count, 0),
    days: or(count, 0),
    mean: described(percent, 'Percent per trade after costs.'),
    low: described(percent, 'Start of the 95% interval of the mean; the entries of one day are one sample.'),
    high: percent,
    median: percent,
    winners: described(percent, 'Percent of the entries with a result above zero.'),
    profitFactor: described(percent, 'Sum of the gains divided by the sum of the losses.'),
    best: percent,
    worst: percent,
    meanBefore: described(percent, 'Mean before costs.'),
    isTooFew: described(or(boolean, true), 'Fewer than 30 entries or 10 days.'),
  },
  ['entries'],
);

const group = object({ label: or(text, ''), sample: oddsSample }, ['sample']);

/** What happened after stocks met a scan. Numbers without a value are null. */
export const oddsResult: Field<OddsResult> = object(
  {
    sessions: or(count, 0),
    all: oddsSample,
    earlier: described(oddsSample, 'The first two thirds of the sessions.'),
    heldOut: described(oddsSample, 'The last third of the sessions.'),
    heldOutFrom: orNull(described(date, 'First session of the last third.')),
    leftOut: always(
      object({
        noFill: described(or(count, 0), 'Entries without a trade after them on that day.'),
        noExit: described(or(count, 0), 'Entries without an exit.'),
        gap: described(or(count, 0), 'Entries with a data gap before their exit.'),
      }),
    ),
    distribution: described(
      always(object({ edges: list(number), counts: list(count) })),
      'Number of entries by result in percent: below the first edge, between two edges, and from the last one on.',
    ),
    days: described(
      always(
        object({
          dates: list(date),
          entries: list(count),
          sums: described(list(number), 'Sum of the results in percent.'),
          sumsBefore: described(list(number), 'The same before costs.'),
          gapMinutes: described(list(count), 'Minutes without data.'),
        }),
      ),
      'One column per number, one row per session.',
    ),
    byHour: list(group),
    byPrice: list(group),
    byNews: list(group),
    notes: described(list(text), 'Sentences about conditions that were left out or not always known.'),
  },
  ['all', 'earlier', 'heldOut'],
);

const minute = described(integer, 'Minute of the day in Sydney: 600 is 10:00.');

export const oddsEntry = object(
  {
    symbol: text,
    name: or(text, ''),
    date,
    minute,
    fillMinute: minute,
    fill: described(number, 'Price paid, with the spread.'),
    exitDate: date,
    exitMinute: minute,
    exit: described(number, 'Price received, in the prices of the entry’s day.'),
    reason: or(choice(EXIT_REASONS), 'time'),
    result: described(number, 'Percent after costs.'),
    before: described(number, 'Percent before costs.'),
    hasNews: or(boolean, false),
  },
  ['symbol', 'date', 'minute', 'fill', 'exit', 'result'],
);

/** A page of entries, newest first. `total` counts all of them. */
export const oddsEntriesAnswer = object({ total: or(count, 0), entries: unchecked(list(oddsEntry)) });

/** One-minute bars of a past session, for a chart of an entry. Each index is a minute with trades. */
export const oddsDayAnswer = object({
  symbol: text,
  date,
  minutes: list(minute),
  open: list(number),
  high: list(number),
  low: list(number),
  last: list(number),
  volume: described(list(number), 'Shares traded within the minute.'),
  gaps: described(list(object({ from: minute, until: minute })), 'Minutes without data.'),
});

const oddsHistory = object({
  sessions: described(or(count, 0), 'Number of sessions in the history.'),
  from: orNull(date),
  until: orNull(date),
  source: described(or(text, ''), 'Name of the source whose sessions are used.'),
  isReplay: or(boolean, false),
  otherSources: described(list(text), 'Sources of sessions that are not used.'),
  making: orNull(
    described(object({ done: or(count, 0), of: or(count, 0) }), 'While the history is being made.'),
  ),
});

/** The state of a run. `result` is of the sessions so far. */
export const oddsState = object(
  {
    id: words,
    isDone: or(boolean, false),
    waiting: described(or(count, 0), 'Number of runs before this one.'),
    sessions: object({ done: or(count, 0), of: or(count, 0) }),
    result: orNull(oddsResult),
    refused: orNull(described(text, 'Why the run cannot be done.')),
    name: described(or(text, ''), 'Name of the scan.'),
    variants: described(or(count, 1), 'Number of variants of this scan that you tried in the last 90 days.'),
    luck: orNull(
      described(
        object({ variants: or(count, 1), median: number, high: number }, ['median', 'high']),
        'What the best of so many variants of a scan without any edge would show: mean percent per trade. One time in 20 it would be above `high`.',
      ),
    ),
    history: oddsHistory,
  },
  ['id'],
);

export const savedOdds = object(
  {
    id: count,
    name: or(text, ''),
    subject: or(text, ''),
    scan: unchecked(chosenScan),
    settings: unchecked(oddsSettings),
    saved_at: isoTime,
    sessions: described(or(count, 0), 'Sessions since then, of which the entries are stored.'),
    until: orNull(described(date, 'The newest of these sessions.')),
    result: orNull(oddsResult),
    problem: orNull(described(text, 'Why no entries are collected.')),
  },
  ['id', 'saved_at'],
);

/** Answer of `GET /api/odds/saved`; `limit` is the number that the plan allows. */
export const savedOddsAnswer = object({ saved: list(savedOdds), limit: or(count, 0) });
