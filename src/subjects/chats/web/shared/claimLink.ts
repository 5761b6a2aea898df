import { type ReadonlySignal, signal } from '@preact/signals-react';
import { offerAnswer } from '#subjects/chats/answers/linkedChats.ts';
import type { Known } from '#lib/contract/fields.ts';
import { MESSAGES } from '#texts/messages.ts';
import { readBoolean, readRecord, readText } from '#lib/read.ts';
import { ApiError, messageOf, readRefusal, request } from '#web/api/client.ts';
import { onReconnect } from '#web/shared/onReconnect.ts';
import { route } from '#web/router/router.ts';
import { SETTINGS_PATH } from '#web/router/routes.ts';
import { showBriefly } from '#web/shared/saved.ts';
import { keepLinkToken, pendingLinkToken, session } from '#subjects/accounts/web/shared/session/session.ts';
import { readStored, writeStored } from '#web/shared/storage.ts';

/** Members that the server omits are null. */
export type OfferedChat = Known<typeof offerAnswer>;

const question = signal<OfferedChat | null>(null);

/** The chat waiting for the user's answer; null for none. */
export const claimQuestion: ReadonlySignal<OfferedChat | null> = question;

export type ClaimOutcome = { isLinked: boolean; message: string };

const outcome = signal<ClaimOutcome | null>(null);

/** The result of claiming a link; null before that, and after dismissal. */
export const claimOutcome: ReadonlySignal<ClaimOutcome | null> = outcome;

export function dismissClaimOutcome(): void {
  outcome.value = null;
}

/** Storage key of the last claimed link, so that another window does not claim it again. */
const CLAIMED_KEY = 'bellbird.claimedLink';
type Claimed = { token: string; isLinked: boolean };

function acceptClaimed(value: unknown): Claimed | null {
  const { token, isLinked } = readRecord(value);
  const known = readText(token);
  return known === null ? null : { token: known, isLinked: readBoolean(isLinked) ?? false };
}

type PendingLink = { token: string; before: Claimed | null };

/** Takes the pending token, so that no other window claims it; null if there is none. */
async function takePending(): Promise<PendingLink | null> {
  const take = (): PendingLink | null => {
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

function show(next: ClaimOutcome): void {
  outcome.value = next;
  // Settings itself shows the message.
  if (route.peek()?.path !== SETTINGS_PATH) showBriefly(next.message);
}

/** Whether the token stays valid: the server was unreachable, or requires a login or a pause first. */
const isUndecided = (problem: unknown): boolean =>
  !(problem instanceof ApiError) || [401, 429].includes(problem.status) || problem.status >= 500;

async function claim(token: string): Promise<void> {
  const user = session.peek().accessToken;
  try {
    const refusal = readRefusal(
      await request('POST /api/link/claim', { body: { token } }),
      MESSAGES.settings.claim,
    );
    writeStored(CLAIMED_KEY, refusal === null ? ({ token, isLinked: true } satisfies Claimed) : null);
    show({ isLinked: refusal === null, message: refusal?.message ?? MESSAGES.settings.claimed });
  } catch (problem) {
    writeStored(CLAIMED_KEY, null);
    if (isUndecided(problem)) keepLinkToken(token);
    // After a logout, the login screen explains what to do.
    if (session.peek().accessToken !== user) return;
    show({ isLinked: false, message: messageOf(problem, MESSAGES.settings.claim) });
    if (isUndecided(problem)) onReconnect(() => void claimLink());
  }
}

/** Drops the question if another window of this browser has answered it. */
function dropAnswered(): void {
  if (pendingLinkToken() !== null) return;
  question.value = null;
  window.removeEventListener('storage', dropAnswered);
}

/**
 * Asks before linking a chat, because a link from another person would give that person the user's alerts. Asking does
 * not use up the link.
 */
export async function askToLink(): Promise<void> {
  const token = pendingLinkToken();
  if (token === null) return;
  const last = readStored(CLAIMED_KEY, acceptClaimed);
  if (last?.token === token && last.isLinked) {
    keepLinkToken(null);
    return show({ isLinked: true, message: MESSAGES.settings.claimed });
  }
  const user = session.peek().accessToken;
  try {
    const offer = await request('POST /api/link/offer', { body: { token }, read: offerAnswer.read });
    if (pendingLinkToken() !== token) return;
    question.value = offer;
    window.addEventListener('storage', dropAnswered);
  } catch (problem) {
    if (session.peek().accessToken !== user) return;
    // A server without the offer route can still claim.
    if (problem instanceof ApiError && problem.status === 404) {
      question.value = { platform: null, id: null, label: null };
      return;
    }
    if (!isUndecided(problem)) keepLinkToken(null);
    show({ isLinked: false, message: messageOf(problem, MESSAGES.settings.claim) });
    if (isUndecided(problem)) onReconnect(() => void askToLink());
  }
}

/** Answers the question. A declined link stays valid for its sender. */
export async function answerClaim(isYes: boolean): Promise<void> {
  question.value = null;
  if (isYes) return claimLink();
  keepLinkToken(null);
}

/** Links the chat once, even if the link is open in several windows. */
export async function claimLink(): Promise<void> {
  const pending = await takePending();
  if (pending === null) return;
  if (pending.before === null) return claim(pending.token);
  // If another window is still claiming the link, that window reports the result.
  if (pending.before.isLinked) show({ isLinked: true, message: MESSAGES.settings.claimed });
}
