import { ok, type Refusal, refuse, type Result } from '#lib/result.ts';
import { normalised } from '#lib/unicode.ts';
import { type AccessLevel, accessLevel, type SubscriptionType } from '#platform/http/rules/accessLevel.ts';
import type { PaidPlan } from './upgrade.ts';

/** Control, format, private and unassigned code points, whatever is ignored when it is drawn, and blank letters. */
const INVISIBLE =
  /[\p{Cc}\p{Cf}\p{Co}\p{Cn}\p{Cs}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}\u{2800}\u{115F}\u{1160}\u{3164}\u{FFA0}]/u;

/** Whether a text holds what nobody sees. */
const hasInvisible = (text: string): boolean => INVISIBLE.test(text);

/** Marks with nothing to stand on, and more of them in a row than a language puts on a letter. */
const STRAY_MARKS = /^\p{M}|[^\p{L}\p{M}]\p{M}|\p{M}{4}/u;

/** Letters of phonetic alphabets, small capitals and the like, which are drawn as common ones are. */
const TECHNICAL =
  /[\u{0180}-\u{0186}\u{0250}-\u{02AF}\u{1D00}-\u{1DBF}\u{2C60}-\u{2C7F}\u{A720}-\u{A7FF}\u{AB30}-\u{AB6F}]/u;

/**
 * The scripts in everyday use (Unicode UAX #31, table 5, "recommended"); of three languages those that they write
 * together, with Latin letters (UTS #39, section 5.2, "highly restrictive").
 */
const TOGETHER = `
  Latin, Greek, Cyrillic, Armenian, Georgian, Hebrew, Arabic, Ethiopic, Thaana, Devanagari, Bengali,
  Gurmukhi, Gujarati, Oriya, Tamil, Telugu, Kannada, Malayalam, Sinhala, Thai, Lao, Tibetan,
  Myanmar, Khmer,
  Latin|Han|Hiragana|Katakana, Latin|Han|Hangul, Latin|Han|Bopomofo
`.split(',');

/** For each of these a letter that belongs to others. */
export const FOREIGN_LETTERS = TOGETHER.map((scripts) => {
  const classes = scripts
    .trim()
    .split('|')
    .map((script) => `\\p{Script=${script}}`);
  return new RegExp(`[^${classes.join('')}\\p{Script=Common}\\p{Script=Inherited}]`, 'u');
});

const refused = (message: string): Refusal => ({ field: 'username', message });

/**
 * Why a name could be taken for another one, as far as the name alone says it: nothing invisible, no stray marks, letters
 * of one alphabet. Not of the names that are kept for the house, nor of those of others: `lookalikes.ts`.
 *
 * @param name of a bounded length
 * @returns null for a good name
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
/** A longer text would only make hashing costly. */
export const MAX_PASSWORD_LENGTH = 256;
export const MAX_USERNAME_LENGTH = 50;
/** RFC 5321's bound on a path. */
export const MAX_EMAIL_LENGTH = 254;

/**
 * The form of a username or email in which two spellings of the same name are equal: blanks at the ends,
 * letter case and Unicode compatibility forms (full-width letters, ligatures) do not count.
 */
export const accountKey = (name: string): string =>
  normalised(normalised(name.trim(), 'NFKC').toLowerCase().toUpperCase().toLowerCase(), 'NFKC').trim();

/** Checks a password on its own (specification, section 5, then the upper bound). */
export function checkPassword(password: string): Result<string> {
  if (password.length < MIN_PASSWORD_LENGTH) {
    return refuse(`Password must be at least ${MIN_PASSWORD_LENGTH} characters`, 'password');
  }
  if (password.length > MAX_PASSWORD_LENGTH) {
    return refuse(`Password must be at most ${MAX_PASSWORD_LENGTH} characters`, 'password');
  }
  return ok(password);
}

/** What the specification does not say of usernames: a bound, and none that hides what it is. */
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
  /** The second typing of the password; the server, which never gets it, leaves it out. */
  confirm?: string;
  email?: string | null;
};

/** A registration that may be stored: name and email trimmed, no email as null. */
export type CheckedRegistration = { username: string; password: string; email: string | null };

/**
 * Checks a registration in the order of the specification (section 5), then the bounds of this installation.
 *
 * @returns the registration, or the first refusal; its field is a member of the input
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

/** Both fields of a login are required (section 5); the refusal names the first that is empty. */
export function checkLogin(input: LoginInput): Result<LoginInput> {
  const isNamed = input.identifier.trim() !== '';
  if (isNamed && input.password !== '') return ok(input);
  return refuse('Username and password are required', isNamed ? 'password' : 'identifier');
}

export type PasswordChange = {
  currentPassword: string;
  newPassword: string;
  /** With two-factor login. */
  code?: string | null | undefined;
  /** The second typing; the server, which never gets it, leaves it out. */
  confirm?: string;
};

/**
 * Checks a change of password: the new one by the rules of registration, in their order.
 *
 * @returns the change, or the first refusal; its field is a member of the input
 */
export function checkPasswordChange(input: PasswordChange): Result<PasswordChange> {
  const { currentPassword, newPassword, confirm } = input;
  if (currentPassword === '') return refuse('Type your current password', 'currentPassword');
  const strong = checkPassword(newPassword);
  if (!strong.ok) return refuse(strong.error.message, 'newPassword');
  if (confirm !== undefined && confirm !== newPassword) return refuse('Passwords do not match', 'confirm');
  if (newPassword === currentPassword) {
    return refuse('Choose a password that is not the current one', 'newPassword');
  }
  return ok(input);
}

/**
 * What a deleted account is called wherever it is still named, such as beside its calls.
 *
 * @param attempt from 1; counts on where somebody has that name
 */
export const formerName = (userId: number, attempt: number): string =>
  attempt === 1 ? `Former member ${userId}` : `Former member ${userId} (${attempt})`;

/** What a user's windows must know of the account to show what it may do. */
export type AccountState = {
  accessLevel: AccessLevel;
  /** An administrator who may not administer until two-factor login is on: the server demands it. */
  lacksSecondFactor: boolean;
  subscriptionType: SubscriptionType;
  /** The plan that waits for an administrator; null when none does. */
  requestedSubscriptionType: PaidPlan | null;
  /** Why the last request was declined, until the person asks again or dismisses it. */
  upgradeDeclinedReason: string | null;
};

/** What a user's windows are told of the account itself, on the alert stream. */
export type AccountEvents = {
  /** Something of the account is another than before, or the stream was opened. */
  account_changed: AccountState;
  /** Login sessions of the user were ended; each window has to ask whether its own is among them. */
  sessions_ended: Record<string, never>;
};

/** Hears what becomes of accounts: a user's open windows do, and the chats of an owner. */
export type AccountNotifier = {
  accountChanged(userId: number, state: AccountState): void;
  sessionsEnded(userId: number): void;
  /** Several wrong codes were given for the account. */
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

/** What tells the demo accounts of one browser from those of others: it ends their names. */
export const DEMO_MARK = /^[0-9a-f]{12}$/;

const MARKED = /-[0-9a-f]{12}$/;

/** Whether a demo account of this name is one browser's own, made by the button on the login page. */
export const isBrowserDemo = (username: string): boolean => MARKED.test(accountKey(username));
