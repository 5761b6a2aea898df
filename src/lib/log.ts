export type LogProperties = Record<string, unknown>;

type Write = (message: string, properties?: LogProperties) => void;

/** Messages are sentences without a final stop; facts go into the properties. */
export type Log = {
  debug: Write;
  info: Write;
  warn: Write;
  error: Write;
  child(name: string): Log;
};

type LogLevel = 'debug' | 'info' | 'warn' | 'error';
export type LogLine = { level: LogLevel; name: string; message: string; properties: LogProperties };

/** Passes every line to a function: tests collect them, the server passes them to LogTape. */
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

/** Logs only the first of consecutive failures, because retries at every tick would fill the log. */
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

export type LineCount = { part: string; level: 'warn' | 'error'; count: number };

type Counts = { warn: number; error: number };

/** Part names come from the code. More than this is a fault, and the rest is counted together. */
const MAX_PARTS = 200;
const OTHERS = 'others';

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
