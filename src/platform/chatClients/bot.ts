import type { Config } from '#src/config/config.ts';
import type { connectDiscord } from '../discord/index.ts';
import type { connectTelegram } from '../telegram/index.ts';
import type { Finding } from '#lib/finding.ts';
import type { Inspection } from '#lib/inspection.ts';
import type { Part } from '#platform/app.ts';

/** A bot of a chat platform, as the composition sees it. */
export type Bot = Part & { inspect(): Inspection } & {
  readonly service: {
    /** The bot's name on the platform; null until it is known. */
    username(): string | null;
    /** How its connection stands; null until the platform has answered. */
    finding(): Finding | null;
  };
};

/** A bot without a token: it has nothing to start. */
export const idleBot = (name: string, label: string): Bot => ({
  name,
  service: { username: () => null, finding: () => null },
  inspect: () => ({
    label,
    description: 'It has no token, so there is no bot on this platform.',
    summary: { state: 'no token' },
    data: () => null,
  }),
});

declare module '#platform/app.ts' {
  interface App {
    telegramBot: Bot['service'];
    discordBot: Bot['service'];
  }
}

/** What connects to each chat platform; null where its code is not loaded, as there is no token. */
export type PlatformConnectors = {
  telegram: typeof connectTelegram | null;
  discord: typeof connectDiscord | null;
};

/** Loads the code of the platforms that have a token: their libraries are a quarter of what a start would read. */
export async function loadPlatforms({ telegram, discord }: Config): Promise<PlatformConnectors> {
  return {
    telegram: telegram.token === null ? null : (await import('../telegram/index.ts')).connectTelegram,
    discord: discord.token === null ? null : (await import('../discord/index.ts')).connectDiscord,
  };
}
