import type { Core } from '#src/part.ts';

type Given = { [Name in keyof Core]?: Partial<Core[Name]> };

/** A core that has what a test gives: whatever is tried must need no more. */
export const coreOf = (given: Given): Core => given as Core;
