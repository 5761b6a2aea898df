import { ApiError, errorText, NETWORK_ERROR } from '#web/api/client.ts';
import { readerOf } from '#web/api/readerOf.ts';
import {
  type FirstRestoreView,
  firstRestoreAnswer,
  type TargetBackupsView,
  targetBackupsAnswer,
} from '../answers/firstRestore.ts';

/** Below nginx's default limit of 1 MB per request. */
const PIECE_BYTES = 900_000;

async function call(token: string, path: string, init: RequestInit = {}): Promise<unknown> {
  let response: Response;
  try {
    response = await fetch(`/api/setup/restore${path}`, {
      ...init,
      headers: { ...init.headers, 'x-setup-token': token },
    });
  } catch (cause) {
    throw new ApiError(NETWORK_ERROR, 503, cause);
  }
  const body: unknown = await response.json().catch(() => null);
  if (!response.ok)
    throw new ApiError(errorText(response.status, response.statusText, body), response.status, body);
  return body;
}

const readView = readerOf(firstRestoreAnswer);
const readBackups = readerOf(targetBackupsAnswer);

const json = (value: unknown): RequestInit => ({
  method: 'POST',
  headers: { 'content-type': 'application/json' },
  body: JSON.stringify(value),
});

/** The calls of the page that restores, for the holder of a set-up link. Each throws ApiError with the sentence to show. */
export const restoreCalls = (token: string) => ({
  view: async (): Promise<FirstRestoreView> => readView(await call(token, '')),
  targetBackups: async (): Promise<TargetBackupsView> => readBackups(await call(token, '/target')),
  /** @param name a backup of the target; null for the file that was sent */
  check: async (name: string | null, secret: string): Promise<FirstRestoreView> =>
    readView(await call(token, '/check', json({ name, secret }))),
  /** @param accountsHere how many accounts the page showed that are replaced */
  apply: async (accountsHere: number): Promise<FirstRestoreView> =>
    readView(await call(token, '/apply', json({ accountsHere }))),
  /** Sends a file in pieces. @param onProgress told from 0 to 1 */
  async send(file: Blob, onProgress: (share: number) => void): Promise<void> {
    let at = 0;
    do {
      const piece = file.slice(at, at + PIECE_BYTES);
      await call(token, `/piece?at=${at}&size=${file.size}`, {
        method: 'POST',
        headers: { 'content-type': 'application/octet-stream' },
        body: piece,
      });
      at += piece.size;
      onProgress(at / file.size);
    } while (at < file.size);
  },
});
