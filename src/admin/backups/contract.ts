import { downloadAnswer, sent, succeeded, ticketQuery } from '#lib/contract/requests.ts';
import { file, text } from '#lib/contract/fields.ts';
import { object } from '#lib/contract/objects.ts';
import type { RouteContracts } from '#texts/routeContract.ts';
import { backupsAnswer } from './answers/backups.ts';

/** Copies of the database: which there are, making one, and downloading one. */
export const BACKUPS = {
  'GET /api/admin/backups': {
    access: 4,
    tag: 'Hosting',
    summary: 'List the backups, and how the one under way stands',
    answer: backupsAnswer,
    example: {},
  },
  'POST /api/admin/backups': {
    access: 4,
    tag: 'Hosting',
    summary: 'Make a backup now',
    description: 'The answer does not wait for it; the list says how it stands.',
    answer: succeeded,
    refusals: {
      409: 'Another backup is being made. Try again when it is done.',
      429: 'Asked too often within a minute.',
    },
    example: {},
  },
  'POST /api/admin/backups/:name/download': {
    access: 4,
    tag: 'Hosting',
    summary: 'Get an address to download a backup from',
    description: 'Asks for the password again. The address holds for a minute, once, and needs no token.',
    params: object({ name: sent(text, { maxLength: 150 }) }),
    body: object({ password: sent(text, { default: '', maxLength: 1000, error: 'Type your password.' }) }),
    answer: downloadAnswer,
    refusals: {
      400: 'That is not the password of this account.',
      404: 'The backup is not there any more.',
      429: 'Too many wrong passwords; `Retry-After` says when.',
      503: 'The server is busy with other passwords; `Retry-After` says when to come back.',
    },
    example: {
      params: { name: 'nightly-2026-11-17T16-10-00-000Z.db' },
      body: { password: 'a good password' },
    },
  },
  'GET /api/backup-download': {
    access: 'anyone',
    tag: 'Hosting',
    summary: 'Download a backup by its one-time address',
    description: 'An SQLite database. The ticket stands in for the token.',
    query: ticketQuery,
    answer: file,
    answerType: 'application/vnd.sqlite3',
    refusals: { 404: 'The ticket was used, is older than a minute, or was never given.' },
    example: { query: { ticket: 'the-ticket-of-the-address' } },
  },
} as const satisfies RouteContracts;
