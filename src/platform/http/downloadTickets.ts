import type { Stopwatch } from '../../lib/clock.ts';

/** As long as a browser may take to begin a download. */
const VALID_MS = 60_000;
/** More are never asked for at once; the oldest gives way. */
const MAX_TICKETS = 20;

/** Which file somebody may fetch once, and the login session that asked for it. */
export type Download = { name: string; userId: number; sessionId: string };

/**
 * One-time tickets for downloads: a browser fetches a file by an address alone, in which its session's token must not
 * stand.
 */
export function createTickets(deps: { clock: Stopwatch; randomToken(): string }) {
  const waiting = new Map<string, Download & { until: number }>();

  function drop(isOver: (until: number) => boolean): void {
    for (const [ticket, { until }] of waiting) if (isOver(until)) waiting.delete(ticket);
  }

  return {
    issue(download: Download): string {
      const now = deps.clock.monotonic();
      drop((until) => until <= now);
      const [oldest] = waiting.keys();
      if (waiting.size >= MAX_TICKETS && oldest !== undefined) waiting.delete(oldest);
      const ticket = deps.randomToken();
      waiting.set(ticket, { ...download, until: now + VALID_MS });
      return ticket;
    },

    /** What a ticket is for; null when it was used, is too old or was never issued. */
    redeem(ticket: string): Download | null {
      const found = waiting.get(ticket);
      waiting.delete(ticket);
      if (!found || found.until <= deps.clock.monotonic()) return null;
      const { name, userId, sessionId } = found;
      return { name, userId, sessionId };
    },
  };
}

export type Tickets = ReturnType<typeof createTickets>;
