import { isIP } from 'node:net';
import { checkServerIdentity, connect, type TLSSocket } from 'node:tls';
import type { SystemClock } from '../clock.ts';
import { bad, type CheckResult } from '../checkResult.ts';
import {
  failureText,
  type HttpClient,
  type HttpFailure,
  type HttpRequest,
  statusText,
  type TextOutcome,
} from './client.ts';

/**
 * The server's time in an answer, epoch ms; null if missing. Adds the age of a cached answer, and half a
 * second because the header has whole seconds.
 */
export function serverTime(headers: Headers): number | null {
  const date = Date.parse(headers.get('date') ?? '');
  const age = Number(headers.get('age') ?? 0);
  return Number.isNaN(date) ? null : date + 500 + (age > 0 ? age * 1000 : 0);
}

/** A request that shows whether another server can be used. It changes nothing there. */
export type Probe = {
  what: string;
  tries: string;
  who?: string;
  request: HttpRequest;
  read(body: string): CheckResult;
  /** The fix for a refusal, one sentence; null for the usual one. */
  whenRefused?(status: number): string | null;
  /** Any answer counts, because only reachability is tested. */
  anyAnswer?: true;
};

export const PROBE_MS = 8000;

/** The finding, and how far this machine's clock is ahead of the server's, ms; null if unknown. */
type Probed = { result: CheckResult; aheadMs: number | null };

function remedyFor(failure: HttpFailure, probe: Probe): string {
  const { hostname } = new URL(probe.request.url);
  if (failure.kind === 'httpError') {
    const own = probe.whenRefused?.(failure.status) ?? null;
    if (own !== null) return own;
    if (failure.status === 429)
      return 'Wait a few minutes: another program at this address may send too many requests.';
    if (failure.status >= 500) return 'The fault is not on this server. Try again later.';
    return 'Check its address against the README. A firewall or proxy may answer in its place.';
  }
  if (failure.kind === 'network') {
    const advice = `Check that this machine can reach ${hostname}: DNS, firewall, and its address in the settings.`;
    return failure.code?.includes('CERT')
      ? `Check this machine’s clock, its certificate authorities (ca-certificates), and any proxy to ${hostname}.`
      : advice;
  }
  return `Check whether the connection to ${hostname} is slow or blocked, then try again.`;
}

function resultOf(probe: Probe, outcome: TextOutcome): CheckResult {
  if (outcome.kind === 'ok') return probe.read(outcome.body);
  const isAnswer = outcome.kind === 'httpError' || outcome.kind === 'tooLarge';
  if (isAnswer && probe.anyAnswer) return probe.read('');
  const message = `${probe.who ?? probe.what} ${failureText(outcome, statusText)}.`;
  return bad(probe.what, message, remedyFor(outcome, probe));
}

export async function runProbe(
  probe: Probe,
  { http, clock }: { http: HttpClient; clock: SystemClock },
): Promise<Probed> {
  const began = clock.now();
  const timeoutMs = Math.min(probe.request.timeoutMs, PROBE_MS);
  const outcome = await http.text({ ...probe.request, timeoutMs });
  const server = 'headers' in outcome ? serverTime(outcome.headers) : null;
  const aheadMs = server === null ? null : (began + clock.now()) / 2 - server;
  return { result: resultOf(probe, outcome), aheadMs };
}

export type ShownCertificate = {
  /** Epoch ms; NaN if missing. */
  validFrom: number;
  validTo: number;
  isOtherName: boolean;
  /** Error code of the chain of issuers; null if it is trusted. */
  chainProblem: string | null;
};

/** The host of an https address, without the brackets of IPv6. */
export const hostOf = (url: string): string => new URL(url).hostname.replaceAll(/[[\]]/g, '');

function shownBy(socket: TLSSocket, host: string): ShownCertificate {
  const certificate = socket.getPeerCertificate();
  const isNameOnly = String(socket.authorizationError).includes('ALTNAME');
  return {
    validFrom: Date.parse(certificate.valid_from),
    validTo: Date.parse(certificate.valid_to),
    isOtherName: checkServerIdentity(host, certificate) !== undefined,
    chainProblem: socket.authorized || isNameOnly ? null : String(socket.authorizationError),
  };
}

/**
 * The certificate of an https address, valid or not, read over a TLS connection without a request.
 * @param timeoutMs for the whole operation
 * @throws Error if there is no connection in that time
 */
export function shownCertificate(url: string, timeoutMs: number): Promise<ShownCertificate> {
  const host = hostOf(url);
  const { promise, resolve, reject } = Promise.withResolvers<ShownCertificate>();
  const socket = connect({
    host,
    port: Number(new URL(url).port || 443),
    servername: isIP(host) === 0 ? host : '',
    // The certificate is only inspected and no data is sent.
    rejectUnauthorized: false,
  });
  const limit = setTimeout(() => reject(new Error('no answer within the time limit')), timeoutMs);
  socket.once('secureConnect', () => resolve(shownBy(socket, host)));
  socket.once('error', reject);
  socket.once('close', () => reject(new Error('the connection was closed')));
  return promise.finally(() => {
    clearTimeout(limit);
    socket.destroy();
  });
}
