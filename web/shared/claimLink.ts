import { type ReadonlySignal, signal } from '@preact/signals-react';
import { MESSAGES } from '../../src/domain/messages.ts';
import { readBoolean, readRecord, readText } from '../../src/lib/read.ts';
import { ApiError, api, messageOf, readRefusal, unwrap } from './api/client.ts';
import { onceBack } from './onceBack.ts';
import { route } from './router/router.ts';
import { SETTINGS_PATH } from './router/routes.ts';
import { sayBriefly } from './saved.ts';
import { keepLinkToken, pendingLinkToken, session } from './session/session.ts';
import { readStored, writeStored } from './storage.ts';

/** What came of the last one-time link. */
export type ClaimOutcome = { isLinked: boolean; message: string };

const outcome = signal<ClaimOutcome | null>(null);

/** What came of a one-time link in this window; null before one, and once that was dismissed. */
export const claimOutcome: ReadonlySignal<ClaimOutcome | null> = outcome;

export function dismissClaimOutcome(): void {
  outcome.value = null;
}

/** What this browser claimed last, so that the same link in another window is not claimed again. */
const CLAIMED_KEY = 'bellbird.claimedLink';
type Claimed = { token: string; isLinked: boolean };

function acceptClaimed(value: unknown): Claimed | null {
  const { token, isLinked } = readRecord(value);
  const known = readText(token);
  return known === null ? null : { token: known, isLinked: readBoolean(isLinked) ?? false };
}

type Taken = { token: string; before: Claimed | null };

/** Takes the waiting token, so that no other window of this browser claims it too; null when there is none. */
async function takePending(): Promise<Taken | null> {
  const take = (): Taken | null => {
    const token = pendingLinkToken();
    if (token === null) return null;
    keepLinkToken(null);
    const last = readStored(CLAIMED_KEY, acceptClaimed);
    if (last?.token === token) return { token, before: last };
    writeStored(CLAIMED_KEY, { token, isLinked: false } satisfies Claimed);
    return { token, before: null };
  };
  const { locks } = navigator as Partial<Navigator>;
  return locks ? locks.request('bellbird.linkToken', take) : take();
}

function tell(next: ClaimOutcome): void {
  outcome.value = next;
  // Settings shows it itself.
  if (route.peek()?.path !== SETTINGS_PATH) sayBriefly(next.message);
}

/** The server was not reached, or wants a login or some patience first: the token is good still. */
const isUndecided = (problem: unknown): boolean =>
  !(problem instanceof ApiError) || [401, 429].includes(problem.status) || problem.status >= 500;

/** Sends a token that this window took. */
async function claim(token: string): Promise<void> {
  const user = session.peek().accessToken;
  try {
    const refusal = readRefusal(await unwrap(api.link.claim.post({ token })), MESSAGES.settings.claim);
    writeStored(CLAIMED_KEY, refusal === null ? ({ token, isLinked: true } satisfies Claimed) : null);
    tell({ isLinked: refusal === null, message: refusal?.message ?? MESSAGES.settings.claimed });
  } catch (problem) {
    writeStored(CLAIMED_KEY, null);
    if (isUndecided(problem)) keepLinkToken(token);
    // Logged out meanwhile: the login says what there is to do.
    if (session.peek().accessToken !== user) return;
    tell({ isLinked: false, message: messageOf(problem, MESSAGES.settings.claim) });
    if (isUndecided(problem)) onceBack(() => void claimLink());
  }
}

/** Links the chat whose one-time link was opened to the signed-in user; once, in however many windows it is opened. */
export async function claimLink(): Promise<void> {
  const taken = await takePending();
  if (taken === null) return;
  if (taken.before === null) return claim(taken.token);
  // While another window claims it, that one says what comes of it.
  if (taken.before.isLinked) tell({ isLinked: true, message: MESSAGES.settings.claimed });
}
