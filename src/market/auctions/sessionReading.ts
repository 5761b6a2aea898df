import { nextTurn } from '#lib/nextTurn.ts';
import type { KnownSession } from '#sources/quotes/history.ts';

/**
 * Reads on until a session is at hand, once for all who wait for it; others have their turn between the parts.
 * @param session undefined where the source tells it only as it happens: then nothing is to be read
 * @returns what resolves when it is at hand, and is rejected as `readOn` throws
 */
export function createSessionReading(session: KnownSession | undefined): () => Promise<void> {
  let reading: Promise<void> | null = null;

  async function readOn(known: KnownSession): Promise<void> {
    while (!known.isAtHand()) {
      known.readOn();
      await nextTurn();
    }
  }

  return async () => {
    if (!session || session.isAtHand()) return;
    reading ??= readOn(session).finally(() => {
      reading = null;
    });
    await reading;
  };
}
