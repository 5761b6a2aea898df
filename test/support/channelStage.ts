import { startBellbird } from './executable.ts';
import { type FakeDiscord, startFakeDiscord } from './fakeDiscord.ts';
import { type FakeTelegram, startFakeTelegram } from './fakeTelegram.ts';
import { type Stage, stageBefore } from './stage.ts';

export type ChannelStage = {
  stage: Stage;
  telegram: FakeTelegram;
  discord: FakeDiscord;
  close(): Promise<void>;
};

/** The executable in test mode with a bot on a local Telegram and on a local Discord, and a browser in front of it. */
export async function openChannelStage(env: Record<string, string> = {}): Promise<ChannelStage> {
  const telegram = startFakeTelegram();
  const discord = startFakeDiscord();
  const bellbird = await startBellbird({
    env: {
      BELLBIRD_TEST: '1',
      BELLBIRD_TELEGRAM_URL: telegram.url,
      BELLBIRD_TELEGRAM_TOKEN: telegram.token,
      BELLBIRD_DISCORD_URL: discord.url,
      BELLBIRD_DISCORD_TOKEN: discord.token,
      ...env,
    },
  });
  const stage = await stageBefore(bellbird);
  return {
    ...{ stage, telegram, discord },
    async close() {
      await stage.close();
      await telegram.stop();
      await discord.stop();
    },
  };
}
