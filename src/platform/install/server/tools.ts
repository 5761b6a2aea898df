import type { Program } from '../shared/processControl.ts';
import { type CommandOptions, type CommandResult, runCommand } from './runCommand.ts';
import { UpdateError } from '../shared/updateState.ts';

/** Time limits of commands, ms. A Raspberry Pi needs minutes for work that takes a desktop seconds. */
export const TIME_LIMITS = {
  local: 60_000,
  fetch: 120_000,
  install: 15 * 60_000,
  build: 30 * 60_000,
  check: 5 * 60_000,
} as const;

/** Variables that would mislead git, prompt a person, or reveal this installation's secrets to a build. */
const KEPT_BACK = /^(?:BELLBIRD_|GIT_|NODE_ENV$|NODE_CHANNEL_|SSH_ASKPASS|DISPLAY$|WAYLAND_DISPLAY$|BUN_)/i;

/** Prompts can't be answered, and this program reads git's output. */
const QUIET = { GIT_TERMINAL_PROMPT: '0', GIT_OPTIONAL_LOCKS: '0', LC_ALL: 'C', CI: '1', NO_COLOR: '1' };

/** Git starts no program of a repository, and accepts only transports that authenticate the sender. */
const GIT_SAFETY = [
  'core.hooksPath=/dev/null',
  'core.fsmonitor=false',
  'core.pager=cat',
  'log.showSignature=false',
  'merge.verifySignatures=false',
  'gc.auto=0',
  'maintenance.auto=false',
  'submodule.recurse=false',
  'fetch.recurseSubmodules=false',
  'protocol.allow=never',
  ...['ext', 'http', 'git', 'ftp'].map((name) => `protocol.${name}.allow=never`),
  ...['https', 'ssh', 'file'].map((name) => `protocol.${name}.allow=always`),
  'advice.detachedHead=false',
  'init.defaultBranch=main',
].flatMap((setting) => ['-c', setting]);

export type ToolName = 'git' | 'bun';

export type Tools = {
  /** @throws UpdateError with a sentence if a program is missing */
  need(name: ToolName): string;
  git(folder: string, args: readonly string[], timeoutMs?: number): Promise<CommandResult>;
  /** Runs Bun in a folder at a low priority, so that the server stays responsive. */
  bun(folder: string, args: readonly string[], timeoutMs: number): Promise<CommandResult>;
};

const HINTS: Record<ToolName, string> = {
  git: 'Install it, for instance with: sudo apt install git',
  bun: 'Install it as described in the README, in a folder of the server’s PATH.',
};

/** @returns the environment for other programs: without Bellbird's settings and without prompts */
export function commandEnvironment(env: Program['env']): Record<string, string> {
  const kept = Object.entries(env).flatMap(([name, value]) =>
    value === undefined || KEPT_BACK.test(name) ? [] : [[name, value] as const],
  );
  return { ...Object.fromEntries(kept), ...QUIET };
}

/** The programs that an update from a checkout needs, found in the PATH. */
export function createTools(
  { env: inherited }: Pick<Program, 'env'>,
  { signal, onOutput }: Pick<CommandOptions, 'signal' | 'onOutput'>,
): Tools {
  const env = commandEnvironment(inherited);
  const find = (name: string): string | null => Bun.which(name, { PATH: env.PATH ?? '' });
  const need = (name: ToolName): string => {
    const path = find(name);
    if (path === null) throw new UpdateError(`${name} was not found on this machine. ${HINTS[name]}`);
    return path;
  };
  const nice = find('nice');
  const options = { env, signal, ...(onOutput && { onOutput }) };
  return {
    need,
    git: (folder, args, timeoutMs = TIME_LIMITS.local) =>
      runCommand([need('git'), ...GIT_SAFETY, ...args], {
        ...options,
        cwd: folder,
        timeoutMs,
        onOutput: () => undefined,
      }),
    bun: (folder, args, timeoutMs) =>
      runCommand([...(nice === null ? [] : [nice, '-n', '15']), need('bun'), ...args], {
        ...options,
        cwd: folder,
        timeoutMs,
      }),
  };
}

const minutes = (ms: number): string => (ms < 120_000 ? `${ms / 1000} seconds` : `${ms / 60_000} minutes`);

/**
 * The output of a successful command.
 * @param sentence names the failure
 * @throws UpdateError with the sentence and the last lines
 */
export function succeeded(
  { code, ending, stdout, tail }: CommandResult,
  sentence: string,
  timeoutMs: number,
): string {
  if (ending === 'aborted') throw new UpdateError('The server was stopped while it was being updated.', tail);
  if (ending === 'timeout')
    throw new UpdateError(`${sentence} It took longer than ${minutes(timeoutMs)}.`, tail);
  if (code !== 0) throw new UpdateError(sentence, tail);
  return stdout;
}
