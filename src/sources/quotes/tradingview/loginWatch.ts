import type { Log } from '#lib/log.ts';
import type { SourceMemory } from '../source.ts';

/** How the platform takes the server's cookie. */
export type LoginState =
  /** As it ever did, as far as is known. */
  | 'unchanged'
  /** With this cookie prices were live, and are not any more. */
  | 'lost'
  /** They were with the cookie before, and are not with this one. */
  | 'newNotTaken';

const KEY = 'tradingview_live';

/** Tells a cookie from another; it says nothing of what stands in it. */
const markOf = (cookie: string): string =>
  new Bun.CryptoHasher('sha256').update(`tradingview cookie\n${cookie}`).digest('base64url').slice(0, 16);

/**
 * Follows whether prices are live with the cookie as they were before, in this run or an earlier one. Without a cookie it
 * forgets that they were: anyone who took it out wants delayed prices.
 *
 * @param cookie null where the server asks without one
 * @returns takes whether an answer's prices are live, and says what that means
 */
export function createLoginWatch(
  cookie: string | null,
  memory: SourceMemory,
  log: Log,
): (isLive: boolean) => LoginState {
  const mark = cookie === null ? null : markOf(cookie);
  /** The mark of the cookie with which prices were live last; null where they never were, or that is forgotten. */
  let live: string | null | undefined;

  function remember(next: string | null): void {
    live = next;
    try {
      memory.write(KEY, next);
    } catch (error) {
      // It is said in this run all the same.
      log.warn('Whether prices are live could not be kept over a restart', { error });
    }
  }

  function known(): string | null {
    if (live !== undefined) return live;
    const kept = memory.read(KEY);
    return (live = typeof kept === 'string' ? kept : null);
  }

  return (isLive) => {
    const before = known();
    if (mark === null || isLive) {
      if (before !== mark) remember(mark);
      return 'unchanged';
    }
    if (before === null) return 'unchanged';
    return before === mark ? 'lost' : 'newNotTaken';
  };
}
