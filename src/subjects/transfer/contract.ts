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
const taking = {
  kinds: optional(
    sent(
      text,
      { maxLength: 200 },
      { description: `What is taken, by commas: of ${TRANSFER_KINDS.join(', ')}. All when absent.` },
    ),
  ),
  switchOn: optional(
    described(choice(['yes', 'no']), 'Whether alerts that were on come in switched on; no when absent.'),
  ),
};
const refusals = {
  400: 'It is no such file, of a newer version, damaged, or has too much in it.',
  413: `The file is larger than ${MAX_TRANSFER_MB} MB.`,
  429: 'Asked too often within a minute.',
};
const answer = inWords(previewAnswer, {
  kinds: 'What becomes of each kind of things that the file has.',
  calls: 'Calls in the file. None is taken: a call counts from the moment it was posted.',
  seen: 'Names this preview: the file, what was chosen of it, and what it would change.',
  isDone: 'Whether the file was taken.',
});
// Its own checks say what is wrong with it, once it is known who sends it.
const body = byRules(transferFile);

/** A person’s set-up as one file, and what becomes of it on another server. */
export const TRANSFER = {
  'GET /api/settings/transfer': {
    access: 1,
    tag: 'Own account',
    summary: 'Download the own set-up as one file for another server',
    description:
      'Columns, chosen indicators, scans, watchlists with notes and targets, alerts, preferences, quiet hours, and own calls ' +
      'to read. There is nothing in it that means something on one server alone: no ids, chats, devices’ addresses or secrets.',
    answer: transferFile,
    refusals: { 413: 'What is kept is more than a file may have.', 429: 'Asked too often within a minute.' },
    example: {},
  },
  'POST /api/settings/transfer/preview': {
    access: 1,
    tag: 'Own account',
    summary: 'Tell what a file would change',
    description: 'Nothing is written. The body is the file.',
    query: object(taking),
    body,
    answer,
    refusals,
    example: { body: EXAMPLE },
  },
  'POST /api/settings/transfer': {
    access: 1,
    tag: 'Own account',
    summary: 'Take a file, all of what is chosen or nothing',
    description:
      'The body is the file. What is here already is neither added again nor changed; columns, chosen indicators, preferences ' +
      'and quiet hours are replaced. If the file or something here changed since the preview, the answer is 409 with a new one.',
    query: object({
      ...taking,
      seen: sent(words, { maxLength: 100, error: 'Say which preview you saw.' }),
    }),
    body,
    answer,
    refusalForms: { 409: answer },
    refusals: { ...refusals, 409: 'Something changed since the preview.' },
    example: { body: EXAMPLE },
  },
} as const satisfies RouteContracts;
