import { byRules, changed, inWords, notChanged, sent, sentAs } from '#lib/contract/requests.ts';
import { choice, list, text } from '#lib/contract/fields.ts';
import { object } from '#lib/contract/objects.ts';
import type { RouteContracts } from '#texts/routeContract.ts';
import { column } from '../scanners/answers/columns.ts';
import { SCANNER_KEYS } from '#market/scanners/rules/scanners.ts';
import { savedColumnsAnswer, settingsAnswer } from './answers/settings.ts';

const COLUMN_WORDS = {
  columnPreferences: 'The columns of each changed table, in order.',
  indicatorValues: 'How many indicator values the user may use and has in use.',
  waitingColumns: 'Columns without values, by table, with the reason.',
};
const DROPPED = 'Columns removed from a saved table, with the reason.';

export const SETTINGS = {
  'GET /api/settings': {
    access: 1,
    tag: 'Settings',
    summary: 'Read all settings',
    answer: inWords(settingsAnswer, {
      ...COLUMN_WORDS,
      upgradeDeclinedReason: 'Why the last requested plan was declined.',
      lacksSecondFactor: 'True if an administrator must turn on the required two-factor login first.',
      quoteSite: 'The website that quote links open.',
      droppedColumns: DROPPED,
    }),
    example: {},
  },
  'POST /api/settings/quote-site': {
    access: 1,
    tag: 'Settings',
    summary: 'Choose the website of quote links',
    body: object({ site: sent(text, { default: '', maxLength: 40 }) }),
    answer: changed,
    refusalForms: { 400: notChanged },
    example: { body: { site: 'asx' } },
  },
  'POST /api/settings/table-columns': {
    access: 1,
    tag: 'Settings',
    summary: 'Save the columns of a table',
    description: 'Mandatory columns cannot be removed. The order is saved.',
    // `saveColumns` checks which tables and columns exist.
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
