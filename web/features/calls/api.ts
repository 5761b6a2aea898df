import type { Call, CallInput, LeaderboardAnswer, OwnCall } from '../../../src/domain/calls/types.ts';
import { api, unwrap } from '../../shared/api/client.ts';

/** A refusal that is no error for the transport (409): somebody was faster, and says so. */
type Conflict = { error: string };
const conflictOf = (answer: object | null): string | null =>
  answer !== null && 'error' in answer ? (answer as Conflict).error : null;

/** Leaderboard and recent calls, as the caller may see them. */
export const fetchBoard = async (): Promise<LeaderboardAnswer> => await unwrap(api.calls.leaderboard.get());

/** The signed-in user's own calls, newest first. */
export const fetchMine = async (): Promise<OwnCall[]> => (await unwrap(api.calls.mine.get())).calls;

/** Submits a call that has passed `submitError`. @throws ApiError with the server's sentence */
export async function postCall(input: CallInput): Promise<void> {
  await unwrap(api.calls.post(input));
}

/** Closes an own call. @returns null, or why it could not be closed any more */
export const closeCall = async (publicId: Call['publicId'], pocketedValue: number): Promise<string | null> =>
  conflictOf(
    await unwrap(api.calls({ publicId: encodeURIComponent(publicId) }).close.post({ pocketedValue })),
  );

/** Cancels an own call. @returns null, or why it could not be cancelled any more */
export const cancelCall = async (publicId: Call['publicId']): Promise<string | null> =>
  conflictOf(await unwrap(api.calls({ publicId: encodeURIComponent(publicId) }).cancel.post({})));
