import { succeeded } from '../../lib/contract/changes.ts';
import { text } from '../../lib/contract/fields.ts';
import { object } from '../../lib/contract/objects.ts';
import { sent } from '../../lib/contract/requests.ts';
import type { RouteContracts } from '../../texts/routeContract.ts';
import { begunAnswer, recoveryCodesAnswer, secondFactorAnswer } from './answers/secondFactor.ts';
import { MAX_PASSWORD_LENGTH } from './rules/accountRules.ts';
import { MAX_CODE_LENGTH } from './rules/secondFactor.ts';

const password = sent(text, { default: '', maxLength: 4 * MAX_PASSWORD_LENGTH });
/** Six digits, or a recovery code; blanks and hyphens do not count. */
export const sentCode = sent(text, { default: '', maxLength: MAX_CODE_LENGTH });

const BUSY = 'The server is busy with other passwords; `Retry-After` says when to come back.';
const TOO_MANY = 'Too many wrong passwords or codes; `Retry-After` says when.';
const REFUSALS = {
  400: 'Something is missing or wrong: `field` says whether it is the password or the code.',
  403: 'A demo account has no password.',
  409: 'It is not on, or codes of the app can’t be checked.',
  429: TOO_MANY,
  503: BUSY,
};

/** Two-factor login by the codes of an authenticator app (RFC 6238). */
export const SECOND_FACTOR = {
  'GET /api/settings/second-factor/': {
    tag: 'Own account',
    summary: 'Tell whether two-factor login is on',
    answer: secondFactorAnswer,
    example: {},
  },
  'POST /api/settings/second-factor/begin': {
    tag: 'Own account',
    summary: 'Begin to set up two-factor login',
    description: 'It counts once a code was given, within half an hour. The secret is told this once.',
    body: object({ password }),
    answer: begunAnswer,
    refusals: { ...REFUSALS, 409: 'It is on already.' },
    example: { body: { password: 'a good password' } },
  },
  'POST /api/settings/second-factor/confirm': {
    tag: 'Own account',
    summary: 'Turn on two-factor login by a first code',
    description: 'Every other login session of the account ends. The recovery codes are told this once.',
    body: object({ code: sentCode }),
    answer: recoveryCodesAnswer,
    refusals: {
      400: 'That is no code, or not the right one.',
      409: 'It is on already, or was not begun.',
      429: TOO_MANY,
    },
    example: { body: { code: '123456' } },
  },
  'POST /api/settings/second-factor/recovery-codes': {
    tag: 'Own account',
    summary: 'Make new recovery codes',
    description: 'The old ones are void. The new ones are told this once.',
    body: object({ password, code: sentCode }),
    answer: recoveryCodesAnswer,
    refusals: REFUSALS,
    example: { body: { password: 'a good password', code: '123456' } },
  },
  'POST /api/settings/second-factor/off': {
    tag: 'Own account',
    summary: 'Turn off two-factor login',
    body: object({ password, code: sentCode }),
    answer: succeeded,
    refusals: REFUSALS,
    example: { body: { password: 'a good password', code: '123456' } },
  },
} as const satisfies RouteContracts;
