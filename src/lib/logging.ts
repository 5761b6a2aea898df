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
  /** A file that would grow beyond it is put aside as `path.1`, and `path.1` as `path.2`, and so on. */
  maxBytes: number;
  /** How many are put aside; the oldest is dropped. */
  maxFiles: number;
  /** The longest that a line waits, ms. */
  flushMs: number;
  schedule: Scheduler;
  /** Hears of the first failure to write in a row. */
  onFailure(error: unknown): void;
};

/** So that a burst of lines does not wait in memory. */
const MAX_WAITING_CHARACTERS = 64 * 1024;

/** Puts the file aside under the first number, those that are there under the next. */
function putAside(path: string, maxFiles: number): void {
  for (let number = maxFiles; number > 0; number -= 1) {
    try {
      renameSync(number === 1 ? path : `${path}.${number - 1}`, `${path}.${number}`);
    } catch (error) {
      // There are not this many yet.
      if (errorCode(error) !== 'ENOENT') throw error;
    }
  }
}

/** The open file: knows its size, and changes files when it is full. */
function createRotatingFile({ path, maxBytes, maxFiles }: LogFileOptions) {
  let file: number | null = null;
  let size = 0;
  const close = (): void => {
    if (file !== null) closeSync(file);
    file = null;
  };
  const open = (): number => {
    // Only the owner may read what people did.
    mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
    file = openSync(path, 'a', 0o600);
    return file;
  };
  /** The file of that name: another program may have renamed, deleted or emptied the one that is open. */
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
    /** @throws whatever the file system refuses */
    clear(): void {
      ftruncateSync(current(), 0);
      size = 0;
    },
    /** @throws whatever the file system refuses */
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
 * A log file that is written some times a second at most and never waits for the disk: what was written the system
 * brings there in its own time. A kill without notice costs the lines that wait, a power cut some seconds of them.
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

  /** Keeps a line until the next flush; `isUrgent` writes it, and what waits before it, at once. */
  write(line: string, isUrgent: boolean): void {
    this.#waiting.push(line);
    this.#characters += line.length;
    if (isUrgent || this.#characters >= MAX_WAITING_CHARACTERS) this.flush();
    else this.#cancelFlush ??= this.options.schedule(this.options.flushMs, () => this.flush());
  }

  /** Writes what waits. Never throws: a full disk must not stop the process. */
  flush(): void {
    this.#cancelFlush?.();
    this.#cancelFlush = null;
    if (this.#waiting.length === 0) return;
    this.#append();
    this.#waiting = [];
    this.#characters = 0;
  }

  /** Writes what waits, then empties the file, which is written on from its beginning. @throws what the system refuses */
  clear(): void {
    this.flush();
    this.#file.clear();
  }

  /** Flushes and lets go of the file. */
  close(): void {
    this.flush();
    this.#file.close();
  }

  #append(): void {
    const note = this.#lost === 0 ? [] : [`${this.#lost} lines before this one could not be written.\n`];
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
