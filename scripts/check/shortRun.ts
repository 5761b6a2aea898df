/**
 * Settings of the engine for a process that lives for a minute: memory that was freed is kept, as to fetch it from the system
 * again costs more than to hold it.
 */
export const SHORT_RUN = { MIMALLOC_PURGE_DELAY: '-1' };

/**
 * The same for one that runs tests and not the product: nothing is compiled by the slowest compiler, which pays after
 * minutes, and nothing is collected beside the tests, which takes the core of another process. Both together spare tests of
 * the server a quarter of their processor time, and tests of components a third.
 */
export const SHORT_TESTS = { ...SHORT_RUN, BUN_JSC_useFTLJIT: '0', BUN_JSC_useConcurrentGC: '0' };
