import { useMemo, useState } from 'react';
import { messageOf, ApiError, errorText, NETWORK_ERROR } from '#web/api/client.ts';
import { useLoaded } from '#web/shared/useLoaded.ts';
import { useReloads } from '#web/shared/useReloads.ts';
import { askProcess, useServerReturn } from '#admin/web/parts/useServerReturn.ts';
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
const restoreCalls = (token: string) => ({
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

/** While a backup is checked, how often it is asked how far it is. */
const ASK_EVERY_MS = 1000;

/** What was chosen. It stays while the backup is looked at, so that another passphrase can be tried. */
export type RestoreInput = {
  file: File | null;
  /** Of a backup of the target; '' for none. */
  name: string;
  secret: string;
};
const EMPTY: RestoreInput = { file: null, name: '', secret: '' };

/** One call at a time, and why the last one was refused. */
function useAttempts() {
  const [isBusy, setBusy] = useState(false);
  const [refusal, setRefusal] = useState<string | null>(null);
  const attempt = async (failed: string, work: () => Promise<void>): Promise<void> => {
    if (isBusy) return;
    setBusy(true);
    setRefusal(null);
    try {
      await work();
    } catch (problem) {
      setRefusal(messageOf(problem, failed));
    }
    setBusy(false);
  };
  return { isBusy, refusal, attempt };
}

/** What was chosen on the page, and whether another one is being chosen though one was checked. */
function useChoice() {
  const [input, setInput] = useState(EMPTY);
  const [isChoosing, setChoosing] = useState(false);
  return { input, setInput, isChoosing, setChoosing };
}

/** What the page that restores shows and does. @param token of the set-up link */
export function useRestore(token: string) {
  const calls = useMemo(() => restoreCalls(token), [token]);
  const loaded = useLoaded(calls.view, 'The server could not be asked.');
  const { data, reload, set } = loaded;
  const choice = useChoice();
  const [sending, setSending] = useState<number | null>(null);
  const [sent, setSent] = useState<File | null>(null);
  const { isBusy, refusal, attempt } = useAttempts();
  const server = useServerReturn();
  useReloads(data?.state === 'checking', reload, ASK_EVERY_MS);

  const send = async (file: File): Promise<void> => {
    setSending(0);
    await calls.send(file, setSending).finally(() => setSending(null));
    setSent(file);
  };
  const check = (name: string | null, file: File | null, secret: string): Promise<void> =>
    attempt('The backup could not be checked.', async () => {
      // With another passphrase the same file need not come again.
      if (file !== null && (file !== sent || data?.state !== 'arrived')) await send(file);
      choice.setChoosing(false);
      set(await calls.check(name, secret));
    });
  const apply = (): Promise<void> =>
    attempt('The backup could not be restored.', async () => {
      const before = await askProcess();
      const view = await calls.apply(data?.accountsHere ?? 0).catch((problem: unknown) => {
        // Another account may have registered: show its name.
        void reload();
        throw problem;
      });
      set(view);
      if (before && view.noRestart === null) server.waitForNext(before);
    });
  return { ...choice, calls, loaded, sending, isBusy, refusal, server, check, apply };
}
export type Restoring = ReturnType<typeof useRestore>;
