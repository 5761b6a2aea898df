import type { SystemClock } from '../clock.ts';
import { bad, type Finding } from '../finding.ts';
import type { HttpClient, HttpRequest } from './client.ts';
import { failureText, statusText } from './failureText.ts';
import type { HttpFailure, TextOutcome } from './outcome.ts';
import { serverTime } from './serverTime.ts';

/** One question that shows whether another server can be used; it changes and sends nothing there. */
export type Probe = {
  /** Whom it asks, in the words of a check. */
  what: string;
  /** What is asked for, one sentence for who presses the button. */
  tries: string;
  /** Who answers, as the beginning of a sentence; `what` where it is left out. */
  who?: string;
  request: HttpRequest;
  /** What a success means. */
  read(body: string): Finding;
  /** What to do about a refusal, one sentence; null for the usual words. */
  whenRefused?(status: number): string | null;
  /** Any answer will do: it is only asked whether the server is there. */
  anyAnswer?: true;
};

/** Until the last byte of an answer, ms. */
export const PROBE_MS = 8000;

/** What a probe found, and how far this machine's clock is from the server's, ms; null where it did not say. */
export type Probed = { finding: Finding; aheadMs: number | null };

function remedyFor(failure: HttpFailure, probe: Probe): string {
  const { hostname } = new URL(probe.request.url);
  if (failure.kind === 'httpError') {
    const own = probe.whenRefused?.(failure.status) ?? null;
    if (own !== null) return own;
    if (failure.status === 429)
      return 'Wait some minutes: another program at this address may ask it too often.';
    if (failure.status >= 500) return 'Nothing is wrong here: try again later.';
    return 'Compare its address with the README; a firewall or proxy on the way may answer in its place.';
  }
  if (failure.kind === 'network') {
    const look = `Look whether this machine reaches ${hostname}: name service, firewall, its address in the settings.`;
    return failure.code?.includes('CERT')
      ? `Look at this machine’s clock, its list of certificate authorities (ca-certificates), and a proxy on the way to ${hostname}.`
      : look;
  }
  return `Look whether the way to ${hostname} is slow or something holds it up, then try again.`;
}

function findingOf(probe: Probe, outcome: TextOutcome): Finding {
  if (outcome.kind === 'ok') return probe.read(outcome.body);
  const isAnswer = outcome.kind === 'httpError' || outcome.kind === 'tooLarge';
  if (isAnswer && probe.anyAnswer) return probe.read('');
  const says = `${probe.who ?? probe.what} ${failureText(outcome, statusText)}.`;
  return bad(probe.what, says, remedyFor(outcome, probe));
}

/** Asks once, within the time limit. Never rejects. */
export async function runProbe(
  probe: Probe,
  { http, clock }: { http: HttpClient; clock: SystemClock },
): Promise<Probed> {
  const began = clock.now();
  const timeoutMs = Math.min(probe.request.timeoutMs, PROBE_MS);
  const outcome = await http.text({ ...probe.request, timeoutMs });
  const server = 'headers' in outcome ? serverTime(outcome.headers) : null;
  const aheadMs = server === null ? null : (began + clock.now()) / 2 - server;
  return { finding: findingOf(probe, outcome), aheadMs };
}
