import { openStreamClient, type StreamClient } from './streamClient.ts';
import type { HandPrimary } from './handPrimary.ts';

/** Serves a hand-driven primary's own stream. @param later ends it with the test */
export function serveHand(primary: HandPrimary, later: (step: () => unknown) => void) {
  const server = Bun.serve({
    hostname: '127.0.0.1',
    port: 0,
    idleTimeout: 0,
    fetch: (request) => primary.open(request),
  });
  later(() => server.stop(true));
  return {
    open: (headers: Record<string, string>): StreamClient => openStreamClient(server.port ?? 0, '/', headers),
  };
}

/** Waits until pages have their first bytes. */
export async function connectionsOf(pages: readonly StreamClient[]): Promise<void> {
  for (const page of pages) await page.until((client) => client.body().length > 0);
  // The opening, which may be empty, follows in the next turn.
  await Bun.sleep(50);
}
