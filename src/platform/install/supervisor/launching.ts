import type { SystemClock } from '#lib/clock.ts';
import type { OwnProcess } from '../shared/ownProcess.ts';
import { type ChildRun, type Ending, type OutputTail, startChild } from './childRun.ts';
import type { Place } from './place.ts';

export type LaunchOptions = {
  folder: string;
  database: string;
  host: string;
  /** 0 takes any free port. Later servers use the port of the first. */
  port: number;
  childEnv(port: number): Record<string, string | undefined>;
  self: Pick<OwnProcess, 'command' | 'write'>;
  clock: SystemClock;
  /** How long a new version must run well, seconds. */
  trialSeconds: number;
  redact(line: string): string;
  print(line: string): void;
  onStop(listener: (signal: NodeJS.Signals) => void): void;
  /**
   * The exit code with which a server requests the next one, and this process a restart by its supervisor.
   */
  restartCode: number;
  /** True if a supervisor restarts this process, which then only handles an update. */
  isSupervised: boolean;
};

export type Supervising = {
  readonly options: LaunchOptions;
  readonly place: Place;
  readonly stopped: Promise<'stopped'>;
  isStopped: boolean;
  child: ChildRun | null;
  hasRun: boolean;
};

const SERVER = 'server';
const END_WITHIN_MS = 15_000;

/** Starts a server. @param program the executable, by default this program's own */
export async function startServerChild(
  launching: Supervising,
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
  // A signal may arrive before the child exists.
  if (launching.isStopped) child.kill('SIGTERM');
  void child.started.then((isStarted) => {
    launching.hasRun ||= isStarted;
  });
  return child;
}

/** Waits for a server's end, and takes the port if it crashed. Kills a server that does not end. */
export async function untilEnded(launching: Supervising, child: ChildRun): Promise<Ending> {
  const { place, stopped } = launching;
  const patience = stopped.then(() => Bun.sleep(END_WITHIN_MS)).then(() => 'late' as const);
  const first = await Promise.race([child.ended, patience]);
  if (first === 'late') child.kill('SIGKILL');
  const ending = await child.ended;
  const port = child.port();
  if (port !== null && !launching.isStopped) place.hold(port);
  return ending;
}

/** The exit code after a signal. A server that was restarting or still starting counts as successful. */
export const codeAfterStop = ({ code, signal }: Ending, { restartCode }: LaunchOptions): number =>
  code === restartCode ? 0 : (code ?? (signal === 'SIGKILL' ? 1 : 0));

export type Next = { end: number } | { waitMs: number };
