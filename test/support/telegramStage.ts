import { freePort, startBellbird } from './executable.ts';
import { type FakeTelegram, startFakeTelegram } from './fakeTelegram.ts';
import { type Stage, stageBefore } from './stage.ts';

export type TelegramStage = { stage: Stage; telegram: FakeTelegram; close(): Promise<void> };

/** The executable in test mode with a bot on a local Telegram, whose links lead to it, and a browser in front of it. */
export async function openTelegramStage(env: Record<string, string>): Promise<TelegramStage> {
  const telegram = startFakeTelegram();
  const port = await freePort();
  const bellbird = await startBellbird({
    port,
    env: {
      BELLBIRD_TEST: '1',
      BELLBIRD_PUBLIC_URL: `http://127.0.0.1:${port}`,
      BELLBIRD_TELEGRAM_URL: telegram.url,
      BELLBIRD_TELEGRAM_TOKEN: telegram.token,
      ...env,
    },
  });
  const stage = await stageBefore(bellbird);
  return {
    ...{ stage, telegram },
    async close() {
      await stage.close();
      await telegram.stop();
    },
  };
}
