import { ok, refuse, type Result } from '#lib/result.ts';
import { checkPassword } from './accountRules.ts';

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
