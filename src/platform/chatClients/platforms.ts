import type { Config } from '#src/config/config.ts';
import type { connectDiscord } from '../discord/index.ts';
import type { connectTelegram } from '../telegram/index.ts';

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
