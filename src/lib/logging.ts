import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { configureSync, disposeSync, getConsoleSink, getLogger, type LogRecord } from '@logtape/logtape';
import { createLog, type Log } from './log.ts';
import { LogFile } from './logFile.ts';
import type { Redactor } from './redact.ts';
import { timerScheduler } from './scheduler.ts';

const facts = (properties: Record<string, unknown>): string =>
  Object.entries(properties)
    .filter(([, value]) => value !== undefined)
    .map(
      ([key, value]) =>
        ` ${key}=${typeof value === 'string' ? value : (JSON.stringify(value) ?? String(value))}`,
    )
    .join('');

/** One line of the log: time, level, part, sentence, facts; secrets hidden. */
export function formatRecord(record: LogRecord, redactor: Redactor): string {
  const part = record.category.slice(1).join('.') || 'main';
  const safe = redactor.value(record.properties) as Record<string, unknown>;
  const line = `${record.level.toUpperCase()} ${part}: ${record.message.join('')}${facts(safe)}`;
  return `${new Date(record.timestamp).toISOString()} ${redactor.text(line)}`;
}

const MAX_FILE_BYTES = 5 * 1024 * 1024;
/** Besides the one that is written. */
const MAX_FILES = 5;
/** The longest that a line waits to be written; warnings and errors do not wait. */
const FLUSH_MS = 500;

/** The file that is written now. */
const FILE_NAME = 'bellbird.log';

/** The log file that this process writes, for those who show it. */
export type OwnLogFile = { name: string } & Pick<LogFile, 'flush' | 'clear'>;

const isUrgent = ({ level }: LogRecord): boolean => ['warning', 'error', 'fatal'].includes(level);

/** The log that gives its lines to LogTape. */
const logOfProcess = (): Log =>
  createLog(({ level, name, message, properties }) => {
    const logger = getLogger(name.split('.'));
    logger[level](message, properties);
  });

/**
 * Starts the log of a process that keeps no files: everything of weight to the console.
 *
 * @returns the log, and a function that ends it
 */
export function startConsoleLogging({ redactor }: { redactor: Redactor }): { log: Log; close: () => void } {
  configureSync({
    reset: true,
    sinks: { console: getConsoleSink({ formatter: (record) => [formatRecord(record, redactor)] }) },
    loggers: [
      { category: 'bellbird', sinks: ['console'], lowestLevel: 'info' },
      { category: ['logtape', 'meta'], sinks: ['console'], lowestLevel: 'error' },
    ],
  });
  return { log: logOfProcess(), close: disposeSync };
}

/**
 * Starts the process's log: everything of weight to the console, everything to a rotating file.
 * LogTape keeps its configuration for the whole process, so only the command line calls this.
 *
 * @param options.folder where the files go; made when missing
 * @returns the log, its file, and a function that writes what waits and closes the file
 */
export function startLogging(options: { folder: string; redactor: Redactor }): {
  log: Log;
  file: OwnLogFile;
  close: () => void;
} {
  mkdirSync(options.folder, { recursive: true });
  const text = (record: LogRecord) => formatRecord(record, options.redactor);
  const file = new LogFile({
    path: join(options.folder, FILE_NAME),
    maxBytes: MAX_FILE_BYTES,
    maxFiles: MAX_FILES,
    flushMs: FLUSH_MS,
    schedule: timerScheduler,
    onFailure: (error) => console.error(`The log can not be written: ${String(error)}`),
  });
  configureSync({
    reset: true,
    sinks: {
      console: getConsoleSink({ formatter: (record) => [text(record)] }),
      file: (record) => file.write(`${text(record)}\n`, isUrgent(record)),
    },
    loggers: [
      { category: 'bellbird', sinks: ['console', 'file'], lowestLevel: 'info' },
      { category: ['bellbird', 'http'], sinks: ['file'], parentSinks: 'override', lowestLevel: 'info' },
      { category: ['logtape', 'meta'], sinks: ['console'], lowestLevel: 'error' },
    ],
  });
  const log = logOfProcess();
  const close = (): void => {
    disposeSync();
    file.close();
  };
  const own: OwnLogFile = { name: FILE_NAME, flush: () => file.flush(), clear: () => file.clear() };
  return { log, file: own, close };
}
