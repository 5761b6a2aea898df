import { byRules, changed, inWords, notChanged, sent, sentAs } from '#lib/contract/requests.ts';
import { choice, list, text } from '#lib/contract/fields.ts';
import { object } from '#lib/contract/objects.ts';
import type { RouteContracts } from '#texts/routeContract.ts';
import { column } from '../scanners/answers/columns.ts';
import { SCANNER_KEYS } from '#market/scanners/rules/scanners.ts';
import { savedColumnsAnswer, settingsAnswer } from './answers/settings.ts';

const COLUMN_WORDS = {
  columnPreferences: 'The columns of each table that was changed, in their order.',
  indicatorValues:
    'How many indicator values the user may read in columns, scans and alerts, and how many are read.',
  waitingColumns: 'Columns that show nothing as their value is not served, by table, and why.',
};
const DROPPED = 'What was left out of a saved table, and why.';

/** What a user has set: each route with what it is sent, what it answers, and its words. */
export const SETTINGS = {
  'GET /api/settings': {
    access: 1,
    tag: 'Settings',
    summary: 'Read all settings',
    answer: inWords(settingsAnswer, {
      ...COLUMN_WORDS,
      upgradeDeclinedReason: 'Why the last plan asked for was declined.',
      lacksSecondFactor:
        'An administrator who may not administer until two-factor login is on, as the server demands it.',
      quoteSite: 'Where quote links lead.',
      droppedColumns: DROPPED,
    }),
    example: {},
  },
  'POST /api/settings/quote-site': {
    access: 1,
    tag: 'Settings',
    summary: 'Choose where quote links lead',
    body: object({ site: sent(text, { default: '', maxLength: 40 }) }),
    answer: changed,
    refusalForms: { 400: notChanged },
    example: { body: { site: 'asx' } },
  },
  'POST /api/settings/table-columns': {
    access: 1,
    tag: 'Settings',
    summary: 'Save the columns of a table',
    description: 'Columns that are mandatory stay, and the order is kept.',
    // Which tables and columns there are is for `saveColumns` to say.
    body: object({
      tableKey: sentAs(choice(SCANNER_KEYS), text, { maxLength: 40 }),
      columns: sent(list(byRules(column)), { maxItems: 200 }, {}),
    }),
    answer: inWords(savedColumnsAnswer, { ...COLUMN_WORDS, dropped: DROPPED }),
    example: {
      body: {
        tableKey: 'preMarket',
        columns: [{ id: 'code', enabled: true, mandatory: true, type: 'base', label: 'Code' }],
      },
    },
  },
} as const satisfies RouteContracts;
