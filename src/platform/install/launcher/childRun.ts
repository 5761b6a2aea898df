import type { Subprocess } from 'bun';
import { readCount, readRecord } from '#lib/read.ts';
import type { OwnProcess, ToChild } from '../shared/ownProcess.ts';
import type { Place } from './place.ts';
import { errorCode } from '#lib/errors.ts';

/** The lines that are kept of what a program printed last. */
const MAX_LINES = 60;
const MAX_LINE = 500;

export type OutputTail = {
  /** Hands a stream on, and keeps its last lines. Resolves at its end. */
  follow(stream: ReadableStream<Uint8Array>, pass: (bytes: Uint8Array) => void): Promise<void>;
  /** The last lines of all streams, oldest first, redacted. */
  lines(): string[];
};

/** @param redact hides secrets in a line: a program that crashes prints what no log has looked at */
export function createOutputTail(redact: (line: string) => string): OutputTail {
  const kept: string[] = [];
  const keep = (line: string): void => {
    if (line.trim() === '') return;
    // Cut before it is looked at: a line without end must not cost more than others.
    kept.push(redact(line.slice(0, MAX_LINE)));
    if (kept.length > MAX_LINES) kept.shift();
  };
  return {
    async follow(stream, pass) {
      const decoder = new TextDecoder();
      let rest = '';
      for await (const bytes of stream) {
        pass(bytes);
        const lines = (rest + decoder.decode(bytes, { stream: true })).split('\n');
        rest = (lines.pop() ?? '').slice(0, MAX_LINE);
        for (const line of lines) keep(line);
      }
      keep(rest);
    },
    lines: () => [...kept],
  };
}

/** How a server ended: with a code, or by a signal. */
export type Ending = { code: number | null; signal: string | null };

/** Says how a server ended, as the end of a sentence. */
export const endingText = ({ code, signal }: Ending): string =>
  signal === null ? `ended with code ${code}` : `was ended by ${signal}`;

/** A server that runs as a child of this process. */
export type ChildRun = {
  pid: number;
  /** The port that it has listened on; null before it did. */
  port(): number | null;
  /** True once all of its parts run; false when it ended before. */
  started: Promise<boolean>;
  ended: Promise<Ending>;
  send(message: ToChild): void;
  kill(signal: NodeJS.Signals): void;
};

export type ChildOptions = {
  command: readonly string[];
  env: Record<string, string | undefined>;
  place: Place;
  /** Keeps the last lines of what it prints; null lets it print for itself. */
  tail: OutputTail | null;
  /** Writes to this process's own standard streams; for what is kept. */
  write: OwnProcess['write'];
};

/** A file that was written a moment ago may count as open for writing. */
const BUSY_TRIES = 10;
const BUSY_WAIT_MS = 100;

async function whenNotBusy<T>(spawn: () => T): Promise<T> {
  for (let left = BUSY_TRIES; ; left -= 1) {
    try {
      return spawn();
    } catch (error) {
      if (errorCode(error) !== 'ETXTBSY' || left === 0) throw error;
      await Bun.sleep(BUSY_WAIT_MS);
    }
  }
}

/** Hands on what a child prints, where that is kept. */
const handedOn = (child: Subprocess, { tail, write }: ChildOptions): Promise<unknown> =>
  Promise.all(
    (['stdout', 'stderr'] as const).map((name) => {
      const stream = child[name];
      const isKept = stream instanceof ReadableStream && tail !== null;
      return isKept ? tail.follow(stream, (bytes) => write(name, bytes)) : Promise.resolve();
    }),
  );

async function endingOf(child: Subprocess, printed: Promise<unknown>): Promise<Ending> {
  await child.exited;
  // What a child of its own still holds open is not waited for.
  await Promise.race([printed, Bun.sleep(BUSY_WAIT_MS)]);
  return { code: child.exitCode, signal: child.signalCode === null ? null : String(child.signalCode) };
}

/**
 * Starts a server as a child. The place is left to it when it asks for the port, and taken again when it gives it up.
 *
 * @throws the system's error when the program can't be run at all
 */
export async function startChild(options: ChildOptions): Promise<ChildRun> {
  const { command, env, place, tail } = options;
  const started = Promise.withResolvers<boolean>();
  let port: number | null = null;
  const hear = (message: unknown, send: (message: ToChild) => void): void => {
    const said = readRecord(message);
    if (said.type === 'binding') void place.letGo().then(() => send({ type: 'bind' }));
    if (said.type === 'listening') port = readCount(said.port);
    if (said.type === 'started') started.resolve(true);
    if (said.type === 'released' && port !== null) place.hold(port);
  };
  const output = tail === null ? 'inherit' : 'pipe';
  const child = await whenNotBusy(() =>
    Bun.spawn([...command], {
      env,
      stdio: ['ignore', output, output],
      // Of any version: this form they all read.
      serialization: 'json',
      ipc: (message, own) => hear(message, (answer) => own.send(answer)),
    }),
  );
  const end = async (): Promise<Ending> => {
    const ending = await endingOf(child, handedOn(child, options));
    started.resolve(false);
    return ending;
  };
  return {
    pid: child.pid,
    port: () => port,
    started: started.promise,
    ended: end(),
    send: (message) => {
      if (child.exitCode === null && child.signalCode === null) child.send(message);
    },
    kill: (signal) => child.kill(signal),
  };
}
