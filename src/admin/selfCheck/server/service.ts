import type { Config } from '#src/config/config.ts';
import type { SystemClock } from '#lib/clock.ts';
import { type Finding, bad, good } from '#lib/finding.ts';
import { ownAddress } from '#lib/addresses.ts';
import type { HttpClient } from '#lib/httpClient/client.ts';
import { type Probe, runProbe } from '#lib/httpClient/probe.ts';
import type { JobRunner } from '#platform/install/shared/jobProcess.ts';
import { sourceProbes } from '#sources/probes.ts';
import { clockFinding } from '../rules/findings.ts';
import { modelProbes } from './modelProbe.ts';
import { publicAddressFindings } from './publicAddress.ts';
import { targetFinding } from './targetFinding.ts';
import { parseJson } from '#lib/json.ts';
import { readLine, readRecord } from '#lib/read.ts';

const TIMEOUT_MS = 15_000;
const MAX_BYTES = 256 * 1024;
const MAX_NAME = 80;

/** A bot as its platform knows it: its name is public. */
function named(platform: string, setting: string, bot: unknown): Finding {
  const name = readLine(readRecord(bot).username, MAX_NAME);
  return name === null
    ? bad(platform, `${platform} sent an answer of an unknown form.`, `Compare ${setting} with the README.`)
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
      ? `The token is not known there: get it from ${issuer} and set ${setting} to it.`
      : null;

const telegramProbe = (url: string, token: string): Probe => ({
  what: 'Telegram',
  tries: 'Asks who the bot is; sends nothing to anybody.',
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
  tries: 'Asks who the bot is; sends nothing to anybody.',
  request: {
    method: 'GET',
    url: `${url}/v10/users/@me`,
    endpoint: 'discord/users/@me',
    headers: { authorization: `Bot ${token}` },
    timeoutMs: TIMEOUT_MS,
    maxBytes: MAX_BYTES,
  },
  read: (text) => named('Discord', 'BELLBIRD_DISCORD_URL', bodyOf(text)),
  whenRefused: tokenRemedy('BELLBIRD_DISCORD_TOKEN', 'the developer portal of Discord (Bot, Reset Token)'),
});

/** The questions that show whether the platforms know the bots: who they are, and nothing else. */
function chatProbes({ telegram, discord }: Config): Probe[] {
  return [
    ...(telegram.token === null ? [] : [telegramProbe(telegram.url, telegram.token)]),
    ...(discord.token === null ? [] : [discordProbe(discord.url, discord.token)]),
  ];
}

export { machineFindings } from './machine.ts';
export { askForOneToken, MODEL_REMEDY } from './modelWatch.ts';
export { TARGET_TRIAL, targetFinding } from './targetFinding.ts';

type Needs = { http: HttpClient; clock: SystemClock };
type CheckNeeds = Needs & {
  /** Runs `list-target`. */
  runList: JobRunner;
};

/** The questions that cost nothing, to the configured sources and chat platforms. @param now epoch ms */
export const freeProbes = (config: Config, now: number): Probe[] => [
  ...sourceProbes(config, now),
  ...chatProbes(config),
];

/**
 * Asks every configured source, chat platform and model, the backup target and the public address, all at once and each
 * within its time limit. Nothing is sent to anybody and nothing changed anywhere. Never rejects.
 * @returns the clock first, as what is wrong with it makes other things wrong
 */
export async function networkFindings(config: Config, needs: CheckNeeds): Promise<Finding[]> {
  const { place } = config.backup;
  const [probed, target, address] = await Promise.all([
    Promise.all(
      [...freeProbes(config, needs.clock.now()), ...modelProbes(config)].map((probe) =>
        runProbe(probe, needs),
      ),
    ),
    place === null ? [] : targetFinding(place, needs.runList).then((finding) => [finding]),
    publicAddressFindings(config.publicUrl, ownAddress(config), needs),
  ]);
  const ahead = probed.flatMap(({ aheadMs }) => (aheadMs === null ? [] : [aheadMs]));
  return [clockFinding(ahead), ...probed.map(({ finding }) => finding), ...target, ...address];
}
