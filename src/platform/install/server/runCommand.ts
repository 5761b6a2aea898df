import { timerScheduler } from '#lib/scheduler.ts';
import { errorCode } from '#lib/errors.ts';

export type CommandOptions = {
  cwd: string;
  env: Record<string, string>;
  /** After this it is killed, with everything that it has started. */
  timeoutMs: number;
  /** Kills it as well. */
  signal: AbortSignal;
  /** Told of each piece of output as it comes. */
  onOutput?: (text: string) => void;
};

export type CommandResult = {
  /** Null when it was killed. */
  code: number | null;
  ending: 'ended' | 'timeout' | 'aborted';
  /** What it printed to its standard output, up to 256 KB. */
  stdout: string;
  /** The end of what it printed, both streams in the order in which they came. */
  tail: string[];
};

const MAX_STDOUT = 256 * 1024;
const MAX_TAIL_CHARACTERS = 16 * 1024;
const MAX_TAIL_LINES = 40;
const MAX_LINE = 500;

/** How long output is waited for after the program has ended: a grandchild may hold the pipe open for ever. */
const DRAIN_MS = 1000;

/** The last lines that a program printed, without the codes that colour it or move the cursor. */
export function lastPrinted(text: string, count = MAX_TAIL_LINES): string[] {
  const plain = text.replace(/\u001b\[[\d;?]{0,20}[A-Za-z]/g, '').replaceAll('\r', '\n');
  const lines = plain.split('\n').map((line) => line.trimEnd().slice(0, MAX_LINE));
  return lines.filter((line) => line.trim() !== '').slice(-count);
}

/** Ends a program and all that it started: it leads a group of its own. */
function killGroup(pid: number): void {
  try {
    process.kill(-pid, 'SIGKILL');
  } catch {
    // It has ended by itself meanwhile.
  }
}

/** A file that was written a moment ago counts as busy while another child is being started; that passes. */
async function spawnPatiently(command: readonly string[], options: CommandOptions) {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return Bun.spawn([...command], {
        cwd: options.cwd,
        env: options.env,
        stdin: 'ignore',
        stdout: 'pipe',
        stderr: 'pipe',
        // A group and a session of its own: nothing in it can ask at the terminal.
        detached: true,
      });
    } catch (error) {
      if (errorCode(error) !== 'ETXTBSY' || attempt === 5) throw error;
      await Bun.sleep(50 * attempt);
    }
  }
}

/**
 * Runs a program without a shell, with an end: a time limit, bounded output, no terminal to ask at.
 *
 * @param command the program's path and its arguments
 * @throws the system's error when it can't be started
 */
export async function runCommand(
  command: readonly string[],
  options: CommandOptions,
): Promise<CommandResult> {
  const { timeoutMs, signal, onOutput = () => undefined } = options;
  if (signal.aborted) return { code: null, ending: 'aborted', stdout: '', tail: [] };
  const child = await spawnPatiently(command, options);
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
    // What it left running in its group has no business any more.
    killGroup(child.pid);
  }
}
