import type { Runtime } from '#compose/runtime.ts';

/** A process without an executable file. */
export const noProgram: Pick<Runtime, 'program'> = {
  program: { executable: '/nowhere/bellbird', isStandalone: false, releaseKey: null, env: {} },
};
