import type { SystemClock } from '#lib/clock.ts';
import type { OwnProcess } from '../shared/ownProcess.ts';
import { type ChildRun, type Ending, type OutputTail, startChild } from './childRun.ts';
import type { Place } from './place.ts';

export type LaunchOptions = {
  /** The data folder, and the database's file in it. */
  folder: string;
  database: string;
  host: string;
  /** 0 takes any free one; the first that a server gets is that of all later ones. */
  port: number;
  /** The environment of a server that is to listen on a port. */
  childEnv(port: number): Record<string, string | undefined>;
  self: Pick<OwnProcess, 'command' | 'write'>;
  clock: SystemClock;
  /** How long a new version has to run well, seconds. */
  trialSeconds: number;
  redact(line: string): string;
  say(line: string): void;
  onStop(listener: (signal: NodeJS.Signals) => void): void;
  /** The exit code by which a server asks for the next one, and this process its supervisor. */
  restartCode: number;
  /** Another program starts this one again when it ends: then only what an update needs is done here. */
  isSupervised: boolean;
};

/** What all of a launcher's runs share. */
export type Launching = {
  readonly options: LaunchOptions;
  readonly place: Place;
  /** Resolves when this process is told to end. */
  readonly stopped: Promise<'stopped'>;
  isStopped: boolean;
  child: ChildRun | null;
  /** A server has started under this process before. */
  hasRun: boolean;
};

/** The hidden command that runs the server itself. */
const SERVER = 'server';
/** The server closes what is open for 10 s at most. */
const END_WITHIN_MS = 15_000;

/** Starts a server. @param program what to start instead of this program's own file */
export async function startServerChild(
  launching: Launching,
  { tail, program }: { tail: OutputTail | null; program?: string },
): Promise<ChildRun> {
  const { options, place, child: before } = launching;
  const { command, write } = options.self;
  const child = await startChild({
    command: [...(program === undefined ? command : [program]), SERVER],
    env: options.childEnv(options.port || (before?.port() ?? 0)),
    place,
    tail,
    write,
  });
  launching.child = child;
  // Told to end while it was being started: nobody has told it.
  if (launching.isStopped) child.kill('SIGTERM');
  void child.started.then((isStarted) => {
    launching.hasRun ||= isStarted;
  });
  return child;
}

/** Waits for a server's end; the place is taken when it ended without a word. One that was told to end and does not is killed. */
export async function untilEnded(launching: Launching, child: ChildRun): Promise<Ending> {
  const { place, stopped } = launching;
  const patience = stopped.then(() => Bun.sleep(END_WITHIN_MS)).then(() => 'late' as const);
  const first = await Promise.race([child.ended, patience]);
  if (first === 'late') child.kill('SIGKILL');
  const ending = await child.ended;
  const port = child.port();
  if (port !== null && !launching.isStopped) place.hold(port);
  return ending;
}

/**
 * The exit code of a launcher that was told to end: a server that was about to be followed by the next one, or did not
 * listen to signals yet, did well.
 */
export const codeAfterStop = ({ code, signal }: Ending, { restartCode }: LaunchOptions): number =>
  code === restartCode ? 0 : (code ?? (signal === 'SIGKILL' ? 1 : 0));

/** What follows from the end of a server: the exit code to end with, or how long to wait for the next one, ms. */
export type Next = { end: number } | { waitMs: number };
