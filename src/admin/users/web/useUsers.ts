import { useCallback } from 'react';
import { ADMIN_MESSAGES } from '#texts/adminMessages.ts';
import { type AdminActionKind, useAdminActions, asAdminAction } from '#admin/web/parts/adminActions.ts';
import { usePages } from '#admin/web/parts/MoreButton.tsx';
import { type User, type UserPage, userAnswer, type UserDetail, usersAnswer } from '../answers/users.ts';
import type { EditedUser } from '#subjects/accounts/rules/userEdit.ts';
import { api, readAnswer, unwrap } from '#web/api/client.ts';
import { readerOf } from '#web/api/readerOf.ts';
import { requireDone } from '#web/api/done.ts';

/** Those whose name or email contains a text. @param before where the page begins @throws ApiError */
async function fetchUsers(q: string, before?: number): Promise<UserPage> {
  const query = { q, ...(before === undefined ? {} : { before }) };
  return unwrap(api.admin.users.get({ query }), readerOf(usersAnswer));
}

/** One account with its chats. @throws ApiError */
export const fetchUser = (id: number): Promise<UserDetail> =>
  unwrap(api.admin.users({ id }).get(), readerOf(userAnswer));

/**
 * Saves an edit.
 * @param seen what the form showed before it was edited: what is the same in both stays as it is by now
 * @returns the account after it; null when the answer does not tell
 * @throws ApiError with the server's refusal
 */
export async function putUser(id: number, edit: EditedUser, seen: EditedUser): Promise<UserDetail | null> {
  const body = await asAdminAction('users', unwrap(api.admin.users({ id }).put({ ...edit, seen })));
  requireDone(body, ADMIN_MESSAGES.saveChanges);
  return userAnswer.read(readAnswer(body ?? {}));
}

/** An own edit is shown by `replace`. */
const PLANS: readonly AdminActionKind[] = ['plans'];

/** Takes away somebody's second factor. @returns the account after it @throws ApiError with the server's refusal */
export async function clearSecondFactor(id: number): Promise<UserDetail | null> {
  const request = api.admin.users({ id })['clear-second-factor'].post();
  const body = await asAdminAction('users', unwrap(request));
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
