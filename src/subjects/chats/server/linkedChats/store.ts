import { and, desc, eq, gt, isNotNull, isNull, lt, lte, ne, or, type SQL, sql } from 'drizzle-orm';
import { linkedChats, linkTokens } from '#src/tables/alertSchema.ts';
import type { Db } from '#platform/db/open.ts';
import { users } from '#platform/db/schema.ts';
import { RETRY_BROKEN_MS } from '#platform/outbox/rules/delivery.ts';
import type { ChatPlatform } from '#platform/chatClients/rules/chatPlatform.ts';
import { lazy } from '#lib/lazy.ts';

export type LinkedChatRow = typeof linkedChats.$inferSelect;
export type LinkToken = typeof linkTokens.$inferSelect;

export type ChatAddress = { platform: ChatPlatform; chatId: string };

const isChat = ({ platform, chatId }: ChatAddress) =>
  and(eq(linkedChats.platform, platform), eq(linkedChats.chatId, chatId));

const SOUND = { brokenAt: null, brokenReason: null };

/** Prepared, because they run for every message and trigger. */
function prepareReads(db: Db) {
  const confirmedOf = db
    .select({ platform: linkedChats.platform, chatId: linkedChats.chatId })
    .from(linkedChats)
    .where(
      and(
        eq(linkedChats.userId, sql.placeholder('userId')),
        isNotNull(linkedChats.confirmedAt),
        or(
          isNull(linkedChats.brokenAt),
          lte(linkedChats.brokenAt, sql.placeholder('retryFrom')),
          // A time in the future is from before the clock was set back.
          gt(linkedChats.brokenAt, sql.placeholder('now')),
        ),
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

export class LinkedChatStore {
  readonly #db: Db;
  readonly #reads: () => ReturnType<typeof prepareReads>;

  constructor(db: Db) {
    this.#db = db;
    this.#reads = lazy(() => prepareReads(db));
  }

  /** The callback must not await. */
  inTransaction<T>(work: () => T): T {
    return this.#db.transaction(work, { behavior: 'immediate' });
  }

  ofUser(userId: number): LinkedChatRow[] {
    return this.#links(eq(linkedChats.userId, userId)).orderBy(linkedChats.id).all();
  }

  find(userId: number, chat: ChatAddress): LinkedChatRow | undefined {
    return this.#links(and(eq(linkedChats.userId, userId), isChat(chat))).get();
  }

  byId(id: number, chat: ChatAddress): LinkedChatRow | undefined {
    return this.#links(and(eq(linkedChats.id, id), isChat(chat))).get();
  }

  /** Confirmed chats that work, or failed so long ago that they are tried again. */
  confirmedOf(userId: number, now: number): ChatAddress[] {
    return this.#reads().confirmedOf.all({ userId, now, retryFrom: now - RETRY_BROKEN_MS });
  }

  owner(chat: ChatAddress): { userId: number; username: string } | undefined {
    return this.#reads().owner.get(chat);
  }

  newestPending(chat: ChatAddress): { id: number; username: string } | undefined {
    return this.#db
      .select({ id: linkedChats.id, username: users.username })
      .from(linkedChats)
      .innerJoin(users, eq(users.id, linkedChats.userId))
      .where(and(isChat(chat), isNull(linkedChats.confirmedAt)))
      .orderBy(desc(linkedChats.id))
      .limit(1)
      .get();
  }

  insertPending(userId: number, { platform, chatId }: ChatAddress, now: number): LinkedChatRow {
    return this.#db
      .insert(linkedChats)
      .values({ userId, platform, chatId, createdAt: now })
      .returning()
      .get();
  }

  /** Confirms a link and drops other requests for the chat. */
  confirm(
    userId: number,
    chat: ChatAddress,
    { displayName, topicId }: Pick<LinkedChatRow, 'displayName' | 'topicId'>,
    now: number,
  ): void {
    this.#remove(and(isChat(chat), ne(linkedChats.userId, userId), isNull(linkedChats.confirmedAt)));
    const { platform, chatId } = chat;
    this.#db
      .insert(linkedChats)
      .values({ userId, platform, chatId, displayName, topicId, createdAt: now, confirmedAt: now })
      .onConflictDoUpdate({
        target: [linkedChats.userId, linkedChats.platform, linkedChats.chatId],
        set: { confirmedAt: now, topicId, ...SOUND, ...(displayName === null ? {} : { displayName }) },
      })
      .run();
  }

  remove(id: number): void {
    this.#remove(eq(linkedChats.id, id));
  }

  removeChat(chat: ChatAddress): void {
    this.#remove(isChat(chat));
  }

  /** Marks a chat as working. @returns whether it was marked as broken */
  mend(chat: ChatAddress): boolean {
    const mended = this.#db
      .update(linkedChats)
      .set(SOUND)
      .where(and(isChat(chat), isNotNull(linkedChats.brokenAt)))
      .returning({ id: linkedChats.id })
      .all();
    return mended.length > 0;
  }

  /** Stores one token per chat, and deletes tokens that expired before `forgetBefore`. */
  putToken(token: LinkToken, forgetBefore: number): void {
    const { platform, chatId } = token;
    this.#db
      .delete(linkTokens)
      .where(and(eq(linkTokens.platform, platform), eq(linkTokens.chatId, chatId)))
      .run();
    this.#db.delete(linkTokens).where(lt(linkTokens.expiresAt, forgetBefore)).run();
    this.#db.insert(linkTokens).values(token).run();
  }

  token(tokenHash: string): LinkToken | undefined {
    return this.#db.select().from(linkTokens).where(eq(linkTokens.tokenHash, tokenHash)).get();
  }

  removeToken(tokenHash: string): void {
    this.#db.delete(linkTokens).where(eq(linkTokens.tokenHash, tokenHash)).run();
  }

  #links(where: SQL | undefined) {
    return this.#db.select().from(linkedChats).where(where);
  }

  #remove(where: SQL | undefined): void {
    this.#db.delete(linkedChats).where(where).run();
  }
}
