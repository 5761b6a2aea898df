import { isIP } from 'node:net';
import { checkServerIdentity, connect, type TLSSocket } from 'node:tls';
import type { SystemClock } from '../clock.ts';
import { bad, type Finding } from '../finding.ts';
import {
  failureText,
  type HttpClient,
  type HttpFailure,
  type HttpRequest,
  statusText,
  type TextOutcome,
} from './client.ts';

/**
 * The time that a server's answer states, epoch ms; null if it states none. A copy that was kept on the way is as old as it
 * says. The header has whole seconds, which are half a second old on average.
 */
export function serverTime(headers: Headers): number | null {
  const date = Date.parse(headers.get('date') ?? '');
  const age = Number(headers.get('age') ?? 0);
  return Number.isNaN(date) ? null : date + 500 + (age > 0 ? age * 1000 : 0);
}

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
type Probed = { finding: Finding; aheadMs: number | null };

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

/** What a server showed of itself. */
export type ShownCertificate = {
  /** Epoch ms; NaN where it does not say. */
  validFrom: number;
  validTo: number;
  /** Whether it is for another name than the one that was asked for. */
  isOtherName: boolean;
  /** The code of what is wrong with the chain of issuers; null when it is trusted. */
  chainProblem: string | null;
};

/** The name or the address of a machine in an https address; one of IPv6 has brackets around it there. */
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
 * The certificate behind an https address, whatever is wrong with it, by one TLS connection over which nothing is sent.
 * @param timeoutMs for all of it
 * @throws Error when there is no connection in that time
 */
export function shownCertificate(url: string, timeoutMs: number): Promise<ShownCertificate> {
  const host = hostOf(url);
  const { promise, resolve, reject } = Promise.withResolvers<ShownCertificate>();
  const socket = connect({
    host,
    port: Number(new URL(url).port || 443),
    servername: isIP(host) === 0 ? host : '',
    // It is looked at, and nothing is told to whoever shows it.
    rejectUnauthorized: false,
  });
  const limit = setTimeout(() => reject(new Error('no answer in time')), timeoutMs);
  socket.once('secureConnect', () => resolve(shownBy(socket, host)));
  socket.once('error', reject);
  socket.once('close', () => reject(new Error('the connection was closed')));
  return promise.finally(() => {
    clearTimeout(limit);
    socket.destroy();
  });
}
