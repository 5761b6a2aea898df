import { withoutControls } from './messageText.ts';
import { CallError } from './platformCall.ts';
import type { PlatformCheck, SendOutcome } from './sender.ts';

const MAX_WORDS = 160;

/** Words of a platform for a log or a person: one line, cut, without what looks like a token or an address. */
export const platformWords = (text: string): string =>
  withoutControls(text)
    .replaceAll(/https?:\S{1,1024}|\S{24,1024}/g, '…')
    .slice(0, MAX_WORDS);

/** What became of a message when its call gave no usable answer. */
export function callOutcome(error: unknown): SendOutcome {
  if (!(error instanceof CallError)) {
    // Unforeseen, so nothing is known of the message either; the error's own text may hold an address.
    const name = error instanceof Error ? error.name : typeof error;
    return { kind: 'unknown', reason: `could not be used (${platformWords(name)})` };
  }
  const { reason, mayHaveArrived, retryAfterMs, scope } = error;
  return mayHaveArrived
    ? { kind: 'unknown', reason }
    : { kind: 'later', afterMs: retryAfterMs, scope, reason };
}

/** Reads the outcome of a harmless call: null when it was answered well. */
export async function checkOf(call: () => Promise<SendOutcome | null>): Promise<PlatformCheck> {
  const outcome = await call();
  if (outcome === null) return { kind: 'up' };
  if (outcome.kind === 'botBroken') return outcome;
  return { kind: 'down', reason: 'reason' in outcome ? outcome.reason : 'sent an answer of an unknown form' };
}
