import { EMPTY_CALL_FORM } from '../../../src/domain/calls/callForm.ts';
import type { CallInput } from '../../../src/domain/calls/types.ts';
import { isRecord } from '../../../src/lib/json.ts';
import { userOf } from '../../shared/session/interruption.ts';
import { session } from '../../shared/session/session.ts';

const KEY = 'bellbird.callDraft';

const user = (): string | null => userOf(session.peek().accessToken);

/**
 * Keeps the call that is being written in this window, over a reload, for the user who writes it.
 * @param form null once it was sent or given up
 */
export function keepDraft(form: CallInput | null): void {
  try {
    if (form === null || user() === null) window.sessionStorage.removeItem(KEY);
    else window.sessionStorage.setItem(KEY, JSON.stringify({ user: user(), form }));
  } catch (problem) {
    console.warn('The call that is being written could not be kept; it lasts until a reload.', problem);
  }
}

/** What stood in the form when this window was reloaded; null when nothing did, or for another user. */
export function readDraft(): CallInput | null {
  try {
    const kept: unknown = JSON.parse(window.sessionStorage.getItem(KEY) ?? 'null');
    const isOwn = isRecord(kept) && kept.user === user() && isRecord(kept.form);
    return isOwn ? { ...EMPTY_CALL_FORM, ...(kept.form as Partial<CallInput>) } : null;
  } catch {
    return null; // Storage is switched off, or something else wrote there.
  }
}
