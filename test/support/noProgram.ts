import type { Runtime } from '#compose/runtime.ts';

/** A process that runs from no file and keeps its data nowhere. */
export const noProgram: Pick<Runtime, 'program' | 'paths'> = {
  program: { executable: '/nowhere/bellbird', isStandalone: false, releaseKey: null, env: {} },
  paths: { folder: '/nowhere/data', database: '/nowhere/data/bellbird.db' },
};
