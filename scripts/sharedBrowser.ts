import type { BrowserServer } from 'playwright-core';

/** What is needed of a browser that others connect to. */
export type Shared = Pick<BrowserServer, 'wsEndpoint' | 'close'> & {
  process(): { exitCode: number | null; signalCode: NodeJS.Signals | null };
};

/**
 * One browser for many story files. Where it ended, whoever asks next gets a new one.
 *
 * @param launch starts a browser; where that fails, it is tried again when somebody asks again
 */
export function createSharedBrowser(launch: () => Promise<Shared>) {
  let current: Promise<Shared> | null = null;

  async function running(): Promise<Shared> {
    current ??= launch();
    const asked = current;
    const browser = await asked.catch((error: unknown) => {
      if (current === asked) current = null;
      throw error;
    });
    // By the process itself: a browser that was closed by a signal tells nobody.
    const { exitCode, signalCode } = browser.process();
    if (exitCode === null && signalCode === null) return browser;
    if (current === asked) current = null;
    return running();
  }

  return {
    /** Where to connect to, a WebSocket address. */
    address: async (): Promise<string> => (await running()).wsEndpoint(),
    async close(): Promise<void> {
      await (await current)?.close();
    },
  };
}
