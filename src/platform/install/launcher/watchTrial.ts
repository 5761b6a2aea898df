import type { Stopwatch } from '#lib/clock.ts';
import { parseJson } from '#lib/json.ts';
import { readRecord, readText } from '#lib/read.ts';
import { type ChildRun, endingText } from './childRun.ts';

/** A slow board migrates a large database and makes its market meanwhile; the old version has to be back within 120 s. */
const START_WITHIN_MS = 75_000;
const ASK_EVERY_MS = 1000;
const ANSWER_WITHIN_MS = 5000;
/** This many questions in a row without an answer are no hiccup. */
const MAX_SILENT = 3;

export type TrialRules = {
  /** Where the new server is reached from this machine. */
  url(port: number): string;
  /** What the new program calls itself; null when it is not known. */
  commit: string | null;
  /** How long it has to run well, seconds. */
  seconds: number;
  clock: Stopwatch;
};

/** Whether the server answers, as that program and that process. @returns what is wrong, or null */
async function healthFault(url: string, pid: number, commit: string | null): Promise<string | null> {
  try {
    const response = await fetch(`${url}/healthz`, { signal: AbortSignal.timeout(ANSWER_WITHIN_MS) });
    const parsed = parseJson(await response.text());
    const health = readRecord(parsed.ok ? parsed.value : null);
    if (!response.ok || health.ok !== true) return `answered its health check with ${response.status}`;
    if (health.pid !== pid) return 'has lost its port to another process';
    const running = readText(health.commit);
    if (commit !== null && running !== commit) return `is of commit ${running}, not of ${commit}`;
    return null;
  } catch {
    return 'does not answer its health check';
  }
}

/** Whether the live stream opens and says something. @returns what is wrong, or null */
async function streamFault(url: string): Promise<string | null> {
  const given = AbortSignal.timeout(ANSWER_WITHIN_MS);
  try {
    const headers = { 'accept-encoding': 'identity' };
    const response = await fetch(`${url}/api/data/stream`, { headers, signal: given });
    const reader = response.body?.getReader();
    if (!response.ok || !reader) return `answered a request for live prices with ${response.status}`;
    let text = '';
    const decoder = new TextDecoder();
    while (!text.includes('event:')) {
      const { done, value } = await reader.read();
      if (done) return 'closes the stream of live prices at once';
      text += decoder.decode(value, { stream: true });
    }
    await reader.cancel();
    return null;
  } catch {
    return 'opens no stream of live prices';
  }
}

async function untilOver(child: ChildRun, url: string, rules: TrialRules): Promise<string | null> {
  const { clock, seconds, commit } = rules;
  const overAt = clock.monotonic() + seconds * 1000;
  let silent = 0;
  for (;;) {
    const fault = await healthFault(url, child.pid, commit);
    silent = fault === null ? 0 : silent + 1;
    if (fault !== null && silent >= MAX_SILENT) return fault;
    const left = overAt - clock.monotonic();
    if (left <= 0 && fault === null) return streamFault(url);
    await Bun.sleep(Math.min(ASK_EVERY_MS, Math.max(left, 50)));
  }
}

/**
 * Watches a new version until it has run well for long enough: all parts started, its health is that of the new program,
 * the stream of prices opens, and it neither ends nor falls silent.
 *
 * @returns why it did not, as a sentence; null when all went well
 */
export async function watchTrial(child: ChildRun, rules: TrialRules): Promise<string | null> {
  const beganAt = rules.clock.monotonic();
  const afterText = (): string => `after ${Math.round((rules.clock.monotonic() - beganAt) / 1000)} s`;
  const ended = child.ended.then((ending) => `The new version ${endingText(ending)} ${afterText()}.`);
  const late = Bun.sleep(START_WITHIN_MS).then(() => false);

  const judge = async (): Promise<string | null> => {
    if (!(await Promise.race([child.started, late]))) {
      return `The new version had not started ${afterText()}.`;
    }
    const port = child.port();
    const url = port === null ? null : rules.url(port);
    if (url === null) return 'The new version listens on no port.';
    const fault = (await streamFault(url)) ?? (await untilOver(child, url, rules));
    return fault === null ? null : `The new version ${fault}.`;
  };
  // An ending makes the questions fail too; what it says is the better reason, whichever comes first.
  const verdict = await Promise.race([ended, judge()]);
  if (verdict === null) return null;
  return Promise.race([ended, Bun.sleep(200).then(() => verdict)]);
}
