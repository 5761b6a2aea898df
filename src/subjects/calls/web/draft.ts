import { EMPTY_CALL_FORM } from '../rules/callForm.ts';
import type { CallInput } from '../rules/types.ts';
import { isRecord } from '#lib/json.ts';
import { userOf } from '#subjects/accounts/web/shared/session/interruption.ts';
import { session } from '#subjects/accounts/web/shared/session/session.ts';
import { readStored, writeStored } from '#web/shared/storage.ts';

const KEY = 'bellbird.callDraft';

const user = (): string | null => userOf(session.peek().accessToken);

/**
 * Keeps the call that is being written in this window, over a reload, for the user who writes it.
 * @param form null once it was sent or given up
 */
export function keepDraft(form: CallInput | null): void {
  writeStored(KEY, form === null || user() === null ? null : { user: user(), form }, 'window');
}

const readOwn = (kept: unknown): CallInput | null =>
  isRecord(kept) && kept.user === user() && isRecord(kept.form)
    ? { ...EMPTY_CALL_FORM, ...(kept.form as Partial<CallInput>) }
    : null;

/** What stood in the form when this window was reloaded; null when nothing did, or for another user. */
export const readDraft = (): CallInput | null => readStored(KEY, readOwn, 'window');
