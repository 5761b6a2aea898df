import { integer, orNull, text } from '#lib/contract/fields.ts';
import { object, optional } from '#lib/contract/objects.ts';
import { sent } from '#lib/contract/requests.ts';
import type { RouteContracts } from '#texts/routeContract.ts';
import { firstRestoreAnswer, targetBackupsAnswer } from './answers/firstRestore.ts';

const SETUP =
  'Works only before there is an administrator; send the token of the set-up link as `X-Setup-Token`.';
const refusals = { 403: 'The set-up link is invalid, or there is already an administrator.' } as const;
const secret = optional(orNull(sent(text, { maxLength: 1000, error: 'Type the passphrase or key.' })));
/** The examples have no token, so they are refused. */
const refused = { status: 403 } as const;

/** Restoring a backup on a new server, before it has an administrator. */
export const FIRST_RESTORE = {
  'GET /api/setup/restore': {
    access: 'anyone',
    tag: 'Hosting',
    summary: 'Read the status of a restore',
    description: SETUP,
    answer: firstRestoreAnswer,
    refusals,
    example: refused,
  },
  'GET /api/setup/restore/target': {
    access: 'anyone',
    tag: 'Hosting',
    summary: 'List backups at the backup target',
    description: SETUP,
    answer: targetBackupsAnswer,
    refusals: {
      ...refusals,
      409: 'No backup target is configured.',
      502: 'The backup target cannot be used; `error` gives the reason.',
    },
    example: refused,
  },
  'POST /api/setup/restore/piece': {
    access: 'anyone',
    tag: 'Hosting',
    summary: 'Upload a part of a backup',
    description: `${SETUP} The body is at most 4 MB of application/octet-stream; \`at=0\` starts a new upload.`,
    query: object({
      at: sent(integer, { minimum: 0, error: '`at` must be the position of the part in the file.' }),
      size: sent(integer, { minimum: 1, error: '`size` must be the size of the file in bytes.' }),
    }),
    answer: firstRestoreAnswer,
    refusals: {
      ...refusals,
      409: '`at` is not where the last part ended; see `arrived`.',
      413: 'The part is larger than 4 MB.',
      507: 'The disk is too full.',
    },
    example: { query: { at: '0', size: '5' }, status: 403 },
  },
  'POST /api/setup/restore/check': {
    access: 'anyone',
    tag: 'Hosting',
    summary: 'Check the uploaded backup or one at the target',
    description: `${SETUP} Returns immediately.`,
    body: object({ name: optional(orNull(sent(text, { maxLength: 300 }))), secret }),
    answer: firstRestoreAnswer,
    refusals: { ...refusals, 409: 'Nothing was uploaded, or a check is running.' },
    example: { body: { secret: 'some long words of mine' }, status: 403 },
  },
  'POST /api/setup/restore/apply': {
    access: 'anyone',
    tag: 'Hosting',
    summary: 'Restore the checked backup and restart',
    description: SETUP,
    body: object({ accountsHere: sent(integer, { default: 0, minimum: 0 }) }),
    answer: firstRestoreAnswer,
    refusals: {
      ...refusals,
      409: 'No backup was checked, or `accountsHere` is not the number of accounts on this server.',
    },
    example: { body: { accountsHere: 0 }, ...refused },
  },
} as const satisfies RouteContracts;
