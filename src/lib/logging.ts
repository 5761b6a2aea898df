import {
  mkdirSync,
  closeSync,
  fstatSync,
  ftruncateSync,
  openSync,
  renameSync,
  statSync,
  writeSync,
} from 'node:fs';
import { join, dirname } from 'node:path';
import { configureSync, disposeSync, getConsoleSink, getLogger, type LogRecord } from '@logtape/logtape';
import { createLog, type Log } from './log.ts';
import type { Redactor } from './redact.ts';
import { timerScheduler, type Scheduler } from './scheduler.ts';
import { errorCode } from './errors.ts';

export type LogFileOptions = {
  path: string;
  /** A file that would exceed it is renamed to `path.1`, and `path.1` to `path.2`, and so on. */
  maxBytes: number;
  maxFiles: number;
  flushMs: number;
  schedule: Scheduler;
  onFailure(error: unknown): void;
};

const MAX_WAITING_CHARACTERS = 64 * 1024;

function putAside(path: string, maxFiles: number): void {
  for (let number = maxFiles; number > 0; number -= 1) {
    try {
      renameSync(number === 1 ? path : `${path}.${number - 1}`, `${path}.${number}`);
    } catch (error) {
      if (errorCode(error) !== 'ENOENT') throw error;
    }
  }
}

function createRotatingFile({ path, maxBytes, maxFiles }: LogFileOptions) {
  let file: number | null = null;
  let size = 0;
  const close = (): void => {
    if (file !== null) closeSync(file);
    file = null;
  };
  const open = (): number => {
    // Only the owner may read user activity.
    mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
    file = openSync(path, 'a', 0o600);
    return file;
  };
  /** Reopens the file, because another program may have renamed, deleted or emptied it. */
  const current = (): number => {
    const named = statSync(path, { throwIfNoEntry: false });
    if (file !== null) {
      const { ino, dev } = fstatSync(file);
      if (named?.ino !== ino || named.dev !== dev) close();
    }
    size = named?.size ?? 0;
    return file ?? open();
  };
  return {
    close,
    clear(): void {
      ftruncateSync(current(), 0);
      size = 0;
    },
    append(text: string): void {
      const bytes = Buffer.from(text);
      let target = current();
      if (size > 0 && size + bytes.length > maxBytes) {
        close();
        putAside(path, maxFiles);
        target = current();
      }
      for (let done = 0; done < bytes.length; ) {
        const written = writeSync(target, bytes, done);
        done += written;
        size += written;
      }
    },
  };
}

/**
 * A log file that is written a few times per second at most and not synced. A crash loses the waiting lines;
 * a power cut loses some seconds.
 */
export class LogFile {
  readonly #file: ReturnType<typeof createRotatingFile>;
  #waiting: string[] = [];
  #characters = 0;
  #lost = 0;
  #cancelFlush: (() => void) | null = null;

  constructor(private readonly options: LogFileOptions) {
    this.#file = createRotatingFile(options);
  }

  write(line: string, isUrgent: boolean): void {
    this.#waiting.push(line);
    this.#characters += line.length;
    if (isUrgent || this.#characters >= MAX_WAITING_CHARACTERS) this.flush();
    else this.#cancelFlush ??= this.options.schedule(this.options.flushMs, () => this.flush());
  }

  /** Never throws: a full disk must not stop the process. */
  flush(): void {
    this.#cancelFlush?.();
    this.#cancelFlush = null;
    if (this.#waiting.length === 0) return;
    this.#append();
    this.#waiting = [];
    this.#characters = 0;
  }

  clear(): void {
    this.flush();
    this.#file.clear();
  }

  close(): void {
    this.flush();
    this.#file.close();
  }

  #append(): void {
    const note =
      this.#lost === 0 ? [] : [`${this.#lost} lines before this one were lost: they could not be written.\n`];
    try {
      this.#file.append([...note, ...this.#waiting].join(''));
      this.#lost = 0;
    } catch (error) {
      this.#file.close();
      if (this.#lost === 0) this.options.onFailure(error);
      this.#lost += this.#waiting.length;
    }
  }
}

const facts = (properties: Record<string, unknown>): string =>
  Object.entries(properties)
    .filter(([, value]) => value !== undefined)
    .map(
      ([key, value]) =>
        ` ${key}=${typeof value === 'string' ? value : (JSON.stringify(value) ?? String(value))}`,
    )
    .join('');

export function formatRecord(record: LogRecord, redactor: Redactor): string {
  const part = record.category.slice(1).join('.') || 'main';
  const safe = redactor.value(record.properties) as Record<string, unknown>;
  const line = `${record.level.toUpperCase()} ${part}: ${record.message.join('')}${facts(safe)}`;
  return `${new Date(record.timestamp).toISOString()} ${redactor.text(line)}`;
}

const MAX_FILE_BYTES = 5 * 1024 * 1024;
const MAX_FILES = 5;
/** Longest wait of a line, ms; warnings and errors do not wait. */
const FLUSH_MS = 500;

const FILE_NAME = 'bellbird.log';

export type OwnLogFile = { name: string } & Pick<LogFile, 'flush' | 'clear'>;

const isUrgent = ({ level }: LogRecord): boolean => ['warning', 'error', 'fatal'].includes(level);

const logOfProcess = (): Log =>
  createLog(({ level, name, message, properties }) => {
    const logger = getLogger(name.split('.'));
    logger[level](message, properties);
  });

/**
 * Logs warnings and important lines to the console only, for a process without files.
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
 * Logs important lines to the console and all lines to a rotating file. LogTape is configured for the whole
 * process, so only the command line calls this.
 * @param options.folder created if missing
 * @returns the log, its file, and a function that flushes and closes it
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
    onFailure: (error) => console.error(`Could not write the log: ${String(error)}`),
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
