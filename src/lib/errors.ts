export const errorCode = (error: unknown): string =>
  error instanceof Error && 'code' in error ? String(error.code) : '';

export const isNoRoom = (error: unknown): boolean => ['ENOSPC', 'EDQUOT'].includes(errorCode(error));

export const isDiskFull = (error: unknown): boolean =>
  error instanceof Error && (('code' in error && error.code === 'SQLITE_FULL') || isDiskFull(error.cause));

export class StartError extends Error {
  override name = 'StartError';
}

/** The error as a sentence. Unexpected ones are named by code, because their texts may contain a key. */
export function reasonOf(error: unknown): string {
  if (error instanceof StartError) return error.message;
  if (isNoRoom(error)) return 'There is not enough disk space.';
  const code = errorCode(error);
  return `Something unexpected went wrong${code === '' ? '' : ` (${code})`}.`;
}
