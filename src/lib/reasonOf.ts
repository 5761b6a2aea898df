import { isNoRoom } from './diskFull.ts';
import { errorCode } from './errorCode.ts';
import { StartError } from './startError.ts';

/** What went wrong as a sentence. Errors of others are named by their code: their texts may hold an address or a key. */
export function reasonOf(error: unknown): string {
  if (error instanceof StartError) return error.message;
  if (isNoRoom(error)) return 'There is not enough room on the disk.';
  const code = errorCode(error);
  return `Something unexpected went wrong${code === '' ? '' : ` (${code})`}.`;
}
