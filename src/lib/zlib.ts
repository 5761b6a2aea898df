import { lazy } from './lazy.ts';

/** The runtime's compression. Loaded with its first use: all of its streams come with it, 4 ms of a start. */
export const zlib = lazy(() => process.getBuiltinModule('node:zlib'));
