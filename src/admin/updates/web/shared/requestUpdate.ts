import { ADMIN_MESSAGES } from '../../../../texts/adminMessages.ts';
import { readBoolean } from '../../../../lib/read.ts';
import { api, readAnswer, readRefusal, unwrap } from '../../../../../web/api/client.ts';
import { asAdminAction } from '../../../web/parts/adminActions.ts';

export type Requested = { kind: 'started' } | { kind: 'nothingNew' } | { kind: 'refused'; sentence: string };

/**
 * Asks the server to update itself.
 * @throws ApiError when it refuses or can't be reached
 */
export async function requestUpdate(): Promise<Requested> {
  const body = await asAdminAction(
    'other',
    unwrap(api.admin.server['update-and-restart'].post(), readAnswer),
  );
  const refusal = readRefusal(body, ADMIN_MESSAGES.update);
  if (refusal !== null) return { kind: 'refused', sentence: refusal.message };
  if (readBoolean(body.updated) === true || readBoolean(body.restarting) === true) return { kind: 'started' };
  // This server says so by the update that it did not start; another form confirms nothing.
  if (body.id === null) return { kind: 'nothingNew' };
  return { kind: 'refused', sentence: ADMIN_MESSAGES.updateUnconfirmed };
}
