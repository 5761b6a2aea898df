import type { Log } from './log.ts';

/** Lines of one level that a part wrote since the start. */
export type LineCount = { part: string; level: 'warn' | 'error'; count: number };

type Counts = { warn: number; error: number };

/** Names are written in the code; more than these would be a fault, and is counted together. */
const MAX_PARTS = 200;
const OTHERS = 'others';

/**
 * A log that counts what goes through it.
 * @returns the log to write to, and its warnings and errors by part, of all parts that have a log
 */
export function countedLog(log: Log): { log: Log; counts(): LineCount[] } {
  const byPart = new Map<string, Counts>();
  function countsOf(name: string): Counts {
    const part = byPart.has(name) || byPart.size < MAX_PARTS ? name : OTHERS;
    const known = byPart.get(part) ?? { warn: 0, error: 0 };
    byPart.set(part, known);
    return known;
  }
  function counted(inner: Log, path: readonly string[]): Log {
    const counts = countsOf(path.join('.') || 'main');
    return {
      debug: inner.debug,
      info: inner.info,
      warn(message, properties) {
        counts.warn += 1;
        inner.warn(message, properties);
      },
      error(message, properties) {
        counts.error += 1;
        inner.error(message, properties);
      },
      child: (name) => counted(inner.child(name), [...path, name]),
    };
  }
  return {
    log: counted(log, []),
    counts: () =>
      [...byPart].flatMap(([part, { warn, error }]) => [
        { part, level: 'warn' as const, count: warn },
        { part, level: 'error' as const, count: error },
      ]),
  };
}
