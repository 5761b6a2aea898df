import { errorCode } from './errorCode.ts';

/** Whether the file system has no room for a file; a database says so in its own way. */
export const isNoRoom = (error: unknown): boolean => ['ENOSPC', 'EDQUOT'].includes(errorCode(error));

/** Whether a failure, or what caused it, is a database that can't grow. */
export const isDiskFull = (error: unknown): boolean =>
  error instanceof Error && (('code' in error && error.code === 'SQLITE_FULL') || isDiskFull(error.cause));
