import type { Config } from '#src/config.ts';
import { bad, type Finding, good } from '#lib/finding.ts';
import type { Probe } from '#lib/httpClient/probe.ts';
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
export function chatProbes({ telegram, discord }: Pick<Config, 'telegram' | 'discord'>): Probe[] {
  return [
    ...(telegram.token === null ? [] : [telegramProbe(telegram.url, telegram.token)]),
    ...(discord.token === null ? [] : [discordProbe(discord.url, discord.token)]),
  ];
}
