import { choice, file, numeric, text } from '#lib/contract/fields.ts';
import { object, optional } from '#lib/contract/objects.ts';
import { byRules, described, sent, unchecked } from '#lib/contract/requests.ts';
import { LOADING_OR_BUSY, OFTEN, type RouteContracts } from '#texts/routeContract.ts';
import { removedAnswer } from '#subjects/alerts/answers/watchlist.ts';
import {
  chosenScan,
  oddsDayAnswer,
  oddsEntriesAnswer,
  oddsSettings,
  oddsState,
  savedOdds,
  savedOddsAnswer,
} from './answers/odds.ts';
import { ENTRY_SORTS } from './rules/entryRows.ts';
import { DEFAULT_ODDS_SETTINGS } from './rules/settings.ts';

export const MAX_ENTRIES_AT_ONCE = 200;

const RUN_GONE = 'The run does not exist, or it was forgotten after ten minutes.';
const SAVED_GONE = 'The saved odds no longer exist.';
const run = {
  tag: 'Alerts',
  params: object({ id: sent(text, { maxLength: 100 }) }),
  refusals: { 404: RUN_GONE },
  example: { params: { id: 'f3J6kq0W' } },
} as const;
const saved = {
  tag: 'Alerts',
  params: object({ id: numeric }),
  refusals: { 404: SAVED_GONE },
  example: { params: { id: '1' } },
} as const;

const subject = optional(
  described(
    sent(text, { maxLength: 40 }),
    'What the variants are counted for, if conditions are sent: `scan:1`, `alert:1` or `draft`.',
  ),
);
const asked = {
  scan: byRules(chosenScan),
  settings: byRules(oddsSettings),
};
const EXAMPLE = {
  scan: { type: 'scanner', key: 'intraDaySmall', filters: { minValue: 5000 } },
  settings: DEFAULT_ODDS_SETTINGS,
};

const page = {
  offset: optional(sent(numeric, { minimum: 0, maximum: 10_000_000, multipleOf: 1 })),
  limit: optional(sent(numeric, { minimum: 1, maximum: MAX_ENTRIES_AT_ONCE, multipleOf: 1 })),
};

/** Odds of a scan: what happened after stocks met it. */
export const ODDS = {
  'POST /api/odds': {
    access: 1,
    tag: 'Alerts',
    summary: 'Start the odds of a scan',
    description:
      'Runs a scanner, a saved scan, an alert or conditions over the session history. It cancels the run of the same `tab`, and your oldest one if two others are running.',
    body: object({
      ...asked,
      subject,
      tab: optional(
        described(sent(text, { maxLength: 50 }), 'Names the page that asks. The default is none.'),
      ),
    }),
    answer: unchecked(oddsState),
    refusals: { 429: OFTEN, 503: LOADING_OR_BUSY },
    example: { body: EXAMPLE },
  },
  'GET /api/odds/:id': {
    access: 1,
    ...run,
    summary: 'Read the state of a run',
    description: 'Waits at most one second for a newer state than the last one that was returned.',
    answer: unchecked(oddsState),
  },
  'DELETE /api/odds/:id': { access: 1, ...run, summary: 'Cancel a run', answer: removedAnswer },
  'GET /api/odds/:id/entries': {
    access: 1,
    ...run,
    summary: 'List the entries of a run',
    description: `At most ${MAX_ENTRIES_AT_ONCE} per request, the newest first by default. While the run is not done, there are none.`,
    query: object({
      ...page,
      sort: optional(sent(choice(ENTRY_SORTS), { default: 'date' })),
      order: optional(sent(choice(['asc', 'desc']), { default: 'desc' })),
    }),
    answer: unchecked(oddsEntriesAnswer),
    example: { ...run.example, query: { offset: '0', limit: '50' } },
  },
  'GET /api/odds/:id/csv': {
    access: 1,
    ...run,
    summary: 'Download the entries of a run as CSV',
    answer: file,
    answerType: 'text/csv',
  },
  'GET /api/odds/day': {
    access: 1,
    tag: 'Alerts',
    summary: 'Read the minute bars of a past session',
    description: 'From the session history, which reaches further back than the minute bars of the chart.',
    query: object({
      symbol: sent(text, { maxLength: 20, error: 'Symbol is required' }, {}),
      date: sent(text, { maxLength: 10, error: 'Write the date as YYYY-MM-DD.' }),
    }),
    answer: unchecked(oddsDayAnswer),
    refusals: { 404: 'The history has no such session, or the stock was not in it.' },
    example: { query: { symbol: 'BHP', date: '2026-11-17' } },
  },
  'GET /api/odds/saved': {
    access: 1,
    tag: 'Alerts',
    summary: 'List saved odds with their results since then',
    answer: unchecked(savedOddsAnswer),
    example: {},
  },
  'POST /api/odds/saved': {
    access: 1,
    tag: 'Alerts',
    summary: 'Save a scan to collect its entries from now on',
    description:
      'The scan and the settings are frozen. After each session its entries are stored, so they outlive the history.',
    body: object({ ...asked, subject, name: byRules(text) }),
    answer: unchecked(savedOdds),
    refusals: { 429: OFTEN },
    example: { body: { ...EXAMPLE, name: 'Movers under $1' } },
  },
  'DELETE /api/odds/saved/:id': {
    access: 1,
    ...saved,
    summary: 'Delete saved odds and their entries',
    answer: removedAnswer,
  },
  'GET /api/odds/saved/:id/entries': {
    access: 1,
    ...saved,
    summary: 'List the entries of saved odds',
    query: object(page),
    answer: unchecked(oddsEntriesAnswer),
    example: { ...saved.example, query: { offset: '0', limit: '50' } },
  },
} as const satisfies RouteContracts;
