import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { getRotatingFileSink } from '@logtape/file';
import { configureSync, disposeSync, getConsoleSink, getLogger, type LogRecord } from '@logtape/logtape';
import { createLog, type Log } from './log.ts';
import type { Redactor } from './redact.ts';

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

/**
 * Starts the process's log: everything of weight to the console, everything to a rotating file.
 * LogTape keeps its configuration for the whole process, so only the command line calls this.
 *
 * @param options.folder where the files go; made when missing
 * @returns the log, and a function that flushes and closes the file
 */
export function startLogging(options: { folder: string; redactor: Redactor }): {
  log: Log;
  close: () => void;
} {
  mkdirSync(options.folder, { recursive: true });
  const text = (record: LogRecord) => formatRecord(record, options.redactor);
  const file = getRotatingFileSink(join(options.folder, 'bellbird.log'), {
    formatter: (record) => `${text(record)}\n`,
    maxSize: 5 * 1024 * 1024,
    maxFiles: 5,
    // A buffer is only looked at when the next line comes, so the last lines before a crash would be missing.
    bufferSize: 0,
  });
  configureSync({
    reset: true,
    sinks: { console: getConsoleSink({ formatter: (record) => [text(record)] }), file },
    loggers: [
      { category: 'bellbird', sinks: ['console', 'file'], lowestLevel: 'info' },
      { category: ['bellbird', 'http'], sinks: ['file'], parentSinks: 'override', lowestLevel: 'info' },
      { category: ['logtape', 'meta'], sinks: ['console'], lowestLevel: 'error' },
    ],
  });
  const log = createLog(({ level, name, message, properties }) => {
    const logger = getLogger(name.split('.'));
    logger[level](message, properties);
  });
  return { log, close: () => disposeSync() };
}
