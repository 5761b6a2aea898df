import { type loginSession, sessionsAnswer } from '#subjects/accounts/answers/account.ts';
import type { Known } from '#lib/contract/fields.ts';
import type { Refusal } from '#lib/result.ts';
import type { PasswordChange } from '#subjects/accounts/rules/accountRules.ts';
import { messageOf, readAnswer, readerOf, request } from '#web/api/client.ts';
import { whyNotDone } from '#web/api/done.ts';
import { saveFile } from '#web/shared/copyText.ts';
import { endSession } from '../session/session.ts';

/** A login session of the user's; what is not known of it is null. */
export type LoginSession = Known<typeof loginSession>;

/** Sets another password; the other login sessions end. */
export const changePassword = ({
  currentPassword,
  newPassword,
  code = null,
}: PasswordChange): Promise<Refusal | null> =>
  whyNotDone(
    request('POST /api/settings/password', { body: { currentPassword, newPassword, code } }),
    'Failed to change the password',
  );

/** The user's login sessions. @throws ApiError with the sentence to show */
export async function fetchSessions(): Promise<LoginSession[]> {
  return (await request('GET /api/settings/sessions', { read: readerOf(sessionsAnswer) })).sessions;
}

export const endOneSession = (id: string): Promise<Refusal | null> =>
  whyNotDone(request('POST /api/settings/sessions/end', { body: { id } }), 'Failed to end the session');

export const endOtherSessions = (): Promise<Refusal | null> =>
  whyNotDone(request('POST /api/settings/sessions/end-others'), 'Failed to end the sessions');

/** Deletes the account; this browser is logged out then. */
export async function deleteAccount(proof: {
  password: string;
  code: string | null;
}): Promise<Refusal | null> {
  const refusal = await whyNotDone(
    request('POST /api/settings/delete-account', { body: proof }),
    'Failed to delete the account',
  );
  if (refusal === null) endSession();
  return refusal;
}

/** Saves everything that is kept of the user as a file. @returns why it was not saved, or null when it was */
export async function downloadData(): Promise<string | null> {
  try {
    // Read once before it is saved: half of it is no answer.
    const data = readAnswer(await request('GET /api/settings/export'));
    const text = JSON.stringify(data, null, 1);
    saveFile(new Blob([text], { type: 'application/json' }), 'bellbird-data.json');
    return null;
  } catch (problem) {
    return messageOf(problem, 'Your data could not be downloaded.');
  }
}
