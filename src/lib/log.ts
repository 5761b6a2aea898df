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

export type LogLevel = 'debug' | 'info' | 'warn' | 'error';
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
