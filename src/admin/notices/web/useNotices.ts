import { useState } from 'react';
import { ADMIN_MESSAGES } from '#texts/adminMessages.ts';
import { api, messageOf, unwrap } from '#web/api/client.ts';
import { type Loaded, useLoaded } from '#web/shared/useLoaded.ts';
import { type NoticesAnswer, wantedAnswer } from '../answers/notices.ts';
import { fetchNotices, NOTICES_EVERY_MS } from './shared/noticeCount.ts';

export type NoticesState = {
  loaded: Loaded<NoticesAnswer>;
  /** Why the last change was refused; null when it was not. */
  error: string | null;
  /** Whether a change is on its way. */
  isSaving: boolean;
  /** Says whether the caller wants messages; what is shown changes once the server took it. */
  setWanted(isWanted: boolean): Promise<void>;
};

/** What is wrong with the server, asked for each minute, and whether the caller is told of it by message. */
export function useNotices(): NoticesState {
  const loaded = useLoaded(fetchNotices, ADMIN_MESSAGES.loadNotices, { everyMs: NOTICES_EVERY_MS });
  const [error, setError] = useState<string | null>(null);
  const [isSaving, setSaving] = useState(false);
  return {
    loaded,
    error,
    isSaving,
    async setWanted(isWanted) {
      setError(null);
      setSaving(true);
      try {
        const answer = await unwrap(api.admin.notices.wanted.put({ isWanted }), wantedAnswer.read);
        if (loaded.data) loaded.set({ ...loaded.data, isWanted: answer?.isWanted ?? isWanted });
      } catch (problem) {
        setError(messageOf(problem, ADMIN_MESSAGES.changeNotices));
      } finally {
        setSaving(false);
      }
    },
  };
}
