import { join } from 'node:path';

/**
 * Checks all types incrementally. One checker, because several check the same types again and take twice the
 * processor time.
 */
export const CHECK_TYPES = [
  '--noEmit',
  '--incremental',
  '--tsBuildInfoFile',
  join('node_modules', '.cache', 'types.json'),
  '--checkers',
  '1',
];

/** A package's program, run by the running Bun, because `bun` may not be on the path with npx. */
export const tool = (name: string, ...args: string[]): string[] => [
  process.execPath,
  '--bun',
  join('node_modules', '.bin', name),
  ...args,
];
