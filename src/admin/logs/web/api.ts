import { request } from '#web/api/client.ts';
import { readerOf } from '#web/api/readerOf.ts';
import { type LogFile, logsAnswer, type LogTail, tailAnswer } from '../answers/logs.ts';
import { ADMIN_MESSAGES } from '#texts/adminMessages.ts';
import { asAdminAction } from '#admin/web/parts/adminActions.ts';

/** The files of the logs folder. @throws ApiError */
export const fetchLogs = async (): Promise<LogFile[]> =>
  (await request('GET /api/admin/logs', { read: readerOf(logsAnswer) })).logs;

/** The last lines of a file. @throws ApiError */
export const fetchTail = (name: string, lines: number): Promise<LogTail> =>
  request('GET /api/admin/logs/:name/tail', {
    params: { name },
    query: { lines },
    read: readerOf(tailAnswer),
  });

/** What came to a file since an earlier answer. @throws ApiError */
export const fetchNew = (name: string, place: { file: string; after: number }): Promise<LogTail> =>
  request('GET /api/admin/logs/:name/tail', { params: { name }, query: place, read: readerOf(tailAnswer) });

/** Empties a file. @throws ApiError */
export async function clearLog(name: string): Promise<void> {
  await asAdminAction('other', request('DELETE /api/admin/logs/:name', { params: { name } }));
}

/**
 * A whole file (specification 7.7).
 * @throws Error with the specification's one message, whatever the reason
 */
export async function fetchFile(name: string): Promise<Blob> {
  try {
    return await request('GET /api/admin/logs/:name/download', { params: { name }, isFile: true });
  } catch (cause) {
    throw new Error(ADMIN_MESSAGES.downloadLog, { cause });
  }
}
