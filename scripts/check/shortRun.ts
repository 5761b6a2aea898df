/** Environment of a short process: keeps freed memory, because requesting it again costs more. */
export const SHORT_RUN = { MIMALLOC_PURGE_DELAY: '-1' };

/**
 * Environment of short test runs: without the slowest compiler, which pays off only after minutes, and without
 * concurrent garbage collection, which uses another process's core. Saves a quarter of the processor time of server
 * tests, and a third of component tests.
 */
export const SHORT_TESTS = { ...SHORT_RUN, BUN_JSC_useFTLJIT: '0', BUN_JSC_useConcurrentGC: '0' };
