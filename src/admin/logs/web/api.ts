import { api, unwrap } from '#web/api/client.ts';
import { session, tokenHeaders } from '#subjects/accounts/web/shared/session/session.ts';
import { readerOf } from '#web/api/readerOf.ts';
import { type LogFile, logsAnswer, type LogTail, tailAnswer } from '../answers/logs.ts';
import { ADMIN_MESSAGES } from '#texts/adminMessages.ts';
import { asAdminAction } from '#admin/web/parts/adminActions.ts';

const logOf = (name: string) => api.admin.logs({ name: encodeURIComponent(name) });

/** The files of the logs folder. @throws ApiError */
export const fetchLogs = async (): Promise<LogFile[]> =>
  (await unwrap(api.admin.logs.get(), readerOf(logsAnswer))).logs;

/** The last lines of a file. @throws ApiError */
export const fetchTail = (name: string, lines: number): Promise<LogTail> =>
  unwrap(logOf(name).tail.get({ query: { lines } }), readerOf(tailAnswer));

/** What came to a file since an earlier answer. @throws ApiError */
export const fetchNew = (name: string, place: { file: string; after: number }): Promise<LogTail> =>
  unwrap(logOf(name).tail.get({ query: place }), readerOf(tailAnswer));

/** Empties a file. @throws ApiError */
export async function clearLog(name: string): Promise<void> {
  await asAdminAction('other', unwrap(logOf(name).delete()));
}

async function requestFile(name: string) {
  const path = `/api/admin/logs/${encodeURIComponent(name)}/download`;
  const headers = tokenHeaders(session.peek().accessToken ?? '');
  const response = await fetch(path, { headers });
  const { status, ok } = response;
  if (ok) return { data: await response.blob(), error: null, status, response };
  const text = await response.text();
  let value: unknown = text;
  try {
    value = JSON.parse(text);
  } catch {
    // Some proxy's page: `unwrap` has a sentence for it.
  }
  return { data: null, error: { status, value }, status, response };
}

/**
 * A whole file, by a raw request that carries the token (specification 7.7).
 * @throws Error with the specification's one message, whatever the reason
 */
export async function fetchFile(name: string): Promise<Blob> {
  try {
    const blob = await unwrap(requestFile(name));
    return blob instanceof Blob ? blob : new Blob([]);
  } catch (cause) {
    throw new Error(ADMIN_MESSAGES.downloadLog, { cause });
  }
}
