import type { App } from '../app.ts';
import { type AuthUser, createSessionReader } from './auth.ts';
import { AppError } from './errors.ts';

const VALID_MS = 60_000;
const MAX_TICKETS = 20;

const EXPIRED = 'This download has expired. Start it again in Server Controls.';

type Download = { name: string; userId: number; sessionId: string };

/**
 * One-time tickets for downloads by administrators. A browser fetches a file by its address, which must not
 * contain the session token.
 */
export class DownloadTickets {
  readonly #waiting = new Map<string, Download & { until: number }>();

  readonly #readSession: ReturnType<typeof createSessionReader>;

  constructor(
    private readonly app: App,
    private readonly path: string,
  ) {
    this.#readSession = createSessionReader(app);
  }

  issue({ id, sessionId }: Pick<AuthUser, 'id' | 'sessionId'>, name: string): { url: string } {
    const now = this.app.clock.monotonic();
    for (const [ticket, { until }] of this.#waiting) if (until <= now) this.#waiting.delete(ticket);
    const [oldest] = this.#waiting.keys();
    if (this.#waiting.size >= MAX_TICKETS && oldest !== undefined) this.#waiting.delete(oldest);
    const ticket = this.app.randomToken();
    this.#waiting.set(ticket, { name, userId: id, sessionId, until: now + VALID_MS });
    return { url: `${this.path}?ticket=${encodeURIComponent(ticket)}` };
  }

  /**
   * @throws AppError 404 if the ticket was used, expired or was never issued, or if its user has logged out or is
   *   not an administrator any more
   */
  redeem(ticket: string): Download {
    const found = this.#waiting.get(ticket);
    this.#waiting.delete(ticket);
    if (!found || found.until <= this.app.clock.monotonic()) throw new AppError(404, EXPIRED);
    if (this.#readSession(found.sessionId)?.level !== 4) throw new AppError(404, EXPIRED);
    return found;
  }
}

/** A file for a browser to save. @param name suggested to the browser */
export const savedFile = (path: string, name: string, type: string): Response =>
  new Response(Bun.file(path), {
    headers: {
      'content-type': type,
      'content-disposition': `attachment; filename="${name}"`,
      'cache-control': 'no-store',
    },
  });
