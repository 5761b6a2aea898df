import { join } from 'node:path';

/** The modules that run as workers, by their path in `src`. The executable contains each as a file of its own. */
export const WORKER_MODULES = ['sources/quotes/sessionWorker', 'subjects/odds/server/worker'] as const;

export type WorkerModule = (typeof WORKER_MODULES)[number];

const FOLDER = import.meta.dir.startsWith('/$bunfs/')
  ? { path: import.meta.dir, extension: 'js' }
  : { path: join(import.meta.dir, '..'), extension: 'ts' };

/** Starts a module in its own thread. `terminate` ends it immediately, even in a loop, and frees its memory. */
export const startWorker = (module: WorkerModule): Worker =>
  new Worker(join(FOLDER.path, `${module}.${FOLDER.extension}`));
