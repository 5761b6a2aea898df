import { and, count, desc, eq, inArray, isNull, lt, or, sql } from 'drizzle-orm';
import { linkedChats } from '#src/tables/alertSchema.ts';
import type { Db } from '#platform/db/open.ts';
import { secondFactors, users } from '#platform/db/schema.ts';
import {
  checkUserEdit,
  editedPlan,
  type EditedUser,
  type PlanState,
  type SentEdit,
} from '#subjects/accounts/rules/userEdit.ts';
import type { App, Part } from '#platform/app.ts';
import type { Wire } from '#lib/contract/fields.ts';
import { accountKey } from '#subjects/accounts/rules/accountRules.ts';
import type { ChatPlatform } from '#platform/chatClients/rules/chatPlatform.ts';
import type { userAnswer, usersAnswer } from '../answers/users.ts';
import { accepted, AppError } from '#platform/http/errors.ts';
import { clearedMessage } from '#subjects/accounts/rules/secondFactor.ts';
import { createWriteLimit, type UserLimit } from '#platform/http/requestLimits.ts';
import { serve } from '#platform/http/routes.ts';
import { USERS } from '../contract.ts';

const COLUMNS = {
  id: users.id,
  username: users.username,
  email: users.email,
  subscriptionType: users.subscriptionType,
  requestedSubscriptionType: users.requestedSubscriptionType,
  upgradeRequestedAt: users.upgradeRequestedAt,
  promptTokens: users.promptTokens,
  completionTokens: users.completionTokens,
  isAdmin: users.isAdmin,
  createdAt: users.createdAt,
  hasSecondFactor:
    sql<boolean>`EXISTS (SELECT 1 FROM ${secondFactors} AS factor WHERE factor.user_id = ${users}.id
    AND factor.confirmed_at IS NOT NULL)`.mapWith(Boolean),
};

const EXISTS = isNull(users.deletedAt);

/** A condition for names that contain a text; both are normalised, and no character is a wildcard. */
const named = (key: string) =>
  key === ''
    ? undefined
    : or(sql`instr(${users.usernameKey}, ${key}) > 0`, sql`instr(${users.emailKey}, ${key}) > 0`);

const usersByName = (db: Db) => ({
  /** Users, newest first. @param before only users with a smaller id */
  list: (key: string, before: number | undefined, limit: number) =>
    db
      .select(COLUMNS)
      .from(users)
      .where(and(EXISTS, named(key), before === undefined ? undefined : lt(users.id, before)))
      .orderBy(desc(users.id))
      .limit(limit)
      .all(),

  count: (key: string): number =>
    db
      .select({ count: count() })
      .from(users)
      .where(and(EXISTS, named(key)))
      .get()?.count ?? 0,
});

export const userStore = (db: Db) => ({
  ...usersByName(db),

  inTransaction: <T>(work: () => T): T => db.transaction(work, { behavior: 'immediate' }),

  byId: (id: number) =>
    db
      .select(COLUMNS)
      .from(users)
      .where(and(EXISTS, eq(users.id, id)))
      .get(),

  chatCounts: (userIds: readonly number[]) =>
    db
      .select({ userId: linkedChats.userId, platform: linkedChats.platform, count: count() })
      .from(linkedChats)
      .where(inArray(linkedChats.userId, [...userIds]))
      .groupBy(linkedChats.userId, linkedChats.platform)
      .all(),

  /** @param requestedAt epoch ms of the request; null if there is none */
  setPlan: (id: number, plan: PlanState, requestedAt: number | null): void => {
    db.update(users)
      .set({ ...plan, upgradeRequestedAt: requestedAt, upgradeDeclinedReason: null })
      .where(eq(users.id, id))
      .run();
  },
});

export type UserStore = ReturnType<typeof userStore>;
export type UserRow = NonNullable<ReturnType<UserStore['byId']>>;

const OWN = 'Turn off your own two-factor login in Settings.';

/**
 * Removes a user's second factor. The audit entry and the messages are written in the same transaction.
 * @throws AppError 400 for the administrator's own, 404, 409 if it is not active
 */
function clearSecondFactor(
  { audit, accounts, outbox, chatsOf }: App,
  store: UserStore,
  administratorId: number,
  userId: number,
): void {
  if (userId === administratorId) throw new AppError(400, OWN);
  store.inTransaction(() => {
    const row = requireUser(store, userId);
    if (!accounts.clearSecondFactor(userId)) {
      throw new AppError(409, `${row.username} no longer has two-factor login. Reload the list.`);
    }
    audit.record({
      userId: administratorId,
      action: 'clear second factor',
      target: row.username,
      before: { secondFactor: 'on' },
      after: { secondFactor: 'off' },
    });
    outbox.add(
      chatsOf(userId).map((chat) => ({ ...chat, userId, triggerId: null, message: clearedMessage })),
    );
  });
  outbox.wake();
  accounts.accountChanged(userId);
}

type Edit = { userId: number; administratorId: number; sent: SentEdit; seen: SentEdit };

const PLATFORMS = { telegramId: 'telegram', discordId: 'discord' } as const satisfies Record<
  string,
  ChatPlatform
>;

function requireUser(store: UserStore, id: number): UserRow {
  const row = Number.isSafeInteger(id) ? store.byId(id) : undefined;
  if (!row) throw new AppError(404, 'This account does not exist, or was deleted. Reload the list.');
  return row;
}

function stateOf({ linkedChats }: App, store: UserStore, id: number): EditedUser {
  const { subscriptionType, requestedSubscriptionType } = requireUser(store, id);
  return {
    telegramId: linkedChats.mainChatId(id, 'telegram'),
    discordId: linkedChats.mainChatId(id, 'discord'),
    requestedSubscriptionType,
    subscriptionType,
  };
}

function differing(before: EditedUser, after: EditedUser) {
  const fields = (Object.keys(before) as (keyof EditedUser)[]).filter(
    (field) => before[field] !== after[field],
  );
  const pick = (state: EditedUser) => Object.fromEntries(fields.map((field) => [field, state[field]]));
  return { fields, before: pick(before), after: pick(after) };
}

function setPlan({ clock }: App, store: UserStore, row: UserRow, edit: Partial<EditedUser>): void {
  const plan = accepted(editedPlan(row, edit));
  const { requestedSubscriptionType: requested } = plan;
  const isSame = requested === row.requestedSubscriptionType;
  if (isSame && plan.subscriptionType === row.subscriptionType) return;
  store.setPlan(row.id, plan, isSame ? row.upgradeRequestedAt : requested === null ? null : clock.now());
}

/**
 * Edits an account; the audit entry is written in the same transaction. An edit without changes is not audited.
 * @throws AppError 400 for an invalid field, 404 for an unknown account, 429
 */
function editUser(app: App, store: UserStore, { userId, administratorId, sent, seen }: Edit): void {
  const { audit, accounts, linkedChats } = app;
  const edit = accepted(checkUserEdit(sent, seen));
  const changed = store.inTransaction(() => {
    const row = requireUser(store, userId);
    const before = stateOf(app, store, userId);
    for (const field of ['telegramId', 'discordId'] as const) {
      const chatId = edit[field];
      if (chatId === undefined) continue;
      linkedChats.replaceChat({ user: row, platform: PLATFORMS[field], chatId, administratorId });
    }
    setPlan(app, store, row, edit);
    const found = differing(before, stateOf(app, store, userId));
    if (found.fields.length > 0) {
      audit.record({
        userId: administratorId,
        action: 'edit user',
        target: row.username,
        before: found.before,
        after: found.after,
      });
    }
    return found.fields;
  });
  linkedChats.wakeOutbox();
  if (changed.some((field) => field === 'subscriptionType' || field === 'requestedSubscriptionType')) {
    accounts.accountChanged(userId);
  }
}

const PAGE = 50;

type UserView = Wire<typeof usersAnswer>['users'][number];

function viewsOf(store: UserStore, rows: readonly UserRow[]): UserView[] {
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

/** Users whose name or email contains a text, in any spelling; newest first. */
function listUsers(store: UserStore, q: string, before?: number): Wire<typeof usersAnswer> {
  const key = accountKey(q);
  const rows = store.list(key, before, PAGE + 1);
  const shown = rows.slice(0, PAGE);
  return {
    users: viewsOf(store, shown),
    next: rows.length > PAGE ? (shown.at(-1)?.id ?? null) : null,
    total: store.count(key),
  };
}

export function createUsersService(app: App) {
  const { linkedChats } = app;
  const store = userStore(app.db);
  function user(id: number): Wire<typeof userAnswer> {
    const row = requireUser(store, id);
    const [view] = viewsOf(store, [row]);
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
    list: (q: string, before?: number) => listUsers(store, q, before),
    user,
    /** @throws AppError 400, 404, 409 */
    clearSecondFactor(administratorId: number, userId: number): Wire<typeof userAnswer> {
      clearSecondFactor(app, store, administratorId, userId);
      return user(userId);
    },
    /** @throws AppError 400, 404, 429 */
    edit(edit: Edit): Wire<typeof userAnswer> {
      editUser(app, store, edit);
      return user(edit.userId);
    },
  };
}

export type Users = ReturnType<typeof createUsersService>;

const MAX_EDITS_A_MINUTE = 60;

/** GET /admin/users, GET and PUT /admin/users/{id} (specification 7.7). */
const routesOf = (users: Users, countEdit: UserLimit) =>
  serve(USERS, {
    'GET /api/admin/users': ({ query: { q = '', before } }) => users.list(q, before),
    'GET /api/admin/users/:id': ({ params }) => users.user(params.id),
    'PUT /api/admin/users/:id': ({ user, params, body: { seen = {}, ...sent } }) => {
      countEdit(user.id);
      return users.edit({ userId: params.id, administratorId: user.id, sent, seen });
    },
    'POST /api/admin/users/:id/clear-second-factor': ({ user, params }) => {
      countEdit(user.id);
      return users.clearSecondFactor(user.id, params.id);
    },
  });

export function createUsers(app: App) {
  const service = createUsersService(app);
  const countEdit = createWriteLimit(app.clock, MAX_EDITS_A_MINUTE, 'accounts');
  return { name: 'users', routes: () => routesOf(service, countEdit) } satisfies Part;
}
