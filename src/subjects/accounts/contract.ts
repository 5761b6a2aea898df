import { byRules, sent, succeeded } from '#lib/contract/requests.ts';
import { integer, notDone, nothing, orNull, text } from '#lib/contract/fields.ts';
import { object, optional } from '#lib/contract/objects.ts';
import type { RouteContracts } from '#texts/routeContract.ts';
import {
  authenticatedAnswer,
  begunAnswer,
  decidedAnswer,
  exportAnswer,
  recoveryCodesAnswer,
  requestsAnswer,
  secondFactorAnswer,
  sessionsAnswer,
  standingAnswer,
} from './answers/account.ts';
import { paidPlan } from './answers/plans.ts';
import { MAX_EMAIL_LENGTH, MAX_PASSWORD_LENGTH } from './rules/accountRules.ts';
import { MAX_SENT_LENGTH } from './rules/upgrade.ts';
import { MAX_CODE_LENGTH } from './rules/secondFactor.ts';

/** The refusals of logging in and registering. */
const notAuthenticated = object({
  authenticated: notDone,
  accessToken: nothing,
  accessLevel: nothing,
  error: text,
  field: optional(text),
  /** The password was right, and the second step is to come with this. */
  ticket: optional(text),
});

// Missing texts count as empty: the rules of the domain then say what is missing, in their order.
// Each is at most as long as the longest that any of them allows, so that the rules give their own sentences too.
const name = sent(text, { default: '', maxLength: MAX_EMAIL_LENGTH });
const password = sent(text, { default: '', maxLength: 4 * MAX_PASSWORD_LENGTH });
/** Six digits, or a recovery code; blanks and hyphens do not count. */
const sentCode = sent(text, { default: '', maxLength: MAX_CODE_LENGTH });

const authentication = {
  answer: authenticatedAnswer,
  refusalForms: {
    400: notAuthenticated,
    401: notAuthenticated,
    403: notAuthenticated,
    409: notAuthenticated,
    429: notAuthenticated,
    503: notAuthenticated,
  },
} as const;

const FORM = 'What it is refused with has `authenticated: false` beside the sentence.';
const BUSY = 'The server is busy with other passwords; `Retry-After` says when to come back.';
const NOT_HERE = 'Not given by this route.';

/** Logging in and out, and new accounts. */
const ACCESS = {
  'POST /api/login': {
    access: 'anyone',
    tag: 'Accounts',
    summary: 'Log in by username or email',
    description: `${FORM} The token goes into the \`Authorization\` header of what follows. A 401 with a \`ticket\` asks an account with two-factor login for its code: see \`POST /api/login/second-step\`.`,
    body: object({ identifier: name, password }),
    ...authentication,
    refusals: {
      401: 'Username or password is wrong, or the second step is to come.',
      403: NOT_HERE,
      409: NOT_HERE,
      429: 'Too many wrong passwords; `Retry-After` says when.',
      503: BUSY,
    },
    example: { body: { identifier: 'free', password: 'a good password' } },
  },
  'POST /api/login/second-step': {
    access: 'anyone',
    tag: 'Accounts',
    summary: 'Log in by the second factor',
    description: `${FORM} The ticket is that of the first step, five minutes old at most. The code has six digits and works once; a recovery code does too.`,
    body: object({ ticket: sent(text, { default: '', maxLength: 400 }), code: sentCode }),
    ...authentication,
    refusals: {
      400: 'That is no code.',
      401: 'The code is wrong, or (`field` is `ticket`) the ticket is over.',
      403: NOT_HERE,
      409: 'Codes of the app can’t be checked any more.',
      429: 'Too many wrong codes; `Retry-After` says when.',
      503: NOT_HERE,
    },
    example: { body: { ticket: 'the ticket of the first step', code: '123456' } },
  },
  'POST /api/register': {
    access: 'anyone',
    tag: 'Accounts',
    summary: 'Open an account',
    description: `${FORM} With the token of the set-up link, and while there is no administrator, the account becomes one.`,
    body: object({
      username: name,
      password,
      email: optional(orNull(sent(text, { maxLength: 2 * MAX_EMAIL_LENGTH }))),
      platform: optional(sent(text, { maxLength: 20 })),
      setupToken: optional(sent(text, { maxLength: 200 })),
    }),
    ...authentication,
    refusals: {
      401: NOT_HERE,
      403: 'The set-up link was used already, or is not of this server.',
      409: 'Username or email belongs to somebody else.',
      429: 'Too many new accounts from one address within a quarter of an hour or a day; `Retry-After` says when.',
      503: BUSY,
    },
    example: { body: { username: 'newcomer', password: 'a good password', email: null } },
  },
  'POST /api/logout': {
    access: 1,
    tag: 'Accounts',
    summary: 'End the session of this token',
    answer: succeeded,
    example: {},
  },
} as const satisfies RouteContracts;

/** For an account with two-factor login. */
const codeIfOn = optional(orNull(sentCode));

const PASSWORD_REFUSALS = {
  400: 'Something is missing or wrong: `field` says whether it is the password or the `code`, which accounts with two-factor login send too.',
  403: 'A demo account has no password.',
  409: 'Codes of the app can’t be checked.',
  429: 'Too many wrong passwords or codes; `Retry-After` says when.',
  503: BUSY,
};

/** What people do with their own account. */
const OWN = {
  'POST /api/settings/password': {
    access: 1,
    tag: 'Own account',
    summary: 'Change the password',
    description: 'Every other login session of the account ends.',
    body: object({ currentPassword: password, newPassword: password, code: codeIfOn }),
    answer: succeeded,
    refusals: PASSWORD_REFUSALS,
    example: { body: { currentPassword: 'a good password', newPassword: 'a better passphrase' } },
  },
  'GET /api/settings/sessions': {
    access: 1,
    tag: 'Own account',
    summary: 'List where this account is logged in',
    answer: sessionsAnswer,
    example: {},
  },
  'POST /api/settings/sessions/end': {
    access: 1,
    tag: 'Own account',
    summary: 'End another login session',
    body: object({ id: sent(text, { maxLength: 100, error: 'Say which login session.' }) }),
    answer: succeeded,
    refusals: { 400: 'It is the session that asks: log out instead.', 404: 'It has ended already.' },
    example: { body: { id: 'the-id-of-a-session' } },
  },
  'POST /api/settings/sessions/end-others': {
    access: 1,
    tag: 'Own account',
    summary: 'End all other login sessions',
    answer: succeeded,
    example: {},
  },
  'GET /api/settings/export': {
    access: 1,
    tag: 'Own account',
    summary: 'Download everything that is kept of this account',
    description: 'A file, sent as it is read. No password, no hash and no key is in it. Times are ISO 8601.',
    answer: exportAnswer,
    refusals: { 429: 'Asked too often within a minute.' },
    example: {},
  },
  'POST /api/settings/delete-account': {
    access: 1,
    tag: 'Own account',
    summary: 'Delete this account',
    description: 'Its calls stay under a neutral name, without their rationales. This cannot be undone.',
    body: object({ password, code: codeIfOn }),
    answer: succeeded,
    refusals: {
      ...PASSWORD_REFUSALS,
      409: 'It is the last administrator, or codes of the app can’t be checked.',
    },
    example: { body: { password: 'a good password' } },
  },
} as const satisfies RouteContracts;

const TOO_MANY = 'Too many wrong passwords or codes; `Retry-After` says when.';
const PROOF_REFUSALS = {
  400: 'Something is missing or wrong: `field` says whether it is the password or the code.',
  403: 'A demo account has no password.',
  409: 'It is not on, or codes of the app can’t be checked.',
  429: TOO_MANY,
  503: BUSY,
};

/** Two-factor login by the codes of an authenticator app (RFC 6238). */
const SECOND_FACTOR = {
  'GET /api/settings/second-factor': {
    access: 1,
    tag: 'Own account',
    summary: 'Tell whether two-factor login is on',
    answer: secondFactorAnswer,
    example: {},
  },
  'POST /api/settings/second-factor/begin': {
    access: 1,
    tag: 'Own account',
    summary: 'Begin to set up two-factor login',
    description: 'It counts once a code was given, within half an hour. The secret is told this once.',
    body: object({ password }),
    answer: begunAnswer,
    refusals: { ...PROOF_REFUSALS, 409: 'It is on already.' },
    example: { body: { password: 'a good password' } },
  },
  'POST /api/settings/second-factor/confirm': {
    access: 1,
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
    access: 1,
    tag: 'Own account',
    summary: 'Make new recovery codes',
    description: 'The old ones are void. The new ones are told this once.',
    body: object({ password, code: sentCode }),
    answer: recoveryCodesAnswer,
    refusals: PROOF_REFUSALS,
    example: { body: { password: 'a good password', code: '123456' } },
  },
  'POST /api/settings/second-factor/off': {
    access: 1,
    tag: 'Own account',
    summary: 'Turn off two-factor login',
    body: object({ password, code: sentCode }),
    answer: succeeded,
    refusals: PROOF_REFUSALS,
    example: { body: { password: 'a good password', code: '123456' } },
  },
} as const satisfies RouteContracts;

const OVERTAKEN = 'It was decided or withdrawn meanwhile, or is for another plan by now.';
const decision = {
  userId: sent(integer, { minimum: 1, error: 'Say which user.' }),
  /** What the administrator saw on the screen; without it whatever is requested by now. */
  requestedSubscriptionType: optional(sent(paidPlan, {})),
};
const NO_ACCOUNT = 'There is no such account.';

/** The plan that people ask for, and what administrators say to it. */
const UPGRADES = {
  'POST /api/settings/request-upgrade': {
    access: 1,
    tag: 'Own account',
    summary: 'Ask for a plan',
    description: 'An administrator decides. What is no plan, or not above the present one, changes nothing.',
    // Whatever is no plan is ignored, not refused (specification, section 5).
    body: object({ level: byRules(optional(paidPlan)) }),
    answer: standingAnswer,
    refusals: { 429: 'Asked too often within a minute.' },
    example: { body: { level: 'premium' } },
  },
  'POST /api/settings/withdraw-upgrade': {
    access: 1,
    tag: 'Own account',
    summary: 'Take back what was asked for',
    answer: standingAnswer,
    example: {},
  },
  'POST /api/settings/dismiss-declined-upgrade': {
    access: 1,
    tag: 'Own account',
    summary: 'Put away why a plan was declined',
    answer: standingAnswer,
    example: {},
  },
  'GET /api/admin/upgrade-requests': {
    access: 4,
    tag: 'Users',
    summary: 'List who asks for a plan',
    answer: requestsAnswer,
    example: {},
  },
  'POST /api/admin/approve-upgrade': {
    access: 4,
    tag: 'Users',
    summary: 'Give a person the plan that they asked for',
    description: 'It holds at once, in every open window.',
    body: object(decision),
    answer: decidedAnswer,
    refusals: { 404: NO_ACCOUNT, 409: OVERTAKEN },
    example: { body: { userId: 2, requestedSubscriptionType: 'premium' } },
  },
  'POST /api/admin/decline-upgrade': {
    access: 4,
    tag: 'Users',
    summary: 'Decline a plan, with a reason that the person reads',
    body: object({ ...decision, reason: sent(text, { default: '', maxLength: 2 * MAX_SENT_LENGTH }) }),
    answer: decidedAnswer,
    refusals: { 400: 'A reason is missing or too long.', 404: NO_ACCOUNT, 409: OVERTAKEN },
    example: { body: { userId: 2, requestedSubscriptionType: 'premium', reason: 'Next month, gladly.' } },
  },
} as const satisfies RouteContracts;

export const ACCOUNTS = { ...ACCESS, ...OWN, ...SECOND_FACTOR, ...UPGRADES } as const;
