import { useCallback } from 'react';
import { ADMIN_MESSAGES } from '#texts/adminMessages.ts';
import { type AdminActionKind, asAdminAction, useAdminActions } from '#admin/web/parts/adminActions.ts';
import { usePages } from '#admin/web/parts/RecordTable.tsx';
import { type User, type UserPage, userAnswer, type UserDetail, usersAnswer } from '../answers/users.ts';
import type { EditedUser } from '#subjects/accounts/rules/userEdit.ts';
import { readAnswer, readerOf, request } from '#web/api/client.ts';
import { requireDone } from '#web/api/done.ts';

/** Those whose name or email contains a text. @param before where the page begins @throws ApiError */
async function fetchUsers(q: string, before?: number): Promise<UserPage> {
  const query = { q, ...(before === undefined ? {} : { before }) };
  return request('GET /api/admin/users', { query, read: readerOf(usersAnswer) });
}

/** One account with its chats. @throws ApiError */
export const fetchUser = (id: number): Promise<UserDetail> =>
  request('GET /api/admin/users/:id', { params: { id }, read: readerOf(userAnswer) });

/**
 * Saves an edit.
 * @param seen what the form showed before it was edited: what is the same in both stays as it is by now
 * @returns the account after it; null when the answer does not tell
 * @throws ApiError with the server's refusal
 */
export async function putUser(id: number, edit: EditedUser, seen: EditedUser): Promise<UserDetail | null> {
  const body = await asAdminAction(
    'users',
    request('PUT /api/admin/users/:id', { params: { id }, body: { ...edit, seen } }),
  );
  requireDone(body, ADMIN_MESSAGES.saveChanges);
  return userAnswer.read(readAnswer(body ?? {}));
}

/** An own edit is shown by `replace`. */
const PLANS: readonly AdminActionKind[] = ['plans'];

/** Takes away somebody's second factor. @returns the account after it @throws ApiError with the server's refusal */
export async function clearSecondFactor(id: number): Promise<UserDetail | null> {
  const cleared = request('POST /api/admin/users/:id/clear-second-factor', { params: { id } });
  const body = await asAdminAction('users', cleared);
  requireDone(body, ADMIN_MESSAGES.saveChanges);
  return userAnswer.read(readAnswer(body ?? {}));
}

const join = (page: UserPage, added: UserPage): UserPage => ({
  ...added,
  users: [...page.users, ...added.users],
});

/** Those who match a search, page after page. */
export function useUsers(q: string) {
  const fetchPage = useCallback((before?: number) => fetchUsers(q, before), [q]);
  const pages = usePages(fetchPage, join, ADMIN_MESSAGES.loadUsers);
  const { data, set, reload } = pages.loaded;
  useAdminActions(PLANS, reload);
  return {
    pages,
    /** Shows an account as it is after an edit. */
    replace(user: User): void {
      if (data) set({ ...data, users: data.users.map((one) => (one.id === user.id ? user : one)) });
    },
  };
}
