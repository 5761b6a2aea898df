import { type ReadonlySignal, signal } from '@preact/signals-react';
import { MESSAGES } from '../../src/domain/messages.ts';
import { ApiError, api, messageOf, readRefusal, unwrap } from './api/client.ts';
import { onceBack } from './onceBack.ts';
import { route } from './router/router.ts';
import { SETTINGS_PATH } from './router/routes.ts';
import { sayBriefly } from './saved.ts';
import { keepLinkToken, pendingLinkToken, session } from './session/session.ts';

/** What came of the last one-time link. */
export type ClaimOutcome = { isLinked: boolean; message: string };

const outcome = signal<ClaimOutcome | null>(null);

/** What came of a one-time link in this window; null before one, and once that was dismissed. */
export const claimOutcome: ReadonlySignal<ClaimOutcome | null> = outcome;

export function dismissClaimOutcome(): void {
  outcome.value = null;
}

/** Takes the waiting token, so that no other window of this browser claims it too. */
async function takePending(): Promise<string | null> {
  const take = (): string | null => {
    const token = pendingLinkToken();
    if (token !== null) keepLinkToken(null);
    return token;
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

/** Links the chat whose one-time link was opened to the signed-in user. */
export async function claimLink(): Promise<void> {
  const user = session.peek().accessToken;
  const token = await takePending();
  if (token === null) return;
  try {
    const refusal = readRefusal(await unwrap(api.link.claim.post({ token })), MESSAGES.settings.claim);
    tell({ isLinked: refusal === null, message: refusal?.message ?? MESSAGES.settings.claimed });
  } catch (problem) {
    if (isUndecided(problem)) keepLinkToken(token);
    // Logged out meanwhile: the login says what there is to do.
    if (session.peek().accessToken !== user) return;
    tell({ isLinked: false, message: messageOf(problem, MESSAGES.settings.claim) });
    if (isUndecided(problem)) onceBack(() => void claimLink());
  }
}
