const MB = 1024 * 1024;

/** Below this many bytes the operator is warned. */
export const LOW_DISK_BYTES = 500 * MB;
/** It is over only at this many: a disk that swings around the limit must not warn all day. */
export const ENOUGH_DISK_BYTES = 600 * MB;

/**
 * Whether the disk counts as low.
 * @param wasLow whether it did at the last look
 */
export const isDiskLow = (freeBytes: number, wasLow: boolean): boolean =>
  freeBytes < (wasLow ? ENOUGH_DISK_BYTES : LOW_DISK_BYTES);
