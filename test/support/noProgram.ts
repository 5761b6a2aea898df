import type { Runtime } from '#compose/runtime.ts';

/** A process that runs from no file. */
export const noProgram: Pick<Runtime, 'program'> = {
  program: { executable: '/nowhere/bellbird', isStandalone: false, releaseKey: null, env: {} },
};
