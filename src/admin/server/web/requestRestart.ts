import { ADMIN_MESSAGES } from '../../../texts/adminMessages.ts';
import { readBoolean } from '../../../lib/read.ts';
import { api, readAnswer, readRefusal, unwrap } from '../../../../web/api/client.ts';
import { asAdminAction } from '../../web/parts/adminActions.ts';

/**
 * Asks the server to restart.
 *
 * @returns why it does not, or null when it does
 * @throws ApiError when it refuses or can't be reached
 */
export async function requestRestart(): Promise<string | null> {
  const body = await asAdminAction('other', unwrap(api.admin.server.restart.post(), readAnswer));
  const refusal = readRefusal(body, ADMIN_MESSAGES.restart);
  if (refusal !== null) return refusal.message;
  return readBoolean(body.restarting) === true ? null : ADMIN_MESSAGES.restartUnconfirmed;
}
