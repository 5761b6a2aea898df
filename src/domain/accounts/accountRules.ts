export type SubscriptionType = 'free' | 'basic' | 'premium';
/** 1 free, 2 basic, 3 premium, 4 administrator. */
export type AccessLevel = 1 | 2 | 3 | 4;

export const MIN_PASSWORD_LENGTH = 6;
export const MAX_PASSWORD_LENGTH = 256;
export const MAX_USERNAME_LENGTH = 50;
/** RFC 5321's bound on a path. */
export const MAX_EMAIL_LENGTH = 254;

const TIER_LEVELS = { free: 1, basic: 2, premium: 3 } as const;

/** What an account may do, as one number. */
export const accessLevel = (account: {
  subscriptionType: SubscriptionType;
  isAdmin: boolean;
}): AccessLevel => (account.isAdmin ? 4 : TIER_LEVELS[account.subscriptionType]);

/**
 * The form of a username or email in which two spellings of the same name are equal: blanks at the ends,
 * letter case and Unicode compatibility forms (full-width letters, ligatures) do not count.
 */
export const accountKey = (name: string): string =>
  name.trim().normalize('NFKC').toLowerCase().toUpperCase().toLowerCase().normalize('NFKC').trim();

// Control, format (zero-width, direction marks), private and unassigned code points, and line separators.
const INVISIBLE = /[\p{Cc}\p{Cf}\p{Co}\p{Cn}\p{Cs}\p{Zl}\p{Zp}\u{115F}\u{1160}\u{3164}\u{FFA0}]/u;

/** What is wrong with a password on its own; null when nothing is. */
export function passwordError(password: string): string | null {
  if (password.length < MIN_PASSWORD_LENGTH) return 'Password must be at least 6 characters';
  if (password.length > MAX_PASSWORD_LENGTH) {
    return `Password must be at most ${MAX_PASSWORD_LENGTH} characters`;
  }
  return null;
}

export type RegisterInput = {
  username: string;
  password: string;
  /** The second typing of the password; the server, which never sees it, leaves it out. */
  confirm?: string;
  email?: string;
};

/**
 * Checks a registration in the order of the specification (section 5), then the bounds of this installation.
 *
 * @returns the first sentence to show, or null when the input is good
 */
export function registerError({ username, password, confirm, email }: RegisterInput): string | null {
  const name = username.trim();
  if (name === '') return 'Username is required';
  const weak = passwordError(password);
  if (weak) return weak;
  if (confirm !== undefined && confirm !== password) return 'Passwords do not match';
  if (name.length > MAX_USERNAME_LENGTH) return `Username must be at most ${MAX_USERNAME_LENGTH} characters`;
  if (INVISIBLE.test(name) || accountKey(name) === '')
    return 'Username must not contain invisible characters';
  const address = email?.trim() ?? '';
  if (address === '') return null;
  if (address.length > MAX_EMAIL_LENGTH || !/^[^\s@]+@[^\s@]+$/.test(address) || INVISIBLE.test(address)) {
    return 'Enter a valid email address, or leave it empty';
  }
  return null;
}

/** Both fields of a login are required (section 5); null when they are there. */
export const loginError = (input: { identifier: string; password: string }): string | null =>
  input.identifier.trim() === '' || input.password === '' ? 'Username and password are required' : null;
