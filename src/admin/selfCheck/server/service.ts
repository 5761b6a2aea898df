import { accessSync, constants, existsSync, lstatSync, readdirSync, readFileSync, statfsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { DataPaths } from '#src/config/dataPaths.ts';
import { errorCode } from '#lib/errors.ts';
import { isOpen, withFiles } from '#lib/files.ts';
import { bad, doubtful, type CheckResult, good } from '#lib/checkResult.ts';
import {
  certificateFinding,
  clockResult,
  diskFinding,
  type DiskState,
  memoryFinding,
  rightsCheckResults,
  type SeenFile,
} from '../rules/checkResults.ts';
import type { Config } from '#src/config/config.ts';
import type { SystemClock } from '#lib/clock.ts';
import { ownAddress } from '#lib/addresses.ts';
import { failureText, type HttpClient, statusText } from '#lib/httpClient/client.ts';
import { hostOf, type Probe, PROBE_MS, runProbe, shownCertificate } from '#lib/httpClient/probe.ts';
import type { JobRunner } from '#platform/install/shared/jobProcess.ts';
import { sourceProbes } from '#sources/probes.ts';
import { modelProbes } from './modelWatch.ts';
import { capitalised } from '#lib/wording.ts';
import { placeText, type TargetPlace } from '#platform/backupTarget/target.ts';
import { healthAnswer } from '#admin/health/answers/health.ts';
import { parseJson } from '#lib/json.ts';
import { readLine, readRecord } from '#lib/read.ts';

const OWN_FILE = /^(?:bellbird\.|jwt-secret|played-recording)/;

/** Why a path cannot be written; '' if it can. */
function writeProblem(path: string): string {
  try {
    accessSync(path, constants.W_OK);
    return '';
  } catch (error) {
    return errorCode(error) || 'unknown';
  }
}

/** The data folder with its files, and the folders of backups, logs and recordings with theirs. */
function ownPaths(paths: DataPaths): string[] {
  if (!existsSync(paths.folder)) return [];
  try {
    const names = readdirSync(paths.folder).filter((name) => OWN_FILE.test(name));
    const folders = [paths.logs, paths.backups, paths.recordings].flatMap(withFiles);
    return [paths.folder, ...names.map((name) => join(paths.folder, name)), ...folders];
  } catch {
    // The folder belongs to another user, which is a result of its own.
    return [paths.folder];
  }
}

/** Information on a file; empty if it was deleted, such as side files of the database. */
function seen(path: string): SeenFile[] {
  const info = lstatSync(path, { throwIfNoEntry: false });
  if (!info) return [];
  return [{ path, uid: info.uid, isOpen: isOpen(path), isWritable: writeProblem(path) === '' }];
}

/** The disk of a folder, or of its nearest existing parent. */
function diskOf(folder: string): DiskState | null {
  try {
    const { bavail, bsize, ffree, files } = statfsSync(folder);
    const isReadOnly = writeProblem(folder) === 'EROFS';
    return { freeBytes: bavail * bsize, freeFiles: ffree, files, isReadOnly };
  } catch (error) {
    const above = dirname(folder);
    return errorCode(error) !== 'ENOENT' || above === folder ? null : diskOf(above);
  }
}

/** Memory that is available without swapping, within the limit of a container; null if unknown. */
function availableMemory(): number | null {
  try {
    const kb = /^MemAvailable:\s{1,20}(\d{1,15}) kB/m.exec(readFileSync('/proc/meminfo', 'utf8'))?.[1];
    if (kb !== undefined) return Math.min(Number(kb) * 1024, process.availableMemory());
  } catch {
    // Systems other than Linux have no such file.
  }
  const available = process.availableMemory();
  return available > 0 ? available : null;
}

/** Checks the rights of the data folder, its disk, and the memory, without changing anything. */
export function machineCheckResults(paths: DataPaths): CheckResult[] {
  const uid = process.getuid?.() ?? null;
  return [
    ...rightsCheckResults(ownPaths(paths).flatMap(seen), paths.folder, uid),
    diskFinding(diskOf(paths.folder), paths.folder),
    memoryFinding(availableMemory()),
  ];
}

const TIMEOUT_MS = 15_000;
const MAX_BYTES = 256 * 1024;
const MAX_NAME = 80;

function named(platform: string, setting: string, bot: unknown): CheckResult {
  const name = readLine(readRecord(bot).username, MAX_NAME);
  return name === null
    ? bad(
        platform,
        `${platform} sent an answer in an unknown format.`,
        `Check ${setting} against the README.`,
      )
    : good(platform, `${platform} knows the bot as ${name}.`);
}

const bodyOf = (text: string): unknown => {
  const parsed = parseJson(text);
  return parsed.ok ? parsed.value : null;
};

const tokenRemedy =
  (setting: string, issuer: string) =>
  (status: number): string | null =>
    status === 401 || status === 404 || status === 403
      ? `The token is not valid. Get one from ${issuer} and set ${setting} to it.`
      : null;

const telegramProbe = (url: string, token: string): Probe => ({
  what: 'Telegram',
  tries: 'Asks for the bot’s name. Sends no message.',
  request: {
    method: 'GET',
    url: `${url}/bot${token}/getMe`,
    endpoint: 'telegram/bot:token/getMe',
    timeoutMs: TIMEOUT_MS,
    maxBytes: MAX_BYTES,
  },
  read: (text) => named('Telegram', 'BELLBIRD_TELEGRAM_URL', readRecord(bodyOf(text)).result),
  whenRefused: tokenRemedy('BELLBIRD_TELEGRAM_TOKEN', '@BotFather'),
});

const discordProbe = (url: string, token: string): Probe => ({
  what: 'Discord',
  tries: 'Asks for the bot’s name. Sends no message.',
  request: {
    method: 'GET',
    url: `${url}/v10/users/@me`,
    endpoint: 'discord/users/@me',
    headers: { authorization: `Bot ${token}` },
    timeoutMs: TIMEOUT_MS,
    maxBytes: MAX_BYTES,
  },
  read: (text) => named('Discord', 'BELLBIRD_DISCORD_URL', bodyOf(text)),
  whenRefused: tokenRemedy('BELLBIRD_DISCORD_TOKEN', 'the Discord developer portal (Bot, Reset Token)'),
});

/** Tests that request only the bots' own accounts from the platforms. */
function chatProbes({ telegram, discord }: Config): Probe[] {
  return [
    ...(telegram.token === null ? [] : [telegramProbe(telegram.url, telegram.token)]),
    ...(discord.token === null ? [] : [discordProbe(discord.url, discord.token)]),
  ];
}

export { askForOneToken, MODEL_REMEDY } from './modelWatch.ts';

const WAIT_MS = 20_000;

export const TARGET_TRIAL = { name: 'Backup target', tries: 'Lists its files. Writes nothing.' };

const REMEDIES: Readonly<Record<TargetPlace['kind'], string>> = {
  folder: 'Check that its disk or share is mounted, and that the user of this service may use it.',
  s3: 'Check BELLBIRD_BACKUP_TARGET, BELLBIRD_BACKUP_USER, BELLBIRD_BACKUP_PASSWORD and the BELLBIRD_BACKUP_S3 settings.',
  webdav: 'Check BELLBIRD_BACKUP_TARGET, BELLBIRD_BACKUP_USER and BELLBIRD_BACKUP_PASSWORD.',
};
const LATE = 'it did not answer within 20 seconds';

function testResult(report: Record<string, unknown>, place: TargetPlace, where: string): CheckResult {
  const { name } = TARGET_TRIAL;
  const { doubt, backups } = report;
  // The next backup would be refused there.
  if (typeof doubt === 'string' && place.kind === 'folder') return bad(name, doubt, REMEDIES.folder);
  if (typeof doubt === 'string')
    return doubtful(name, doubt, 'If backups were sent there before, check BELLBIRD_BACKUP_TARGET.');
  const count = Array.isArray(backups) ? backups.length : 0;
  const held = count === 0 ? 'no backup yet' : count === 1 ? 'one backup' : `${count} backups`;
  return good(name, `${where} answers and holds ${held}.`);
}

/** Lists the backup target in a separate process, with a time limit. Never rejects. */
export async function targetFinding(
  place: TargetPlace,
  runList: JobRunner,
  waitMs = WAIT_MS,
): Promise<CheckResult> {
  const where = placeText(place);
  const sentenceStart = capitalised(where);
  const run = runList({ place }, () => undefined);
  let isLate = false;
  const limit = setTimeout(() => {
    isLate = true;
    run.cancel();
  }, waitMs);
  const report = await run.finished;
  clearTimeout(limit);
  if (report.ok) return testResult(report, place, sentenceStart);
  const message = isLate ? `${sentenceStart} cannot be used: ${LATE}.` : report.reason;
  return bad(TARGET_TRIAL.name, message, REMEDIES[place.kind]);
}

type Edges = { http: HttpClient; clock: SystemClock };

function reasonOf(problem: unknown): string {
  const code = errorCode(problem);
  if (code) return code;
  return problem instanceof Error ? problem.message : 'no TLS';
}

/**
 * Checks the certificate of the public address, even an invalid one. Sends no request. Never rejects.
 * @param address an https address
 * @param now epoch ms
 * @param timeoutMs for all of it
 */
async function checkCertificate(address: string, now: number, timeoutMs: number): Promise<CheckResult> {
  const host = hostOf(address);
  try {
    return certificateFinding(await shownCertificate(address, timeoutMs), host, now);
  } catch (problem) {
    return bad(
      'Certificate',
      `The certificate of ${host} could not be read (${reasonOf(problem)}).`,
      'Check that the proxy is running and that its name points to this machine.',
    );
  }
}

const ADDRESS = 'Public address';
const MAX_STREAM_BYTES = 32 * 1024 * 1024;
/**
 * A proxy does not buffer if bytes arrive this long after the first ones, because a stream sends something every two
 * seconds.
 */
const LATER_MS = 500;
/** Time limit, ms: a proxy that buffers passes nothing on before. */
const STREAM_MS = 7000;

const STREAM_REMEDY =
  'Turn off buffering in the proxy: use deploy/Caddyfile, or set "proxy_buffering off" in nginx.';

/** Opens the stream like a browser until a second message arrives. */
async function streamFinding(address: string, { http, clock }: Edges): Promise<CheckResult> {
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
  if (isLive) return good('Live stream', 'The public address forwards the live stream without delay.');
  if (outcome.kind === 'httpError' || outcome.kind === 'network') {
    return bad('Live stream', `The live stream ${failureText(outcome, statusText)}.`, STREAM_REMEDY);
  }
  const message =
    firstAt === null
      ? 'The live stream did not arrive through the public address.'
      : 'The live stream stops after its first message at the public address.';
  return bad('Live stream', message, STREAM_REMEDY);
}

/** Start of a server according to its health check; null if unknown. */
async function startedAt(address: string, { http }: Edges): Promise<number | string | null> {
  const outcome = await http.json({
    method: 'GET',
    url: `${address}/healthz`,
    endpoint: 'own/healthz',
    timeoutMs: PROBE_MS,
    maxBytes: 64 * 1024,
  });
  if (outcome.kind === 'notJson') return 'answers, but is not Bellbird';
  if (outcome.kind !== 'ok') return failureText(outcome, statusText);
  const health = healthAnswer.read(outcome.body);
  return health === null ? 'answers, but is not Bellbird' : (health.startedAt ?? null);
}

async function addressCheckResults(address: string, own: string, edges: Edges): Promise<CheckResult[]> {
  const [outside, inside] = await Promise.all([startedAt(address, edges), startedAt(own, edges)]);
  if (typeof inside === 'string' && typeof outside === 'string') {
    const message = `The server is not running, so ${address} was not checked.`;
    return [doubtful(ADDRESS, message, 'Start the server, then check again.')];
  }
  if (typeof outside === 'string') {
    return [
      bad(
        ADDRESS,
        `${address} ${outside}.`,
        'Check the proxy, the DNS entry, and that ports 80 and 443 are open.',
      ),
    ];
  }
  const isOther = typeof inside === 'number' && outside !== inside;
  const reached = isOther
    ? doubtful(
        ADDRESS,
        `${address} leads to another server, not to this machine.`,
        'Correct BELLBIRD_PUBLIC_URL, or the target of the proxy.',
      )
    : good(ADDRESS, `${address} leads to Bellbird.`);
  return [reached, await streamFinding(address, edges)];
}

/**
 * Checks the public address like a browser: the certificate, whether it leads to this server, and whether the proxy
 * buffers streams. Never rejects.
 * @param address null if none is configured
 */
async function publicAddressCheckResults(
  address: string | null,
  own: string,
  edges: Edges,
): Promise<CheckResult[]> {
  if (address === null) {
    return [good(ADDRESS, 'Not set. Links in messages need BELLBIRD_PUBLIC_URL.')];
  }
  const isSecure = address.startsWith('https:');
  const [certificate, found] = await Promise.all([
    isSecure ? checkCertificate(address, edges.clock.now(), PROBE_MS) : null,
    addressCheckResults(address, own, edges),
  ]);
  return certificate === null ? found : [certificate, ...found];
}

/** Tests of sources and chat platforms that cost nothing. @param now epoch ms */
export const freeProbes = (config: Config, now: number): Probe[] => [
  ...sourceProbes(config, now),
  ...chatProbes(config),
];

/**
 * Checks every configured source, chat platform and model, the backup target and the public address, concurrently
 * within their time limits. Sends no messages and changes nothing. Never rejects.
 * @returns the clock first, because a wrong clock causes other problems
 */
export async function networkCheckResults(
  config: Config,
  edges: Edges,
  runList: JobRunner,
): Promise<CheckResult[]> {
  const { place } = config.backup;
  const [probed, target, address] = await Promise.all([
    Promise.all(
      [...freeProbes(config, edges.clock.now()), ...modelProbes(config)].map((probe) =>
        runProbe(probe, edges),
      ),
    ),
    place === null ? [] : targetFinding(place, runList).then((result) => [result]),
    publicAddressCheckResults(config.publicUrl, ownAddress(config), edges),
  ]);
  const ahead = probed.flatMap(({ aheadMs }) => (aheadMs === null ? [] : [aheadMs]));
  return [clockResult(ahead), ...probed.map(({ result }) => result), ...target, ...address];
}
