/** Whether a failure, or what caused it, is a database that can't grow. */
export const isDiskFull = (error: unknown): boolean =>
  error instanceof Error && (('code' in error && error.code === 'SQLITE_FULL') || isDiskFull(error.cause));
