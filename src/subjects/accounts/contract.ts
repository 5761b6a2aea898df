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
  statusAnswer,
} from './answers/account.ts';
import { paidPlan } from './answers/plans.ts';
import { MAX_EMAIL_LENGTH, MAX_PASSWORD_LENGTH } from './rules/accountRules.ts';
import { MAX_SENT_LENGTH } from './rules/upgrade.ts';
import { MAX_CODE_LENGTH } from './rules/secondFactor.ts';

/** Refusals of logging in and registering. */
const notAuthenticated = object({
  authenticated: notDone,
  accessToken: nothing,
  accessLevel: nothing,
  error: text,
  field: optional(text),
  /** Set if the password was right; send it with the second step. */
  ticket: optional(text),
});

// Missing texts count as empty, so that the rules of accounts report what is missing, in their order. Each may be as
// long as the longest text that any rule allows, so that the rules also report the length.
const name = sent(text, { default: '', maxLength: MAX_EMAIL_LENGTH });
const password = sent(text, { default: '', maxLength: 4 * MAX_PASSWORD_LENGTH });
/** Six digits, or a recovery code; blanks and hyphens are ignored. */
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

const FORM = 'Errors also contain `authenticated: false`.';
const BUSY = 'The server is busy checking other passwords. Wait for the seconds in `Retry-After`.';
const NOT_HERE = 'Not used by this route.';

const ACCESS = {
  'POST /api/login': {
    access: 'anyone',
    tag: 'Accounts',
    summary: 'Log in with username or email',
    description: `${FORM} A 401 with a \`ticket\` means that the account needs \`POST /api/login/second-step\`.`,
    body: object({ identifier: name, password }),
    ...authentication,
    refusals: {
      401: 'Wrong username or password, or a second step is required.',
      403: NOT_HERE,
      409: NOT_HERE,
      429: 'Too many wrong passwords. Wait for the seconds in `Retry-After`.',
      503: BUSY,
    },
    example: { body: { identifier: 'free', password: 'a good password' } },
  },
  'POST /api/login/second-step': {
    access: 'anyone',
    tag: 'Accounts',
    summary: 'Log in with a second factor',
    description: `${FORM} Send the \`ticket\` of the first step, at most five minutes old, and a six-digit code or a recovery code.`,
    body: object({ ticket: sent(text, { default: '', maxLength: 400 }), code: sentCode }),
    ...authentication,
    refusals: {
      400: 'This is not a code.',
      401: 'The code is wrong, or the ticket has expired (`field` is `ticket`).',
      403: NOT_HERE,
      409: 'Codes from the app can no longer be checked.',
      429: 'Too many wrong codes. Wait for the seconds in `Retry-After`.',
      503: NOT_HERE,
    },
    example: { body: { ticket: 'the ticket of the first step', code: '123456' } },
  },
  'POST /api/register': {
    access: 'anyone',
    tag: 'Accounts',
    summary: 'Create an account',
    description: `${FORM} With \`setupToken\`, the account becomes the first administrator.`,
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
      403: 'The set-up link was already used or is not from this server.',
      409: 'The username or email is already taken.',
      429: 'Too many new accounts from one address. Wait for the seconds in `Retry-After`.',
      503: BUSY,
    },
    example: { body: { username: 'newcomer', password: 'a good password', email: null } },
  },
  'POST /api/logout': {
    access: 1,
    tag: 'Accounts',
    summary: 'Log out',
    answer: succeeded,
    example: {},
  },
} as const satisfies RouteContracts;

/** Required for an account with two-factor login. */
const codeIfOn = optional(orNull(sentCode));

const PASSWORD_REFUSALS = {
  400: 'The password or `code` (for two-factor login) is missing or wrong; see `field`.',
  403: 'A demo account has no password.',
  409: 'Codes from the app cannot be checked.',
  429: 'Too many wrong passwords or codes. Wait for the seconds in `Retry-After`.',
  503: BUSY,
};

/** Changes of the caller's own account. */
const OWN = {
  'POST /api/settings/password': {
    access: 1,
    tag: 'Own account',
    summary: 'Change the password',
    description: 'Ends all other sessions of the account.',
    body: object({ currentPassword: password, newPassword: password, code: codeIfOn }),
    answer: succeeded,
    refusals: PASSWORD_REFUSALS,
    example: { body: { currentPassword: 'a good password', newPassword: 'a better passphrase' } },
  },
  'GET /api/settings/sessions': {
    access: 1,
    tag: 'Own account',
    summary: 'List login sessions',
    answer: sessionsAnswer,
    example: {},
  },
  'POST /api/settings/sessions/end': {
    access: 1,
    tag: 'Own account',
    summary: 'End another login session',
    body: object({ id: sent(text, { maxLength: 100, error: 'Choose a login session.' }) }),
    answer: succeeded,
    refusals: { 400: 'This is the current session. Log out instead.', 404: 'The session has already ended.' },
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
    summary: 'Download all data of this account',
    description: 'Contains no passwords, hashes or keys. Times are ISO 8601.',
    answer: exportAnswer,
    refusals: { 429: 'Too many requests in one minute.' },
    example: {},
  },
  'POST /api/settings/delete-account': {
    access: 1,
    tag: 'Own account',
    summary: 'Delete this account',
    description: 'Calls remain under a neutral name without rationales. This cannot be undone.',
    body: object({ password, code: codeIfOn }),
    answer: succeeded,
    refusals: {
      ...PASSWORD_REFUSALS,
      409: 'This is the last administrator, or codes from the app cannot be checked.',
    },
    example: { body: { password: 'a good password' } },
  },
} as const satisfies RouteContracts;

const TOO_MANY = 'Too many wrong passwords or codes. Wait for the seconds in `Retry-After`.';
const PROOF_REFUSALS = {
  400: 'The password or code is missing or wrong; see `field`.',
  403: 'A demo account has no password.',
  409: 'Two-factor login is off, or codes from the app cannot be checked.',
  429: TOO_MANY,
  503: BUSY,
};

/** Two-factor login with the codes of an authenticator app (RFC 6238). */
const SECOND_FACTOR = {
  'GET /api/settings/second-factor': {
    access: 1,
    tag: 'Own account',
    summary: 'Check whether two-factor login is on',
    answer: secondFactorAnswer,
    example: {},
  },
  'POST /api/settings/second-factor/begin': {
    access: 1,
    tag: 'Own account',
    summary: 'Start the set-up of two-factor login',
    description: 'Confirm with a code within half an hour. The secret is shown only once.',
    body: object({ password }),
    answer: begunAnswer,
    refusals: { ...PROOF_REFUSALS, 409: 'Two-factor login is already on.' },
    example: { body: { password: 'a good password' } },
  },
  'POST /api/settings/second-factor/confirm': {
    access: 1,
    tag: 'Own account',
    summary: 'Turn on two-factor login',
    description: 'Ends all other sessions of the account. The recovery codes are shown only once.',
    body: object({ code: sentCode }),
    answer: recoveryCodesAnswer,
    refusals: {
      400: 'The code is missing or wrong.',
      409: 'Two-factor login is already on, or was not started.',
      429: TOO_MANY,
    },
    example: { body: { code: '123456' } },
  },
  'POST /api/settings/second-factor/recovery-codes': {
    access: 1,
    tag: 'Own account',
    summary: 'Create new recovery codes',
    description: 'The old codes stop working. The new codes are shown only once.',
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

const OVERTAKEN = 'The request was decided or withdrawn, or is now for another plan.';
const decision = {
  userId: sent(integer, { minimum: 1, error: 'Choose a user.' }),
  /** The plan that the administrator saw on the screen; without it, the decision is on the plan requested now. */
  requestedSubscriptionType: optional(sent(paidPlan, {})),
};
const NO_ACCOUNT = 'The user does not exist.';

/** Upgrade requests and the decisions of administrators. */
const UPGRADES = {
  'POST /api/settings/request-upgrade': {
    access: 1,
    tag: 'Own account',
    summary: 'Request a plan',
    description: 'An administrator decides. A plan that is unknown or not above the current one is ignored.',
    // An unknown plan is ignored, not rejected (specification, section 5).
    body: object({ level: byRules(optional(paidPlan)) }),
    answer: statusAnswer,
    refusals: { 429: 'Too many requests in one minute.' },
    example: { body: { level: 'premium' } },
  },
  'POST /api/settings/withdraw-upgrade': {
    access: 1,
    tag: 'Own account',
    summary: 'Withdraw a plan request',
    answer: statusAnswer,
    example: {},
  },
  'POST /api/settings/dismiss-declined-upgrade': {
    access: 1,
    tag: 'Own account',
    summary: 'Dismiss the notice of a declined plan',
    answer: statusAnswer,
    example: {},
  },
  'GET /api/admin/upgrade-requests': {
    access: 4,
    tag: 'Users',
    summary: 'List plan requests',
    answer: requestsAnswer,
    example: {},
  },
  'POST /api/admin/approve-upgrade': {
    access: 4,
    tag: 'Users',
    summary: 'Approve a plan request',
    description: 'Takes effect immediately in all open windows.',
    body: object(decision),
    answer: decidedAnswer,
    refusals: { 404: NO_ACCOUNT, 409: OVERTAKEN },
    example: { body: { userId: 2, requestedSubscriptionType: 'premium' } },
  },
  'POST /api/admin/decline-upgrade': {
    access: 4,
    tag: 'Users',
    summary: 'Decline a plan request',
    description: 'The user sees the reason.',
    body: object({ ...decision, reason: sent(text, { default: '', maxLength: 2 * MAX_SENT_LENGTH }) }),
    answer: decidedAnswer,
    refusals: { 400: 'The reason is missing or too long.', 404: NO_ACCOUNT, 409: OVERTAKEN },
    example: { body: { userId: 2, requestedSubscriptionType: 'premium', reason: 'Next month, gladly.' } },
  },
} as const satisfies RouteContracts;

export const ACCOUNTS = { ...ACCESS, ...OWN, ...SECOND_FACTOR, ...UPGRADES } as const;
