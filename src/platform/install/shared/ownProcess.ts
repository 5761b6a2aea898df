import { readFileSync } from 'node:fs';

/** Who starts the next process when this one ends; `none` when nobody does. */
export type Supervisor = 'parent' | 'systemd' | 'docker' | 'other' | 'none';

/** What a server tells the process that started it. Other versions read it too: members are added, never changed. */
export type ToParent =
  /** It is about to open the port and asks for it. */
  | { type: 'binding' }
  | { type: 'listening'; port: number }
  /** All parts run. */
  | { type: 'started' }
  /** It has closed the port and will not open it again. */
  | { type: 'released' };

/** What that process tells its server. */
export type ToChild =
  /** The port is free. */
  | { type: 'bind' }
  /** The new version has run well for long enough. */
  | { type: 'trialOver' };

/** The line from a server to the process that started it and watches it. */
export type ParentLine = {
  send(message: ToParent): void;
  onMessage(listener: (message: unknown) => void): void;
  /** Calls back when that process has ended, however it did. */
  onGone(listener: () => void): void;
};

/** What the process knows of itself and of who started it. */
export type OwnProcess = {
  pid: number;
  /** Of who started it. */
  ppid: number;
  /** The words that start this program: its executable, and its first module where it runs from its sources. */
  command: readonly string[];
  isInContainer(): boolean;
  /** What the machine's or container's first process is called; empty where the system does not tell. */
  initName(): string;
  /** Writes to a standard stream: the bytes as they are. */
  write(stream: 'stdout' | 'stderr', bytes: Uint8Array): void;
  /** Null unless a process of this program started it. */
  parent: ParentLine | null;
};

/**
 * How the runtime looks after a server's memory, as variables of its environment, which it reads once as it starts.
 *
 * By itself it lets a heap grow to three times what lives in it before it looks for what does not (to twice on a machine
 * with less than 16 GB), which suits programs that are to be done soon. A server that runs for months keeps the room that
 * it once had: 50 MB that live made 140 of a heap. It grows by 15 % here.
 *
 * The first two say by how much, with 16 GB and with less. What outlived one collection is looked at again only by a
 * collection of the whole heap, which follows once the room for what is new is less than the third's part of the heap.
 * Just after such a collection that part is 0.15 / 1.15 = 0.13, so 0.125 brings the next one after some 2 MB that were
 * promoted. That matters: each tick replaces records that are older than a collection.
 *
 * The last two have code run four times as often before it is compiled with the most effort, which takes up to 10 MB for
 * the time being; less is compiled so, and a server used no more processor time.
 */
export const HEAP_SETTINGS: Readonly<Record<string, string>> = {
  BUN_JSC_heapGrowthMaxIncrease: '0.15',
  BUN_JSC_smallHeapGrowthFactor: '1.15',
  BUN_JSC_minEdenToOldGenerationRatio: '0.125',
  BUN_JSC_thresholdForFTLOptimizeAfterWarmUp: '256000',
  BUN_JSC_thresholdForFTLOptimizeSoon: '4000',
};

/** An environment for a server. What it says itself stands. */
export const withHeapSettings = <Value>(
  env: Readonly<Record<string, Value>>,
): Record<string, Value | string> => ({
  ...HEAP_SETTINGS,
  ...env,
});

type Facts = Pick<OwnProcess, 'pid' | 'ppid' | 'isInContainer' | 'initName'>;

/**
 * Whether systemd started this very process. `INVOCATION_ID` alone says little: a terminal that runs as a unit hands it
 * on to everything that is typed into it.
 */
function isOfSystemd(env: Record<string, string | undefined>, { pid, ppid }: Facts): boolean {
  const started = env['SYSTEMD_EXEC_PID'];
  if (started !== undefined) return started === String(pid);
  const isUnit = [env['INVOCATION_ID'], env['NOTIFY_SOCKET'], env['JOURNAL_STREAM']].some(Boolean);
  return isUnit && ppid === 1;
}

/** The small programs that containers are given as their first process, to start the real one. */
const INITS = ['tini', 'docker-init', 'dumb-init', 'catatonit'];

/**
 * Whether it is a container's main process, or the one that the container's init starts. A child of any other first process
 * may have been left behind by a shell that ended.
 */
const isOfContainer = ({ pid, ppid, isInContainer, initName }: Facts): boolean =>
  isInContainer() && (pid === 1 || (ppid === 1 && INITS.includes(initName())));

/**
 * Who starts the next process when this one ends.
 *
 * @param setting what the operator says of it
 * @returns `parent` when nobody does, so that a parent is needed
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

/** The bit of SIGHUP in a mask of signals. */
const HANGUP = 1n;

/**
 * Whether who started this process wants it to outlive the terminal (`nohup`): then the signal must stay ignored, and
 * listening to it would change that. True also where the system does not tell.
 */
export function isHangupIgnored(): boolean {
  try {
    const mask = /^SigIgn:\s{0,8}([0-9a-f]{1,32})$/m.exec(readFileSync('/proc/self/status', 'utf8'))?.[1];
    return mask === undefined || (BigInt(`0x${mask}`) & HANGUP) !== 0n;
  } catch {
    return true;
  }
}
