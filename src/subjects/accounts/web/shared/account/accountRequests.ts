import {
  type loginSession,
  sessionsAnswer,
  begunAnswer,
  recoveryCodesAnswer,
  secondFactorAnswer,
} from '#subjects/accounts/answers/account.ts';
import type { Known } from '#lib/contract/fields.ts';
import type { Refusal } from '#lib/result.ts';
import type { PasswordChange } from '#subjects/accounts/rules/accountRules.ts';
import { messageOf, readAnswer, readerOf, request, ifMissing } from '#web/api/client.ts';
import { requireDone, whyNotDone } from '#web/api/done.ts';
import { saveFile } from '#web/shared/copyText.ts';
import { endSession } from '../session/session.ts';
import { routeQuery } from '#web/router/navigate.ts';
import { SETTINGS_PATH } from '#web/router/routes.ts';
import { useRef, useState } from 'react';
import { useLoaded } from '#web/shared/useLoaded.ts';

const SHOW = 'two-factor';

export const SECOND_FACTOR_PLACE = `${SETTINGS_PATH}?show=${SHOW}`;

export const isShownFirst = (): boolean => routeQuery.peek().get('show') === SHOW;

/** Members that the server omits are null. */
export type LoginSession = Known<typeof loginSession>;

/** Changes the password and ends the other sessions. */
export const changePassword = ({
  currentPassword,
  newPassword,
  code = null,
}: PasswordChange): Promise<Refusal | null> =>
  whyNotDone(
    request('POST /api/settings/password', { body: { currentPassword, newPassword, code } }),
    'Failed to change the password',
  );

export async function fetchSessions(): Promise<LoginSession[]> {
  return (await request('GET /api/settings/sessions', { read: readerOf(sessionsAnswer) })).sessions;
}

export const endOneSession = (id: string): Promise<Refusal | null> =>
  whyNotDone(request('POST /api/settings/sessions/end', { body: { id } }), 'Failed to end the session');

export const endOtherSessions = (): Promise<Refusal | null> =>
  whyNotDone(request('POST /api/settings/sessions/end-others'), 'Failed to end the sessions');

/** Deletes the account and logs out this browser. */
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

/** @returns why the data was not saved, or null on success */
export async function downloadData(): Promise<string | null> {
  try {
    // Parsed before saving, because a truncated answer is not valid JSON.
    const data = readAnswer(await request('GET /api/settings/export'));
    const text = JSON.stringify(data, null, 1);
    saveFile(new Blob([text], { type: 'application/json' }), 'bellbird-data.json');
    return null;
  } catch (problem) {
    return messageOf(problem, 'Your data could not be downloaded.');
  }
}

export type Status = Known<typeof secondFactorAnswer>;
export type Begun = Known<typeof begunAnswer>;
export type Proof = { password: string; code: string };

/** Returns 'missing' if the server has no two-factor login. @throws ApiError */
export const fetchStatus = (): Promise<Status | 'missing'> =>
  request('GET /api/settings/second-factor', { read: readerOf(secondFactorAnswer) }).catch(
    ifMissing('missing' as const),
  );

export const beginSetUp = (password: string): Promise<Begun> =>
  request('POST /api/settings/second-factor/begin', { body: { password }, read: readerOf(begunAnswer) });

/** @returns the recovery codes */
export const confirmSetUp = async (code: string): Promise<string[]> =>
  (
    await request('POST /api/settings/second-factor/confirm', {
      body: { code },
      read: readerOf(recoveryCodesAnswer),
    })
  ).recoveryCodes;

/** @returns the new recovery codes */
export const renewCodes = async (proof: Proof): Promise<string[]> =>
  (
    await request('POST /api/settings/second-factor/recovery-codes', {
      body: proof,
      read: readerOf(recoveryCodesAnswer),
    })
  ).recoveryCodes;

export const TURN_OFF_FAILED = 'Two-factor login could not be turned off.';

export const turnOff = async (proof: Proof): Promise<void> =>
  requireDone(await request('POST /api/settings/second-factor/off', { body: proof }), TURN_OFF_FAILED);

/** The code field of a form. It is shown if two-factor login is on, or after a refusal that requires a code. */
export function useCode(refusal: Refusal | null) {
  const [typed, setTyped] = useState('');
  const { data } = useLoaded(fetchStatus, '');
  const isOfBox = refusal?.field === 'code';
  const wasOfBox = useRef(false);
  wasOfBox.current ||= isOfBox;
  const isAsked = wasOfBox.current || (data !== null && data !== 'missing' && data.on);
  return { isAsked, typed, setTyped, code: isAsked ? typed : null, error: isOfBox ? refusal.message : null };
}
