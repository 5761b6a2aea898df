import { useCallback } from 'react';
import { ADMIN_MESSAGES } from '../../../texts/adminMessages.ts';
import { type AdminActionKind, useAdminActions } from '../../web/parts/adminActions.ts';
import { usePages } from '../../web/parts/usePages.ts';
import { fetchUsers } from './api.ts';
import type { User, UserPage } from './readUsers.ts';

/** An own edit is shown by `replace`. */
const PLANS: readonly AdminActionKind[] = ['plans'];

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
