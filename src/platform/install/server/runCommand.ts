import { timerScheduler } from '#lib/scheduler.ts';
import { whenNotBusy } from '#lib/processes.ts';

export type CommandOptions = {
  cwd: string;
  env: Record<string, string>;
  /** After this time the program is killed with everything that it started. */
  timeoutMs: number;
  signal: AbortSignal;
  onOutput?: (text: string) => void;
};

export type CommandResult = {
  code: number | null;
  ending: 'ended' | 'timeout' | 'aborted';
  stdout: string;
  /** The last lines of both output streams, in order. */
  tail: string[];
};

const MAX_STDOUT = 256 * 1024;
const MAX_TAIL_CHARACTERS = 16 * 1024;
const MAX_TAIL_LINES = 40;
const MAX_LINE = 500;

/** How long to wait for output after the program has ended. A grandchild may hold the pipe open. */
const DRAIN_MS = 1000;

export function lastPrinted(text: string, count = MAX_TAIL_LINES): string[] {
  const plain = text.replace(/\u001b\[[\d;?]{0,20}[A-Za-z]/g, '').replaceAll('\r', '\n');
  const lines = plain.split('\n').map((line) => line.trimEnd().slice(0, MAX_LINE));
  return lines.filter((line) => line.trim() !== '').slice(-count);
}

/** Kills a program and all that it started, which form a process group. */
function killGroup(pid: number): void {
  try {
    process.kill(-pid, 'SIGKILL');
  } catch {
    // The program has already ended.
  }
}

/**
 * Runs a program without a shell or terminal, with a time limit and bounded output.
 * @throws the system's error if it can't be started
 */
export async function runCommand(
  command: readonly string[],
  options: CommandOptions,
): Promise<CommandResult> {
  const { timeoutMs, signal, onOutput = () => undefined } = options;
  if (signal.aborted) return { code: null, ending: 'aborted', stdout: '', tail: [] };
  const child = await whenNotBusy(() =>
    Bun.spawn([...command], {
      cwd: options.cwd,
      env: options.env,
      stdin: 'ignore',
      stdout: 'pipe',
      stderr: 'pipe',
      // A separate group and session, so that no child can prompt at the terminal.
      detached: true,
    }),
  );
  let ending: CommandResult['ending'] = 'ended';
  const end = (how: CommandResult['ending']): void => {
    if (ending === 'ended') ending = how;
    killGroup(child.pid);
  };
  const cancel = timerScheduler(timeoutMs, () => end('timeout'));
  const abort = (): void => end('aborted');
  signal.addEventListener('abort', abort);
  let stdout = '';
  let latest = '';
  const collect = async (stream: ReadableStream<Uint8Array>, isStdout: boolean): Promise<void> => {
    const decoder = new TextDecoder();
    for await (const chunk of stream) {
      const text = decoder.decode(chunk, { stream: true });
      if (isStdout && stdout.length < MAX_STDOUT) stdout += text.slice(0, MAX_STDOUT - stdout.length);
      latest = (latest + text).slice(-MAX_TAIL_CHARACTERS);
      onOutput(text);
    }
  };
  const collected = Promise.all([collect(child.stdout, true), collect(child.stderr, false)]);
  try {
    const code = await child.exited;
    await Promise.race([collected, Bun.sleep(DRAIN_MS)]);
    return { code: ending === 'ended' ? code : null, ending, stdout, tail: lastPrinted(latest) };
  } finally {
    cancel();
    signal.removeEventListener('abort', abort);
    // Ends processes that it left running in its group.
    killGroup(child.pid);
  }
}
