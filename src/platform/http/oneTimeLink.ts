import type { Stopwatch } from '#lib/clock.ts';
import type { AuthUser } from './auth.ts';
import { AppError } from './errors.ts';

/** As long as a browser may take to begin a download. */
const VALID_MS = 60_000;
/** More are never asked for at once; the oldest gives way. */
const MAX_TICKETS = 20;

const EXPIRED = 'This download has expired. Start it again in Server Controls.';

/** Which file an administrator may fetch once, and the login session that asked for it. */
type Download = { name: string; userId: number; sessionId: string };

type TicketsNeeds = {
  clock: Stopwatch;
  /** URL-safe random text of 128 bits or more. */
  randomToken(): string;
  /** Who a login session belongs to, as the database has it at this moment; null once it has ended. */
  readSession(sessionId: string): Pick<AuthUser, 'level'> | null;
};

/**
 * One-time tickets for downloads by administrators: a browser fetches a file by an address alone, in which its session's
 * token must not stand.
 */
export class DownloadTickets {
  readonly #waiting = new Map<string, Download & { until: number }>();

  /** @param path of the route that gives the files */
  constructor(
    private readonly path: string,
    private readonly needs: TicketsNeeds,
  ) {}

  /** The one-time address of a file. */
  issue({ id, sessionId }: Pick<AuthUser, 'id' | 'sessionId'>, name: string): { url: string } {
    const now = this.needs.clock.monotonic();
    for (const [ticket, { until }] of this.#waiting) if (until <= now) this.#waiting.delete(ticket);
    const [oldest] = this.#waiting.keys();
    if (this.#waiting.size >= MAX_TICKETS && oldest !== undefined) this.#waiting.delete(oldest);
    const ticket = this.needs.randomToken();
    this.#waiting.set(ticket, { name, userId: id, sessionId, until: now + VALID_MS });
    return { url: `${this.path}?ticket=${encodeURIComponent(ticket)}` };
  }

  /**
   * What a ticket is for.
   * @throws AppError 404 when it was used, is too old or was never issued, and when who asked for it is no administrator
   *   any more or has logged out
   */
  redeem(ticket: string): Download {
    const found = this.#waiting.get(ticket);
    this.#waiting.delete(ticket);
    if (!found || found.until <= this.needs.clock.monotonic()) throw new AppError(404, EXPIRED);
    if (this.needs.readSession(found.sessionId)?.level !== 4) throw new AppError(404, EXPIRED);
    return found;
  }
}

/** A file of the disk, for a browser to save. @param name that it gets there */
export const savedFile = (path: string, name: string, type: string): Response =>
  new Response(Bun.file(path), {
    headers: {
      'content-type': type,
      'content-disposition': `attachment; filename="${name}"`,
      'cache-control': 'no-store',
    },
  });
