/** Extra facts of a log line; secrets in them are hidden when the line is written. */
export type LogProperties = Record<string, unknown>;

type Write = (message: string, properties?: LogProperties) => void;

/** What every part writes to. Messages are sentences without a final stop; facts go into the properties. */
export type Log = {
  debug: Write;
  info: Write;
  warn: Write;
  error: Write;
  /** A log of the same kind under a further name. */
  child(name: string): Log;
};

type LogLevel = 'debug' | 'info' | 'warn' | 'error';
export type LogLine = { level: LogLevel; name: string; message: string; properties: LogProperties };

/** A log that hands every line to a function: tests collect them, the server gives them to LogTape. */
export function createLog(write: (line: LogLine) => void, name = 'bellbird'): Log {
  const at =
    (level: LogLevel): Write =>
    (message, properties = {}) =>
      write({ level, name, message, properties });
  return {
    debug: at('debug'),
    info: at('info'),
    warn: at('warn'),
    error: at('error'),
    child: (inner) => createLog(write, `${name}.${inner}`),
  };
}

/** Logs the first of failures that follow each other: what is tried again at each tick would fill the log. */
export class FirstFailure {
  private isFailing = false;

  constructor(
    private readonly log: Log,
    private readonly message: string,
    private readonly level: 'error' | 'warn' = 'error',
  ) {}

  failed(error: unknown, more: Readonly<Record<string, unknown>> = {}): void {
    if (!this.isFailing) this.log[this.level](this.message, { ...more, error });
    this.isFailing = true;
  }

  ended(): void {
    this.isFailing = false;
  }
}

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
