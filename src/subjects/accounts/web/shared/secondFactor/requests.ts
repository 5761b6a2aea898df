import { begunAnswer, recoveryCodesAnswer, secondFactorAnswer } from '#subjects/accounts/answers/account.ts';
import type { Known } from '#lib/contract/fields.ts';
import type { Refusal } from '#lib/result.ts';
import { isMissing, readerOf, request } from '#web/api/client.ts';
import { whyNotDone } from '#web/api/done.ts';

export type Standing = Known<typeof secondFactorAnswer>;
export type Begun = Known<typeof begunAnswer>;
export type Proof = { password: string; code: string };

/** How it stands with the user's two-factor login; 'missing' from a server that has none. @throws ApiError */
export async function fetchStanding(): Promise<Standing | 'missing'> {
  try {
    const standing = await request('GET /api/settings/second-factor', {
      read: readerOf(secondFactorAnswer),
    });
    return standing;
  } catch (problem) {
    if (isMissing(problem)) return 'missing';
    throw problem;
  }
}

/** @throws ApiError */
export const beginSetUp = (password: string): Promise<Begun> =>
  request('POST /api/settings/second-factor/begin', { body: { password }, read: readerOf(begunAnswer) });

/** Turns it on. @returns the recovery codes @throws ApiError */
export const confirmSetUp = async (code: string): Promise<string[]> =>
  (
    await request('POST /api/settings/second-factor/confirm', {
      body: { code },
      read: readerOf(recoveryCodesAnswer),
    })
  ).recoveryCodes;

/** @returns the new recovery codes @throws ApiError */
export const renewCodes = async (proof: Proof): Promise<string[]> =>
  (
    await request('POST /api/settings/second-factor/recovery-codes', {
      body: proof,
      read: readerOf(recoveryCodesAnswer),
    })
  ).recoveryCodes;

export const turnOff = (proof: Proof): Promise<Refusal | null> =>
  whyNotDone(
    request('POST /api/settings/second-factor/off', { body: proof }),
    'Two-factor login could not be turned off.',
  );
