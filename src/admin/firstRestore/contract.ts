import { integer, orNull, text } from '#lib/contract/fields.ts';
import { object, optional } from '#lib/contract/objects.ts';
import { sent } from '#lib/contract/requests.ts';
import type { RouteContracts } from '#texts/routeContract.ts';
import { firstRestoreAnswer, targetBackupsAnswer } from './answers/firstRestore.ts';

const WHO =
  'For who holds the set-up link of a server without an administrator: its token stands in the header `X-Setup-Token`.';
const refusals = { 403: 'The set-up link is not good, or there is an administrator.' } as const;
const secret = optional(orNull(sent(text, { maxLength: 1000, error: 'Type the passphrase or key.' })));
/** The example has no token. */
const refused = { status: 403 } as const;

/** Restoring a backup on a new server, before it has an administrator. */
export const FIRST_RESTORE = {
  'GET /api/setup/restore': {
    access: 'anyone',
    tag: 'Hosting',
    summary: 'How restoring on a new server stands',
    description: WHO,
    answer: firstRestoreAnswer,
    refusals,
    example: refused,
  },
  'GET /api/setup/restore/target': {
    access: 'anyone',
    tag: 'Hosting',
    summary: 'List the backups at the backup target',
    description: WHO,
    answer: targetBackupsAnswer,
    refusals: {
      ...refusals,
      409: 'No target is set.',
      502: 'The target can’t be used; the sentence says why.',
    },
    example: refused,
  },
  'POST /api/setup/restore/piece': {
    access: 'anyone',
    tag: 'Hosting',
    summary: 'Send a piece of a backup',
    description: `${WHO} The body is the piece itself, as application/octet-stream, 4 MB at most; the first begins anew.`,
    query: object({
      at: sent(integer, { minimum: 0, error: 'Say where the piece begins.' }),
      size: sent(integer, { minimum: 1, error: 'Say how large the file is.' }),
    }),
    answer: firstRestoreAnswer,
    refusals: {
      ...refusals,
      409: 'The piece does not begin where the last one ended; `arrived` says where.',
      413: 'The piece is too large.',
      507: 'There is not enough room.',
    },
    example: { query: { at: '0', size: '5' }, status: 403 },
  },
  'POST /api/setup/restore/check': {
    access: 'anyone',
    tag: 'Hosting',
    summary: 'Check the backup that came, or one of the target',
    description: `${WHO} The answer does not wait for it.`,
    body: object({ name: optional(orNull(sent(text, { maxLength: 300 }))), secret }),
    answer: firstRestoreAnswer,
    refusals: { ...refusals, 409: 'Nothing came yet, or one is being checked.' },
    example: { body: { secret: 'some long words of mine' }, status: 403 },
  },
  'POST /api/setup/restore/apply': {
    access: 'anyone',
    tag: 'Hosting',
    summary: 'Restore the checked backup and restart',
    description: WHO,
    body: object({ accountsHere: sent(integer, { default: 0, minimum: 0 }) }),
    answer: firstRestoreAnswer,
    refusals: {
      ...refusals,
      409: 'No backup was checked, or this server has another number of accounts than `accountsHere`.',
    },
    example: { body: { accountsHere: 0 }, ...refused },
  },
} as const satisfies RouteContracts;
