import type { Static } from 'elysia';
import { accountKey } from '../../../subjects/accounts/rules/accountRules.ts';
import type { ChatPlatform } from '../../../subjects/chats/rules/chatPlatform.ts';
import { type Edit, editUser, requireUser, type UsersDeps } from './edit.ts';
import type { userAnswer, usersAnswer } from './model.ts';
import type { UserRow } from './store.ts';

/** Users of one answer. */
const PAGE = 50;

type UserView = Static<typeof usersAnswer>['users'][number];

/** Rows as administrators see them, with how many chats each has. */
function viewsOf({ store }: UsersDeps, rows: readonly UserRow[]): UserView[] {
  const counts = new Map(
    store.chatCounts(rows.map(({ id }) => id)).map((row) => [`${row.userId} ${row.platform}`, row.count]),
  );
  const countOf = (id: number, platform: ChatPlatform) => counts.get(`${id} ${platform}`) ?? 0;
  return rows.map(({ createdAt, upgradeRequestedAt: _, ...user }) => ({
    ...user,
    telegramCount: countOf(user.id, 'telegram'),
    discordCount: countOf(user.id, 'discord'),
    created_at: new Date(createdAt).toISOString(),
  }));
}

/** Everybody's account, for administrators. Deleted ones are left out. */
export function createUsersService(deps: UsersDeps) {
  const { store, linkedChats } = deps;
  /** @throws AppError 404 */
  function user(id: number): Static<typeof userAnswer> {
    const row = requireUser(store, id);
    const [view] = viewsOf(deps, [row]);
    const { upgradeRequestedAt } = row;
    return {
      user: {
        ...(view as UserView),
        telegramId: linkedChats.mainChatId(id, 'telegram'),
        discordId: linkedChats.mainChatId(id, 'discord'),
        upgradeRequestedAt: upgradeRequestedAt === null ? null : new Date(upgradeRequestedAt).toISOString(),
      },
      linkedChats: linkedChats.list(id),
    };
  }
  return {
    /** A page of those whose name or email contains a text, in any spelling; newest first. */
    list(q: string, before?: number): Static<typeof usersAnswer> {
      const key = accountKey(q);
      const rows = store.list(key, before, PAGE + 1);
      const shown = rows.slice(0, PAGE);
      return {
        users: viewsOf(deps, shown),
        next: rows.length > PAGE ? (shown.at(-1)?.id ?? null) : null,
        total: store.count(key),
      };
    },
    user,
    /** @throws AppError 400, 404, 429 */
    edit(edit: Edit): Static<typeof userAnswer> {
      editUser(deps, edit);
      return user(edit.userId);
    },
  };
}

export type Users = ReturnType<typeof createUsersService>;
