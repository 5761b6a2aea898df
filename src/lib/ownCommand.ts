import { join } from 'node:path';

/**
 * This program with one of its commands, as a process of its own is started with it: the executable itself, or Bun with
 * the sources.
 */
export const ownCommand = (...args: readonly string[]): readonly string[] =>
  import.meta.dir.startsWith('/$bunfs/')
    ? [process.execPath, ...args]
    : [process.execPath, join(import.meta.dir, '../main.ts'), ...args];
