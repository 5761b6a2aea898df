import type { AdminStatus } from '../../../subjects/calls/rules/types.ts';
import { ADMIN_MESSAGES } from '../../../texts/adminMessages.ts';
import { api, unwrap } from '../../../../web/api/client.ts';
import { requireDone } from '../../../../web/api/done.ts';
import { readQueue, type ReviewedCall } from './readQueue.ts';
import { asAdminAction } from '../../web/parts/adminActions.ts';

/** Every call that is not normal. @throws ApiError with the server's sentence */
export const fetchQueue = async (): Promise<ReviewedCall[]> =>
  readQueue(await unwrap(api.calls.leaderboard.get()));

/** @throws ApiError with the server's sentence, also for one that came as a success */
export async function setAdminStatus(publicId: string, adminStatus: AdminStatus): Promise<void> {
  const call = api.admin.calls({ publicId: encodeURIComponent(publicId) });
  const body = await asAdminAction('other', unwrap(call['admin-status'].post({ adminStatus })));
  requireDone(body, ADMIN_MESSAGES.updateAdminStatus);
}
