import type { SystemClock } from '#lib/clock.ts';
import { bad, doubtful, type Finding, good } from '#lib/finding.ts';
import { failureText, type HttpClient, statusText } from '#lib/httpClient/client.ts';
import { hostOf, PROBE_MS, shownCertificate } from '#lib/httpClient/probe.ts';
import { healthAnswer } from '#admin/health/answers/health.ts';
import { errorCode } from '#lib/errors.ts';
import { certificateFinding } from '../rules/findings.ts';

/** Why it could not be asked, in a word or two. */
function reasonOf(problem: unknown): string {
  const code = errorCode(problem);
  if (code) return code;
  return problem instanceof Error ? problem.message : 'no TLS';
}

/**
 * Looks at the certificate behind the public address, whatever is wrong with it; nothing is sent there.
 * @param address an https address; @param now epoch ms; @param timeoutMs for all of it
 * @returns never rejects
 */
async function lookAtCertificate(address: string, now: number, timeoutMs: number): Promise<Finding> {
  const host = hostOf(address);
  try {
    return certificateFinding(await shownCertificate(address, timeoutMs), host, now);
  } catch (problem) {
    return bad(
      'Certificate',
      `${host} could not be asked for its certificate (${reasonOf(problem)}).`,
      'Look whether the proxy runs and its name points to this machine.',
    );
  }
}

type Needs = { http: HttpClient; clock: SystemClock };

const WHAT = 'Public address';
const MAX_STREAM_BYTES = 32 * 1024 * 1024;
/** What comes later than this after the first bytes came by itself: a stream says something every two seconds. */
const LATER_MS = 500;
/** A proxy that collects lets nothing through for longer. */
const STREAM_MS = 7000;

const STREAM_REMEDY =
  'Have the proxy pass answers on at once: take deploy/Caddyfile, or set "proxy_buffering off" in nginx.';

/** Opens the stream as a browser does, until a second word came. */
async function streamFinding(address: string, { http, clock }: Needs): Promise<Finding> {
  const stop = new AbortController();
  let firstAt: number | null = null;
  let isLive = false;
  const outcome = await http.bytes({
    method: 'GET',
    url: `${address}/api/data/stream`,
    endpoint: 'own/data/stream',
    headers: { accept: 'text/event-stream' },
    timeoutMs: STREAM_MS,
    maxBytes: MAX_STREAM_BYTES,
    signal: stop.signal,
    onChunk: () => {
      const now = clock.monotonic();
      firstAt ??= now;
      isLive ||= now - firstAt >= LATER_MS;
      if (isLive) stop.abort();
    },
  });
  if (isLive) return good('Live stream', 'The public address passes the live stream on at once.');
  if (outcome.kind === 'httpError' || outcome.kind === 'network') {
    return bad('Live stream', `The live stream ${failureText(outcome, statusText)}.`, STREAM_REMEDY);
  }
  const says =
    firstAt === null
      ? 'Nothing of the live stream came through the public address.'
      : 'The live stream stops after its beginning at the public address.';
  return bad('Live stream', says, STREAM_REMEDY);
}

/** When a server began to run, by its health check; null where none answers. */
async function startedAt(address: string, { http }: Needs): Promise<number | string | null> {
  const outcome = await http.json({
    method: 'GET',
    url: `${address}/healthz`,
    endpoint: 'own/healthz',
    timeoutMs: PROBE_MS,
    maxBytes: 64 * 1024,
  });
  if (outcome.kind === 'notJson') return 'answers, but not with Bellbird';
  if (outcome.kind !== 'ok') return failureText(outcome, statusText);
  const health = healthAnswer.read(outcome.body);
  return health === null ? 'answers, but not with Bellbird' : (health.startedAt ?? null);
}

/** @param own where this machine reaches the server itself */
async function addressFindings(address: string, own: string, needs: Needs): Promise<Finding[]> {
  const [outside, inside] = await Promise.all([startedAt(address, needs), startedAt(own, needs)]);
  if (typeof inside === 'string' && typeof outside === 'string') {
    const says = `The server does not run here, so that ${address} could not be tried.`;
    return [doubtful(WHAT, says, 'Start the server, then check again.')];
  }
  if (typeof outside === 'string') {
    return [
      bad(
        WHAT,
        `${address} ${outside}.`,
        'Look at the proxy, at the name’s address, and whether ports 80 and 443 are open.',
      ),
    ];
  }
  const isOther = typeof inside === 'number' && outside !== inside;
  const reached = isOther
    ? doubtful(
        WHAT,
        `${address} leads to another server than the one on this machine.`,
        'Correct BELLBIRD_PUBLIC_URL or where the proxy leads to.',
      )
    : good(WHAT, `${address} leads to Bellbird.`);
  return [reached, await streamFinding(address, needs)];
}

/**
 * Looks at the public address as a browser meets it: certificate, whether it leads to this server, whether the proxy
 * passes streams on at once. Never rejects.
 * @param address null where none is set
 */
export async function publicAddressFindings(
  address: string | null,
  own: string,
  needs: Needs,
): Promise<Finding[]> {
  if (address === null) {
    return [good(WHAT, 'None is set; links in messages need one (BELLBIRD_PUBLIC_URL).')];
  }
  const isSecure = address.startsWith('https:');
  const [certificate, found] = await Promise.all([
    isSecure ? lookAtCertificate(address, needs.clock.now(), PROBE_MS) : null,
    addressFindings(address, own, needs),
  ]);
  return certificate === null ? found : [certificate, ...found];
}
