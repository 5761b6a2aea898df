/**
 * How the runtime looks after a server's memory, as variables of its environment, which it reads once as it starts.
 *
 * By itself it lets a heap grow to three times what lives in it before it looks for what does not (to twice on a machine
 * with less than 16 GB), which suits programs that are to be done soon. A server that runs for months keeps the room that
 * it once had: 50 MB that live made 140 of a heap. It grows by 15 % here.
 *
 * The first two say by how much, with 16 GB and with less. What outlived one collection is looked at again only by a
 * collection of the whole heap, which follows once the room for what is new is less than the third's part of the heap.
 * Just after such a collection that part is 0.15 / 1.15 = 0.13, so 0.125 brings the next one after some 2 MB that were
 * promoted. That matters: each tick replaces records that are older than a collection.
 *
 * The last two have code run four times as often before it is compiled with the most effort, which takes up to 10 MB for
 * the time being; less is compiled so, and a server used no more processor time.
 */
export const HEAP_SETTINGS: Readonly<Record<string, string>> = {
  BUN_JSC_heapGrowthMaxIncrease: '0.15',
  BUN_JSC_smallHeapGrowthFactor: '1.15',
  BUN_JSC_minEdenToOldGenerationRatio: '0.125',
  BUN_JSC_thresholdForFTLOptimizeAfterWarmUp: '256000',
  BUN_JSC_thresholdForFTLOptimizeSoon: '4000',
};

/** An environment for a server. What it says itself stands. */
export const withHeapSettings = <Value>(
  env: Readonly<Record<string, Value>>,
): Record<string, Value | string> => ({
  ...HEAP_SETTINGS,
  ...env,
});
