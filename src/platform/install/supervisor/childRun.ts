import type { Subprocess } from 'bun';
import { readCount, readRecord } from '#lib/read.ts';
import type { OwnProcess, ToChild } from '../shared/ownProcess.ts';
import type { Place } from './place.ts';
import { whenNotBusy } from '#lib/processes.ts';

const MAX_LINES = 60;
const MAX_LINE = 500;

export type OutputTail = {
  /** Passes a stream on and keeps its last lines. Resolves at its end. */
  follow(stream: ReadableStream<Uint8Array>, pass: (bytes: Uint8Array) => void): Promise<void>;
  /** The last lines of all streams, oldest first, redacted. */
  lines(): string[];
};

/** @param redact hides secrets in a line, because the output of a crash is not redacted by the log */
export function createOutputTail(redact: (line: string) => string): OutputTail {
  const kept: string[] = [];
  const keep = (line: string): void => {
    if (line.trim() === '') return;
    // Cut first, so that a line without end costs no more than others.
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

export type Ending = { code: number | null; signal: string | null };

export const endingText = ({ code, signal }: Ending): string =>
  signal === null ? `ended with code ${code}` : `was ended by ${signal}`;

export type ChildRun = {
  pid: number;
  port(): number | null;
  /** True once all parts run; false if the server ended before. */
  started: Promise<boolean>;
  ended: Promise<Ending>;
  send(message: ToChild): void;
  kill(signal: NodeJS.Signals): void;
};

export type ChildOptions = {
  command: readonly string[];
  env: Record<string, string | undefined>;
  place: Place;
  /** Keeps the last lines of its output; null lets it print directly. */
  tail: OutputTail | null;
  write: OwnProcess['write'];
};

/** How long to wait for output after the server has ended, ms. */
const DRAIN_MS = 100;

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
  // Does not wait for output that a grandchild holds open.
  await Promise.race([printed, Bun.sleep(DRAIN_MS)]);
  return { code: child.exitCode, signal: child.signalCode === null ? null : String(child.signalCode) };
}

/**
 * Starts a server as a child. Gives it the port when it asks, and takes the port back afterwards.
 * @throws the system's error if the program can't be run
 */
export async function startChild(options: ChildOptions): Promise<ChildRun> {
  const { command, env, place, tail } = options;
  const started = Promise.withResolvers<boolean>();
  let port: number | null = null;
  const hear = (message: unknown, send: (message: ToChild) => void): void => {
    const record = readRecord(message);
    if (record.type === 'binding') void place.letGo().then(() => send({ type: 'bind' }));
    if (record.type === 'listening') port = readCount(record.port);
    if (record.type === 'started') started.resolve(true);
    if (record.type === 'released' && port !== null) place.hold(port);
  };
  const output = tail === null ? 'inherit' : 'pipe';
  const child = await whenNotBusy(() =>
    Bun.spawn([...command], {
      env,
      stdio: ['ignore', output, output],
      // All versions read this form.
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
