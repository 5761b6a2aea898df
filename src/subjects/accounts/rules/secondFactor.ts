import { ok, refuse, type Result } from '#lib/result.ts';
import type { ChatMessage } from '#platform/chatClients/rules/chatMessage.ts';

/** How long a login waits for its code, ms. */
export const TICKET_MS = 5 * 60_000;
/** How long a set-up waits for its first code, ms. */
export const SET_UP_MS = 30 * 60_000;
export const RECOVERY_CODES = 10;
export const MAX_CODE_LENGTH = 60;

export type GivenCode = { is: 'totp'; code: string } | { is: 'recovery'; code: string };

export const inBlocks = (code: string, between = '-'): string =>
  code.replaceAll(/(.{4})(?=.)/g, `$1${between}`);

/** Reads a code; ignores blanks, hyphens and letter case. */
export function readCode(typed: string): Result<GivenCode> {
  const code = typed.slice(0, MAX_CODE_LENGTH).replaceAll(/[\s-]/g, '').toUpperCase();
  if (code === '') return refuse('Enter the code', 'code');
  if (/^\d{6}$/.test(code)) return ok({ is: 'totp', code });
  if (/^[A-Z2-7]{16}$/.test(code)) return ok({ is: 'recovery', code });
  return refuse('A code has six digits, a recovery code 16 letters and digits', 'code');
}

/** Each step's code is accepted once. A last step in the future comes from a wrong clock and is ignored. */
export const isFresh = (step: number, lastStep: number, currentStep: number): boolean =>
  step > lastStep || lastStep > currentStep + 1;

/** Message after an administrator removed the second factor. */
export const clearedMessage: ChatMessage = {
  title: 'Your two-factor login was removed',
  lines: [
    'An administrator removed your two-factor login. You now log in with only your password. Turn it on again in Settings. If you did not ask for this, contact the administrator.',
  ],
  link: null,
  buttons: [],
};

export const wrongCodesMessage: ChatMessage = {
  title: 'Five wrong codes for your account',
  lines: [
    'Five logins with your password failed within a day because of a wrong two-factor code. If that was not you, change your password in Settings.',
  ],
  link: null,
  buttons: [],
};
