import { ok, type Refusal, refuse, type Result } from '#lib/result.ts';
import { normalised } from '#lib/unicode.ts';
import { type AccessLevel, accessLevel, type SubscriptionType } from '#platform/http/rules/accessLevel.ts';
import type { PaidPlan } from './upgrade.ts';

/** Control, format, private, unassigned and default-ignorable code points, and blank letters. */
const INVISIBLE =
  /[\p{Cc}\p{Cf}\p{Co}\p{Cn}\p{Cs}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}\u{2800}\u{115F}\u{1160}\u{3164}\u{FFA0}]/u;

const hasInvisible = (text: string): boolean => INVISIBLE.test(text);

/** Combining marks without a letter, or more in a row than any language uses. */
const STRAY_MARKS = /^\p{M}|[^\p{L}\p{M}]\p{M}|\p{M}{4}/u;

/** Phonetic letters, small capitals and similar, which look like common letters. */
const TECHNICAL =
  /[\u{0180}-\u{0186}\u{0250}-\u{02AF}\u{1D00}-\u{1DBF}\u{2C60}-\u{2C7F}\u{A720}-\u{A7FF}\u{AB30}-\u{AB6F}]/u;

/**
 * Scripts in everyday use (Unicode UAX #31, table 5, "recommended"). Three languages combine several, with Latin
 * letters (UTS #39, section 5.2, "highly restrictive").
 */
const TOGETHER = `
  Latin, Greek, Cyrillic, Armenian, Georgian, Hebrew, Arabic, Ethiopic, Thaana, Devanagari, Bengali,
  Gurmukhi, Gujarati, Oriya, Tamil, Telugu, Kannada, Malayalam, Sinhala, Thai, Lao, Tibetan,
  Myanmar, Khmer,
  Latin|Han|Hiragana|Katakana, Latin|Han|Hangul, Latin|Han|Bopomofo
`.split(',');

/** One expression per group; each matches a letter of any other script. */
export const FOREIGN_LETTERS = TOGETHER.map((scripts) => {
  const classes = scripts
    .trim()
    .split('|')
    .map((script) => `\\p{Script=${script}}`);
  return new RegExp(`[^${classes.join('')}\\p{Script=Common}\\p{Script=Inherited}]`, 'u');
});

const refused = (message: string): Refusal => ({ field: 'username', message });

/**
 * Refuses names that could be mistaken for others: with invisible characters, stray marks, or letters of several
 * alphabets. `lookalikes.ts` compares with reserved names and other users' names.
 */
export function refuseName(name: string): Refusal | null {
  if (hasInvisible(name)) return refused('Username must not contain invisible characters');
  if (STRAY_MARKS.test(name)) return refused('Username must not contain marks without a letter');
  if (TECHNICAL.test(name)) return refused('Username must not contain phonetic letters');
  return FOREIGN_LETTERS.every((foreign) => foreign.test(name))
    ? refused('Username must not mix letters of different alphabets')
    : null;
}

const MIN_PASSWORD_LENGTH = 6;
/** Longer passwords would only make hashing slow. */
export const MAX_PASSWORD_LENGTH = 256;
export const MAX_USERNAME_LENGTH = 50;
/** Limit of a path in RFC 5321. */
export const MAX_EMAIL_LENGTH = 254;

/**
 * The key under which spellings of a name or email are equal: ignores blanks at the ends, letter case and Unicode
 * compatibility forms (full-width letters, ligatures).
 */
export const accountKey = (name: string): string =>
  normalised(normalised(name.trim(), 'NFKC').toLowerCase().toUpperCase().toLowerCase(), 'NFKC').trim();

/** Checks a password by the specification (section 5) and the upper limit. */
export function checkPassword(password: string): Result<string> {
  if (password.length < MIN_PASSWORD_LENGTH) {
    return refuse(`Password must be at least ${MIN_PASSWORD_LENGTH} characters`, 'password');
  }
  if (password.length > MAX_PASSWORD_LENGTH) {
    return refuse(`Password must be at most ${MAX_PASSWORD_LENGTH} characters`, 'password');
  }
  return ok(password);
}

/** Checks limits of usernames that the specification does not have. */
function checkUsername(username: string): Result<string> {
  if (username.length > MAX_USERNAME_LENGTH) {
    return refuse(`Username must be at most ${MAX_USERNAME_LENGTH} characters`, 'username');
  }
  const refusal = refuseName(username);
  if (refusal !== null) return refuse(refusal.message, 'username');
  return accountKey(username) === ''
    ? refuse('Username must not contain invisible characters', 'username')
    : ok(username);
}

function checkEmail(typed: string): Result<string | null> {
  const email = typed.trim();
  if (email === '') return ok(null);
  const isUsable =
    email.length <= MAX_EMAIL_LENGTH && /^[^\s@]{1,254}@[^\s@]{1,254}$/.test(email) && !hasInvisible(email);
  return isUsable ? ok(email) : refuse('Enter a valid email address, or leave it empty', 'email');
}

export type RegisterInput = {
  username: string;
  password: string;
  /** The repeated password; only the form sends it. */
  confirm?: string;
  email?: string | null;
};

export type CheckedRegistration = { username: string; password: string; email: string | null };

/**
 * Checks a registration in the order of the specification (section 5), then this installation's limits.
 * @returns the first refusal names a member of the input
 */
export function checkRegistration(input: RegisterInput): Result<CheckedRegistration> {
  const { password, confirm } = input;
  const name = input.username.trim();
  if (name === '') return refuse('Username is required', 'username');
  const strong = checkPassword(password);
  if (!strong.ok) return strong;
  if (confirm !== undefined && confirm !== password) return refuse('Passwords do not match', 'confirm');
  const username = checkUsername(name);
  if (!username.ok) return username;
  const email = checkEmail(input.email ?? '');
  return email.ok ? ok({ username: name, password, email: email.value }) : email;
}

export type LoginInput = { identifier: string; password: string };

/** Checks that both fields are filled (section 5); the refusal names the first empty one. */
export function checkLogin(input: LoginInput): Result<LoginInput> {
  const isNamed = input.identifier.trim() !== '';
  if (isNamed && input.password !== '') return ok(input);
  return refuse('Username and password are required', isNamed ? 'password' : 'identifier');
}

export type PasswordChange = {
  currentPassword: string;
  newPassword: string;
  code?: string | null | undefined;
  /** The repeated password; only the form sends it. */
  confirm?: string;
};

/**
 * Checks the new password by the rules of registration, in their order.
 * @returns the first refusal names a member of the input
 */
export function checkPasswordChange(input: PasswordChange): Result<PasswordChange> {
  const { currentPassword, newPassword, confirm } = input;
  if (currentPassword === '') return refuse('Enter your current password', 'currentPassword');
  const strong = checkPassword(newPassword);
  if (!strong.ok) return refuse(strong.error.message, 'newPassword');
  if (confirm !== undefined && confirm !== newPassword) return refuse('Passwords do not match', 'confirm');
  if (newPassword === currentPassword) {
    return refuse('Choose a password different from the current one', 'newPassword');
  }
  return ok(input);
}

/**
 * The name shown for a deleted account, for example next to its calls.
 * @param attempt from 1; higher if the name is taken
 */
export const formerName = (userId: number, attempt: number): string =>
  attempt === 1 ? `Former member ${userId}` : `Former member ${userId} (${attempt})`;

/** The account data that a user's windows need. */
export type AccountState = {
  accessLevel: AccessLevel;
  /** True for an administrator who cannot administer until two-factor login is on. */
  lacksSecondFactor: boolean;
  subscriptionType: SubscriptionType;
  requestedSubscriptionType: PaidPlan | null;
  /** Why the last request was declined, until the user makes another request or dismisses the reason. */
  upgradeDeclinedReason: string | null;
};

export type AccountEvents = {
  /** The account changed, or the stream was opened. */
  account_changed: AccountState;
  /** Some of the user's login sessions ended; each window must check its own. */
  sessions_ended: Record<string, never>;
};

/** Notifies a user's open windows and chats. */
export type AccountNotifier = {
  accountChanged(userId: number, state: AccountState): void;
  sessionsEnded(userId: number): void;
  wrongCodes(userId: number): void;
};

export const toAccountState = (
  account: Omit<AccountState, 'accessLevel'> & { isAdmin: boolean },
): AccountState => ({
  accessLevel: accessLevel(account),
  lacksSecondFactor: account.lacksSecondFactor,
  subscriptionType: account.subscriptionType,
  requestedSubscriptionType: account.requestedSubscriptionType,
  upgradeDeclinedReason: account.upgradeDeclinedReason,
});

/** The end of a demo account's name, which differs between browsers. */
export const DEMO_MARK = /^[0-9a-f]{12}$/;

const MARKED = /-[0-9a-f]{12}$/;

export const isBrowserDemo = (username: string): boolean => MARKED.test(accountKey(username));
