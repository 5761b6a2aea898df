import type { EditedUser } from '../../../subjects/accounts/rules/userEdit.ts';
import { ADMIN_MESSAGES } from '../../../texts/adminMessages.ts';
import { ApiError, api, NETWORK_ERROR, unwrap } from '../../../../web/api/client.ts';
import { requireDone } from '../../../../web/api/done.ts';
import { readUserDetail, readUsers, type UserDetail, type UserPage } from './readUsers.ts';
import { asAdminAction } from '../../web/parts/adminActions.ts';

/** Those whose name or email contains a text. @param before where the page begins @throws ApiError */
export async function fetchUsers(q: string, before?: number): Promise<UserPage> {
  const query = { q, ...(before === undefined ? {} : { before }) };
  return readUsers(await unwrap(api.admin.users.get({ query })));
}

function known(detail: UserDetail | null, body: unknown): UserDetail {
  if (detail === null) throw new ApiError(NETWORK_ERROR, 502, body);
  return detail;
}

/** One account with its chats. @throws ApiError */
export async function fetchUser(id: number): Promise<UserDetail> {
  const body = await unwrap(api.admin.users({ id }).get());
  return known(readUserDetail(body), body);
}

/**
 * Saves an edit.
 * @param seen what the form showed before it was edited: what is the same in both stays as it is by now
 * @returns the account after it; null when the answer does not tell
 * @throws ApiError with the server's refusal
 */
export async function putUser(id: number, edit: EditedUser, seen: EditedUser): Promise<UserDetail | null> {
  const body = await asAdminAction('users', unwrap(api.admin.users({ id }).put({ ...edit, seen })));
  requireDone(body, ADMIN_MESSAGES.saveChanges);
  return readUserDetail(body ?? {});
}
