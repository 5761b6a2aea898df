import { readFileSync } from 'node:fs';

/** The supervisor that starts the next process; `none` if there is none. */
export type Supervisor = 'parent' | 'systemd' | 'docker' | 'other' | 'none';

/** Messages of a server to its parent process. Other versions read them, so members are only added. */
export type ToSupervisor =
  | { type: 'binding' }
  | { type: 'listening'; port: number }
  | { type: 'started' }
  /** The server has closed the port for good. */
  | { type: 'released' };

/** Messages of the parent process to its server. */
export type ToChild = { type: 'bind' } | { type: 'trialOver' };

/** The connection of a server to the parent process that supervises it. */
export type SupervisorLine = {
  send(message: ToSupervisor): void;
  onMessage(listener: (message: unknown) => void): void;
  onGone(listener: () => void): void;
};

export type OwnProcess = {
  pid: number;
  ppid: number;
  /** The command line of this program: the executable, and its first module if it runs from its sources. */
  command: readonly string[];
  isInContainer(): boolean;
  /** The name of the first process of the machine or container; empty if unknown. */
  initName(): string;
  write(stream: 'stdout' | 'stderr', bytes: Uint8Array): void;
  /** Null unless a process of this program started it. */
  parent: SupervisorLine | null;
};

/**
 * Settings of the runtime's memory, as environment variables that it reads at its start.
 *
 * By default a heap grows to three times its live data before a collection (twice with less than 16 GB). That
 * suits short programs; a server would keep 140 MB for 50 MB of live data. Here it grows by 15 %.
 *
 * The first two set the growth, with 16 GB and with less. Objects that survived one collection wait for a full
 * one. It runs when the room for new objects is below the third setting's part of the heap. Just after a full
 * collection that part is 0.15 / 1.15 = 0.13. At 0.125 the next one follows some 2 MB of promoted objects. That
 * matters because each tick replaces old records.
 *
 * The last two let code run four times as often before it is fully optimised, which takes up to 10 MB. The server
 * did not use more processor time.
 */
export const HEAP_SETTINGS: Readonly<Record<string, string>> = {
  BUN_JSC_heapGrowthMaxIncrease: '0.15',
  BUN_JSC_smallHeapGrowthFactor: '1.15',
  BUN_JSC_minEdenToOldGenerationRatio: '0.125',
  BUN_JSC_thresholdForFTLOptimizeAfterWarmUp: '256000',
  BUN_JSC_thresholdForFTLOptimizeSoon: '4000',
};

/** An environment for a server. Its own values take precedence. */
export const withHeapSettings = <Value>(
  env: Readonly<Record<string, Value>>,
): Record<string, Value | string> => ({
  ...HEAP_SETTINGS,
  ...env,
});

type Facts = Pick<OwnProcess, 'pid' | 'ppid' | 'isInContainer' | 'initName'>;

/** Whether systemd started this process. Terminals that run as a unit pass on `INVOCATION_ID` too. */
function isOfSystemd(env: Record<string, string | undefined>, { pid, ppid }: Facts): boolean {
  const started = env['SYSTEMD_EXEC_PID'];
  if (started !== undefined) return started === String(pid);
  const isUnit = [env['INVOCATION_ID'], env['NOTIFY_SOCKET'], env['JOURNAL_STREAM']].some(Boolean);
  return isUnit && ppid === 1;
}

const INITS = ['tini', 'docker-init', 'dumb-init', 'catatonit'];

/**
 * Whether this is a container's main process or the direct child of its init. The child of another first process
 * may have been left by a shell.
 */
const isOfContainer = ({ pid, ppid, isInContainer, initName }: Facts): boolean =>
  isInContainer() && (pid === 1 || (ppid === 1 && INITS.includes(initName())));

/**
 * Finds the supervisor that starts the next process.
 * @param setting of the operator
 * @returns `parent` if there is none, so that a parent is needed
 */
export function findSupervisor(
  setting: 'auto' | 'yes' | 'no',
  env: Record<string, string | undefined>,
  facts: Facts,
): Exclude<Supervisor, 'none'> {
  if (setting === 'no') return 'parent';
  if (isOfSystemd(env, facts)) return 'systemd';
  if (isOfContainer(facts)) return 'docker';
  return setting === 'yes' ? 'other' : 'parent';
}

const HANGUP = 1n;

/**
 * Whether the process was started to outlive its terminal (`nohup`). Then the signal must stay ignored, and a
 * listener would change that. Also true if unknown.
 */
export function isHangupIgnored(): boolean {
  try {
    const mask = /^SigIgn:\s{0,8}([0-9a-f]{1,32})$/m.exec(readFileSync('/proc/self/status', 'utf8'))?.[1];
    return mask === undefined || (BigInt(`0x${mask}`) & HANGUP) !== 0n;
  } catch {
    return true;
  }
}
