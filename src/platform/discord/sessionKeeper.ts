import type { SessionInfo } from '@discordjs/ws';

/**
 * Keeps the gateway session over connections, so that a new one goes on where the last one broke off. It also slows the
 * library down, which by itself would connect twice a second for as long as the network is away: it asks for the session
 * before each connection, and waits for the answer.
 */
export type SessionKeeper = {
  read(): SessionInfo | null;
  write(session: SessionInfo | null): void;
  /** The connection broke for reasons of the network: what the library forgets for that is kept. */
  networkFailed(): void;
  /** A session is up. */
  succeeded(): void;
};

/** After as many failures with it, a session is given up: its address may be gone. */
const MAX_TRIES = 3;

export function createSessionKeeper(): SessionKeeper {
  let session: SessionInfo | null = null;
  let isNetworkDown = false;
  let tries = 0;
  return {
    read: () => session,
    write(next) {
      if (next === null && isNetworkDown && tries < MAX_TRIES) return;
      session = next;
    },
    networkFailed() {
      isNetworkDown = true;
      tries += 1;
      if (tries >= MAX_TRIES) session = null;
    },
    succeeded() {
      isNetworkDown = false;
      tries = 0;
    },
  };
}
