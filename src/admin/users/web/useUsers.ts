import { useCallback } from 'react';
import { ADMIN_MESSAGES } from '#texts/adminMessages.ts';
import { type AdminActionKind, asAdminAction, useAdminActions } from '#admin/web/parts/adminActions.ts';
import { usePages } from '#admin/web/parts/RecordTable.tsx';
import { type User, type UserPage, userAnswer, type UserDetail, usersAnswer } from '../answers/users.ts';
import type { EditedUser } from '#subjects/accounts/rules/userEdit.ts';
import { readAnswer, readerOf, request } from '#web/api/client.ts';
import { requireDone } from '#web/api/done.ts';

/** @param q part of a name or email @param before cursor of the page @throws ApiError */
async function fetchUsers(q: string, before?: number): Promise<UserPage> {
  const query = { q, ...(before === undefined ? {} : { before }) };
  return request('GET /api/admin/users', { query, read: readerOf(usersAnswer) });
}

export const fetchUser = (id: number): Promise<UserDetail> =>
  request('GET /api/admin/users/:id', { params: { id }, read: readerOf(userAnswer) });

/**
 * @param seen what the form showed; members that equal it keep their current values
 * @returns the changed account; null if the answer lacks it
 * @throws ApiError with the server's refusal
 */
export async function putUser(id: number, edit: EditedUser, seen: EditedUser): Promise<UserDetail | null> {
  const body = await asAdminAction(
    request('PUT /api/admin/users/:id', { params: { id }, body: { ...edit, seen } }),
    'users',
  );
  requireDone(body, ADMIN_MESSAGES.saveChanges);
  return userAnswer.read(readAnswer(body ?? {}));
}

/** Reloads after changes of plans. `replace` shows the page's own edits. */
const PLANS: readonly AdminActionKind[] = ['plans'];

/** @returns the changed account @throws ApiError with the server's refusal */
export async function clearSecondFactor(id: number): Promise<UserDetail | null> {
  const cleared = request('POST /api/admin/users/:id/clear-second-factor', { params: { id } });
  const body = await asAdminAction(cleared, 'users');
  requireDone(body, ADMIN_MESSAGES.saveChanges);
  return userAnswer.read(readAnswer(body ?? {}));
}

const join = (page: UserPage, added: UserPage): UserPage => ({
  ...added,
  users: [...page.users, ...added.users],
});

export function useUsers(q: string) {
  const fetchPage = useCallback((before?: number) => fetchUsers(q, before), [q]);
  const pages = usePages(fetchPage, join, ADMIN_MESSAGES.loadUsers);
  const { data, set, reload } = pages.loaded;
  useAdminActions(PLANS, reload);
  return {
    pages,
    replace(user: User): void {
      if (data) set({ ...data, users: data.users.map((one) => (one.id === user.id ? user : one)) });
    },
  };
}
