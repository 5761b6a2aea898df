import { availableParallelism } from 'node:os';

export type Child<In, Out> = {
  ask(message: In): Promise<Out>;
  pinned: boolean;
  stop(): Promise<void>;
};

const canPin = (): boolean => availableParallelism() > 1 && Bun.which('taskset') !== null;

/**
 * Starts a script of this folder as a process; it runs on one core if there are several and `taskset` exists.
 * @param script file name next to this module; it uses `serveParent`
 */
export function startChild<In, Out>(script: string, core: number): Child<In, Out> {
  const pinned = canPin();
  const command = [process.execPath, `${import.meta.dir}/${script}`];
  let answer: ((value: Out) => void) | null = null;
  let fail: ((error: Error) => void) | null = null;
  const child = Bun.spawn(pinned ? ['taskset', '-c', String(core), ...command] : command, {
    stdio: ['ignore', 'inherit', 'inherit'],
    env: { ...process.env, NODE_ENV: 'production' },
    ipc: (message) => answer?.(message as Out),
    onExit: (_child, code) => fail?.(new Error(`${script} ended with code ${code} before it answered.`)),
  });
  return {
    pinned,
    ask: (message) =>
      new Promise<Out>((resolve, reject) => {
        answer = resolve;
        fail = reject;
        child.send(message);
      }),
    async stop() {
      fail = null;
      child.kill();
      await child.exited;
    },
  };
}

export function serveSupervisor<In, Out>(handle: (message: In) => Out | Promise<Out>): void {
  process.on('message', (message) => {
    void (async () => process.send?.(await handle(message as In)))();
  });
}

/** Epoch ms with fractions, by the same clock in every process of this machine. */
export const preciseNow = (): number => performance.timeOrigin + performance.now();
