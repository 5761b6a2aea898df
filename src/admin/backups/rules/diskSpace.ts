const MB = 1024 * 1024;

/** Below this many bytes the operator is warned. */
export const LOW_DISK_BYTES = 500 * MB;
/** Administrators are told that it is over only at this many. */
export const ENOUGH_DISK_BYTES = 600 * MB;

/** Whether the disk counts as low. */
export const isDiskLow = (freeBytes: number): boolean => freeBytes < LOW_DISK_BYTES;
