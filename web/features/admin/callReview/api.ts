import type { AdminStatus } from '../../../../src/domain/calls/types.ts';
import { ADMIN_MESSAGES } from '../../../../src/domain/adminMessages.ts';
import { api, unwrap } from '../../../shared/api/client.ts';
import { requireDone } from '../../../shared/api/done.ts';
import { readQueue, type ReviewedCall } from './readQueue.ts';
import { asDeed } from '../parts/deeds.ts';

/** Every call that is not normal. @throws ApiError with the server's sentence */
export const fetchQueue = async (): Promise<ReviewedCall[]> =>
  readQueue(await unwrap(api.calls.leaderboard.get()));

/** @throws ApiError with the server's sentence, also for one that came as a success */
export async function setAdminStatus(publicId: string, adminStatus: AdminStatus): Promise<void> {
  const call = api.admin.calls({ publicId: encodeURIComponent(publicId) });
  const body = await asDeed('other', unwrap(call['admin-status'].post({ adminStatus })));
  requireDone(body, ADMIN_MESSAGES.updateAdminStatus);
}
