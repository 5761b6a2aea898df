const HOUR_MS = 3_600_000;
/** A backup is made some minutes after 03:10, and takes a while. */
const SPARE_MS = 2 * HOUR_MS;

/** How old the newest backup may be before one was missed, ms. @param everyDays nights between two */
export const maxBackupAge = (everyDays: number): number => everyDays * 24 * HOUR_MS + SPARE_MS;
