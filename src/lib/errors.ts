/** The code of a failure, as of the system or of a library; '' where it has none. */
export const errorCode = (error: unknown): string =>
  error instanceof Error && 'code' in error ? String(error.code) : '';

/** Whether the file system has no room for a file; a database says so in its own way. */
export const isNoRoom = (error: unknown): boolean => ['ENOSPC', 'EDQUOT'].includes(errorCode(error));

/** Whether a failure, or what caused it, is a database that can't grow. */
export const isDiskFull = (error: unknown): boolean =>
  error instanceof Error && (('code' in error && error.code === 'SQLITE_FULL') || isDiskFull(error.cause));

/** The program can't start; the message is a sentence that tells the operator what to do. */
export class StartError extends Error {
  override name = 'StartError';
}

/** What went wrong as a sentence. Errors of others are named by their code: their texts may hold an address or a key. */
export function reasonOf(error: unknown): string {
  if (error instanceof StartError) return error.message;
  if (isNoRoom(error)) return 'There is not enough room on the disk.';
  const code = errorCode(error);
  return `Something unexpected went wrong${code === '' ? '' : ` (${code})`}.`;
}
