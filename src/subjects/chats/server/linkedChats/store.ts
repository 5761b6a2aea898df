import { and, desc, eq, isNotNull, isNull, lt, ne, sql } from 'drizzle-orm';
import { linkedChats, linkTokens } from '../../../../platform/db/alertSchema.ts';
import type { Db } from '../../../../platform/db/open.ts';
import { users } from '../../../../platform/db/schema.ts';
import type { ChatPlatform } from '../../rules/chatPlatform.ts';
import { lazy } from '../../../../lib/lazy.ts';

export type LinkedChatRow = typeof linkedChats.$inferSelect;
export type LinkToken = typeof linkTokens.$inferSelect;

/** A chat by its platform and the platform's ID. */
export type ChatAddress = { platform: ChatPlatform; chatId: string };

const isChat = ({ platform, chatId }: ChatAddress) =>
  and(eq(linkedChats.platform, platform), eq(linkedChats.chatId, chatId));

const SOUND = { brokenAt: null, brokenReason: null };

/** What is asked for every message and every trigger. */
function prepareReads(db: Db) {
  const confirmedOf = db
    .select({ platform: linkedChats.platform, chatId: linkedChats.chatId })
    .from(linkedChats)
    .where(
      and(
        eq(linkedChats.userId, sql.placeholder('userId')),
        isNotNull(linkedChats.confirmedAt),
        isNull(linkedChats.brokenAt),
      ),
    )
    .orderBy(linkedChats.id)
    .prepare();
  const owner = db
    .select({ userId: linkedChats.userId, username: users.username })
    .from(linkedChats)
    .innerJoin(users, eq(users.id, linkedChats.userId))
    .where(
      and(
        eq(linkedChats.platform, sql.placeholder('platform')),
        eq(linkedChats.chatId, sql.placeholder('chatId')),
        isNotNull(linkedChats.confirmedAt),
      ),
    )
    .prepare();
  return { confirmedOf, owner };
}

/** SQL of linked chats. */
export function linkedChatStore(db: Db) {
  const reads = lazy(() => prepareReads(db));
  return {
    /** Inside the callback nothing else writes; it must not await. */
    inTransaction: <T>(work: () => T): T => db.transaction(work, { behavior: 'immediate' }),

    ofUser: (userId: number): LinkedChatRow[] =>
      db.select().from(linkedChats).where(eq(linkedChats.userId, userId)).orderBy(linkedChats.id).all(),

    find: (userId: number, chat: ChatAddress): LinkedChatRow | undefined =>
      db
        .select()
        .from(linkedChats)
        .where(and(eq(linkedChats.userId, userId), isChat(chat)))
        .get(),

    /** Confirmed and not broken. */
    confirmedOf: (userId: number): ChatAddress[] => reads().confirmedOf.all({ userId }),

    /** Whom the chat is confirmed for. */
    owner: (chat: ChatAddress): { userId: number; username: string } | undefined => reads().owner.get(chat),

    /** The newest link of a chat that waits for its answer, with the account that asked. */
    newestPending: (chat: ChatAddress): { id: number; username: string } | undefined =>
      db
        .select({ id: linkedChats.id, username: users.username })
        .from(linkedChats)
        .innerJoin(users, eq(users.id, linkedChats.userId))
        .where(and(isChat(chat), isNull(linkedChats.confirmedAt)))
        .orderBy(desc(linkedChats.id))
        .limit(1)
        .get(),

    byId: (id: number, chat: ChatAddress): LinkedChatRow | undefined =>
      db
        .select()
        .from(linkedChats)
        .where(and(eq(linkedChats.id, id), isChat(chat)))
        .get(),

    insertPending: (userId: number, { platform, chatId }: ChatAddress, now: number): LinkedChatRow =>
      db.insert(linkedChats).values({ userId, platform, chatId, createdAt: now }).returning().get(),

    /** Links a chat to a user for certain; what others asked of that chat is void. */
    confirm: (userId: number, chat: ChatAddress, displayName: string | null, now: number): void => {
      db.delete(linkedChats)
        .where(and(isChat(chat), ne(linkedChats.userId, userId), isNull(linkedChats.confirmedAt)))
        .run();
      const { platform, chatId } = chat;
      const set = { confirmedAt: now, ...SOUND, ...(displayName === null ? {} : { displayName }) };
      db.insert(linkedChats)
        .values({ userId, platform, chatId, displayName, createdAt: now, confirmedAt: now })
        .onConflictDoUpdate({
          target: [linkedChats.userId, linkedChats.platform, linkedChats.chatId],
          set,
        })
        .run();
    },

    remove: (id: number): void => {
      db.delete(linkedChats).where(eq(linkedChats.id, id)).run();
    },

    /** Every link of a chat, whoever's. */
    removeChat: (chat: ChatAddress): void => {
      db.delete(linkedChats).where(isChat(chat)).run();
    },

    /** Something came from that chat, so it can be reached. */
    mend: (chat: ChatAddress): void => {
      db.update(linkedChats)
        .set(SOUND)
        .where(and(isChat(chat), isNotNull(linkedChats.brokenAt)))
        .run();
    },

    /** Keeps one token a chat, and forgets those that expired before `forgetBefore`. */
    putToken: (token: LinkToken, forgetBefore: number): void => {
      const { platform, chatId } = token;
      db.delete(linkTokens)
        .where(and(eq(linkTokens.platform, platform), eq(linkTokens.chatId, chatId)))
        .run();
      db.delete(linkTokens).where(lt(linkTokens.expiresAt, forgetBefore)).run();
      db.insert(linkTokens).values(token).run();
    },

    token: (tokenHash: string): LinkToken | undefined =>
      db.select().from(linkTokens).where(eq(linkTokens.tokenHash, tokenHash)).get(),

    removeToken: (tokenHash: string): void => {
      db.delete(linkTokens).where(eq(linkTokens.tokenHash, tokenHash)).run();
    },
  };
}

export type LinkedChatStore = ReturnType<typeof linkedChatStore>;
