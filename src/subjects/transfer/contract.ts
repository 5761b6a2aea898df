import { choice, text, words } from '#lib/contract/fields.ts';
import { object, optional } from '#lib/contract/objects.ts';
import { byRules, described, inWords, sent } from '#lib/contract/requests.ts';
import type { RouteContracts } from '#texts/routeContract.ts';
import {
  MAX_TRANSFER_MB,
  previewAnswer,
  TRANSFER_FORMAT,
  TRANSFER_VERSION,
  transferFile,
} from './answers/file.ts';
import { TRANSFER_KINDS } from './rules/kind.ts';

const EXAMPLE = {
  format: TRANSFER_FORMAT,
  version: TRANSFER_VERSION,
  exportedAt: '2026-11-18T00:00:00.000Z',
  watchlists: [{ name: 'Banks', items: [{ symbol: 'BHP', note: 'Results in May', target: 55 }] }],
};
const context = {
  kinds: optional(
    sent(
      text,
      { maxLength: 200 },
      {
        description: `What to import, separated by commas: ${TRANSFER_KINDS.join(', ')}. The default is all.`,
      },
    ),
  ),
  switchOn: optional(described(choice(['yes', 'no']), '`yes` keeps active alerts on; the default is no.')),
};
const refusals = {
  400: 'The file is not a settings export, is damaged, too large, or from a newer version.',
  413: `The file is larger than ${MAX_TRANSFER_MB} MB.`,
  429: 'Too many requests in one minute.',
};
const answer = inWords(previewAnswer, {
  kinds: 'What the import changes, by kind.',
  calls: 'Number of calls in the file. Calls are not imported.',
  seen: 'Identifies this preview for the import.',
  isDone: 'True if the file was imported.',
});
// Checked in the handler, when the caller is known.
const body = byRules(transferFile);

export const TRANSFER = {
  'GET /api/settings/transfer': {
    access: 1,
    tag: 'Own account',
    summary: 'Export settings',
    description:
      'Contains columns, indicators, scans, watchlists, alerts, followed submitters, preferences, quiet hours and a copy of your calls. It contains no ids, chats, device addresses or secrets.',
    answer: transferFile,
    refusals: { 413: 'Your settings are too large for one file.', 429: 'Too many requests in one minute.' },
    example: {},
  },
  'POST /api/settings/transfer/preview': {
    access: 1,
    tag: 'Own account',
    summary: 'Preview a settings import',
    description: 'The body is the file. Nothing is changed.',
    query: object(context),
    body,
    answer,
    refusals,
    example: { body: EXAMPLE },
  },
  'POST /api/settings/transfer': {
    access: 1,
    tag: 'Own account',
    summary: 'Import settings',
    description:
      'Existing items are kept; columns, indicators, preferences and quiet hours are replaced. If anything changed since the preview, nothing is imported and 409 returns a new preview.',
    query: object({
      ...context,
      seen: sent(words, { maxLength: 100, error: '`seen` must be the `seen` value of the preview.' }),
    }),
    body,
    answer,
    refusalForms: { 409: answer },
    refusals: { ...refusals, 409: 'The file or your settings changed since the preview.' },
    example: { body: EXAMPLE },
  },
} as const satisfies RouteContracts;
