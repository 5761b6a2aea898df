import { downloadAnswer, sent, succeeded, ticketQuery } from '#lib/contract/requests.ts';
import { file, text } from '#lib/contract/fields.ts';
import { object } from '#lib/contract/objects.ts';
import type { RouteContracts } from '#texts/routeContract.ts';
import { backupsAnswer } from './answers/backups.ts';

export const BACKUPS = {
  'GET /api/admin/backups': {
    access: 4,
    tag: 'Hosting',
    summary: 'List backups',
    answer: backupsAnswer,
    example: {},
  },
  'POST /api/admin/backups': {
    access: 4,
    tag: 'Hosting',
    summary: 'Start a backup',
    description: 'Returns immediately; the list of backups shows the progress.',
    answer: succeeded,
    refusals: { 409: 'A backup is already being made.', 429: 'Too many requests in one minute.' },
    example: {},
  },
  'POST /api/admin/backups/:name/download': {
    access: 4,
    tag: 'Hosting',
    summary: 'Create a download link for a backup',
    description: 'Requires the password. The link works once, for one minute, without a token.',
    params: object({ name: sent(text, { maxLength: 150 }) }),
    body: object({ password: sent(text, { default: '', maxLength: 1000, error: 'Enter your password.' }) }),
    answer: downloadAnswer,
    refusals: {
      400: 'Wrong password.',
      404: 'The backup no longer exists.',
      429: 'Too many wrong passwords. Wait for the seconds in `Retry-After`.',
      503: 'The server is busy checking other passwords. Wait for the seconds in `Retry-After`.',
    },
    example: {
      params: { name: 'nightly-2026-11-17T16-10-00-000Z.db' },
      body: { password: 'a good password' },
    },
  },
  'GET /api/backup-download': {
    access: 'anyone',
    tag: 'Hosting',
    summary: 'Download a backup with a one-time link',
    description: 'Returns an SQLite database. The ticket replaces the token.',
    query: ticketQuery,
    answer: file,
    answerType: 'application/vnd.sqlite3',
    refusals: { 404: 'The ticket is unknown, used or older than one minute.' },
    example: { query: { ticket: 'the-ticket-of-the-address' } },
  },
} as const satisfies RouteContracts;
