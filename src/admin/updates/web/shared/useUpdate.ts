import { useEffect, useRef, useState } from 'react';
import { ADMIN_MESSAGES } from '#texts/adminMessages.ts';
import { request, messageOf, NETWORK_ERROR, readAnswer, readRefusal } from '#web/api/client.ts';
import { readerOf } from '#web/api/readerOf.ts';
import { type Loaded, useLoaded } from '#web/shared/useLoaded.ts';
import { useReloads } from '#web/shared/useReloads.ts';
import {
  type Health,
  askProcess,
  POLL_MS,
  type ServerReturn,
  useServerReturn,
} from '#admin/web/parts/useServerReturn.ts';
import { isUnderWay, offerAnswer, updateAnswer, type UpdateInfo } from '#admin/updates/answers/update.ts';
import { readBoolean } from '#lib/read.ts';
import { asAdminAction } from '#admin/web/parts/adminActions.ts';

type Requested = { kind: 'started' } | { kind: 'nothingNew' } | { kind: 'refused'; sentence: string };

/**
 * Asks the server to update itself.
 * @throws ApiError when it refuses or can't be reached
 */
async function requestUpdate(): Promise<Requested> {
  const body = await asAdminAction(
    'other',
    request('POST /api/admin/server/update-and-restart', { read: readAnswer }),
  );
  const refusal = readRefusal(body, ADMIN_MESSAGES.update);
  if (refusal !== null) return { kind: 'refused', sentence: refusal.message };
  if (readBoolean(body.updated) === true || readBoolean(body.restarting) === true) return { kind: 'started' };
  // This server says so by the update that it did not start; another form confirms nothing.
  if (body.id === null) return { kind: 'nothingNew' };
  return { kind: 'refused', sentence: ADMIN_MESSAGES.updateUnconfirmed };
}

const loadUpdate = (): Promise<UpdateInfo> =>
  request('GET /api/admin/server/update', { read: readerOf(updateAnswer) });

const UP_TO_DATE = 'This is the newest version.';

export type UpdateControl = {
  loaded: Loaded<UpdateInfo>;
  /** What a press of a button came to; null when there is nothing to say. */
  notice: { variant: 'error' | 'info'; text: string } | null;
  dismiss(): void;
  /** What is being asked of the server. */
  busy: 'checking' | 'starting' | null;
  server: ServerReturn;
  check(): Promise<void>;
  update(): Promise<void>;
};

/**
 * Asks for the update's steps while one goes on, also over the restarts that belong to it: that to the new version, and
 * that back to the old one.
 *
 * @param before who answered before the update was asked for; null when nobody was asked
 */
function useSteps(
  { data, reload, error }: Loaded<UpdateInfo>,
  isAsked: boolean,
  before: { current: Health | null },
): ServerReturn {
  const server = useServerReturn();
  const { waitForNext, standing, next } = server;
  const isActive = isAsked || isUnderWay(data?.update ?? null);
  useReloads(isActive, reload, POLL_MS);
  useEffect(() => {
    // The page was opened in the middle of an update.
    if (!isActive || before.current !== null) return;
    void askProcess().then((health) => {
      before.current ??= health;
    });
  }, [isActive, before]);

  const isAway = isActive && error === NETWORK_ERROR;
  useEffect(() => {
    const health = standing === 'back' ? next : before.current;
    if (isAway && health !== null && (standing === 'idle' || standing === 'back')) waitForNext(health);
  }, [isAway, standing, next, before, waitForNext]);
  useEffect(() => {
    if (standing === 'back') void reload();
  }, [standing, reload]);
  return server;
}

/** Update and Restart: what stands, and what an administrator can do. */
export function useUpdate(): UpdateControl {
  const loaded = useLoaded(loadUpdate, ADMIN_MESSAGES.load);
  const [busy, setBusy] = useState<UpdateControl['busy']>(null);
  const [notice, setNotice] = useState<UpdateControl['notice']>(null);
  const health = useRef<Health | null>(null);
  const server = useSteps(loaded, busy === 'starting', health);
  const { data, reload, set } = loaded;

  const fail = (problem: unknown, fallback: string): void =>
    setNotice({ variant: 'error', text: messageOf(problem, fallback) });
  const check = async (): Promise<void> => {
    setBusy('checking');
    setNotice(null);
    try {
      const offer = await request('POST /api/admin/server/update/check', { read: readerOf(offerAnswer) });
      if (data) set({ ...data, offer });
      if (!offer.isNew) setNotice({ variant: 'info', text: UP_TO_DATE });
    } catch (problem) {
      fail(problem, ADMIN_MESSAGES.load);
    }
    setBusy(null);
  };
  const update = async (): Promise<void> => {
    setBusy('starting');
    setNotice(null);
    server.reset();
    health.current = await askProcess();
    try {
      const requested = await requestUpdate();
      if (requested.kind === 'refused') setNotice({ variant: 'error', text: requested.sentence });
      if (requested.kind === 'nothingNew') setNotice({ variant: 'info', text: UP_TO_DATE });
    } catch (problem) {
      fail(problem, ADMIN_MESSAGES.update);
    }
    await reload();
    setBusy(null);
  };
  return { loaded, notice, dismiss: () => setNotice(null), busy, server, check, update };
}
