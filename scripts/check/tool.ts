import { join } from 'node:path';

/**
 * Arguments that check all types incrementally. One checker is used, because several check the same types again and
 * take twice the processor time.
 */
export const CHECK_TYPES = [
  '--noEmit',
  '--incremental',
  '--tsBuildInfoFile',
  join('node_modules', '.cache', 'types.json'),
  '--checkers',
  '1',
];

/** Runs a package's program with the running Bun, because with npx `bun` may not be on the path. */
export const tool = (name: string, ...args: string[]): string[] => [
  process.execPath,
  '--bun',
  join('node_modules', '.bin', name),
  ...args,
];
