/**
 * How the runtime looks after a server's memory, as variables of its environment, which it reads once as it starts.
 *
 * By itself it lets a heap grow to three times what lives in it before it looks for what does not (to twice on a machine
 * with less than 16 GB), which suits programs that are to be done soon. A server that runs for months keeps the room that
 * it once had: 50 MB that live made 140 of a heap. It grows by a third here, and looks more often.
 *
 * The first two say by how much, with 16 GB and with less; a collection of all follows once less than the third is left to
 * grow into.
 */
export const HEAP_SETTINGS: Readonly<Record<string, string>> = {
  BUN_JSC_heapGrowthMaxIncrease: '0.3',
  BUN_JSC_smallHeapGrowthFactor: '1.3',
  BUN_JSC_minEdenToOldGenerationRatio: '0.2',
};

/** An environment for a server. What it says itself stands. */
export const withHeapSettings = <Value>(
  env: Readonly<Record<string, Value>>,
): Record<string, Value | string> => ({
  ...HEAP_SETTINGS,
  ...env,
});
