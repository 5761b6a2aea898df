import { join } from 'node:path';

/** The command of a package's program, run by the running Bun: where only npx provides it, no `bun` need be on the path. */
export const tool = (name: string, ...args: string[]): string[] => [
  process.execPath,
  '--bun',
  join('node_modules', '.bin', name),
  ...args,
];
