import type { Core } from '#src/part.ts';

type Given = { [Name in keyof Core]?: Partial<Core[Name]> };

/** A core with only the members that a test gives. */
export const coreOf = (given: Given): Core => given as Core;

/** A service with only the members that a test gives. */
export const standIn = <T>(given: Partial<NoInfer<T>>): T => given as T;
