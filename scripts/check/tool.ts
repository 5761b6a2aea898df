import { join } from 'node:path';

/**
 * Checks all types, and keeps what it learned for the next time. One checker: several look at the same types again, and
 * take twice the processor time, which tests need beside it.
 */
export const CHECK_TYPES = [
  '--noEmit',
  '--incremental',
  '--tsBuildInfoFile',
  join('node_modules', '.cache', 'types.json'),
  '--checkers',
  '1',
];

/** The command of a package's program, run by the running Bun: where only npx provides it, no `bun` need be on the path. */
export const tool = (name: string, ...args: string[]): string[] => [
  process.execPath,
  '--bun',
  join('node_modules', '.bin', name),
  ...args,
];
