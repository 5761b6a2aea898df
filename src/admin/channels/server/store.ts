import { and, asc, count, desc, eq, inArray, isNotNull, lt, sql } from 'drizzle-orm';
import { broadcasts, channelMessages, channels } from '#src/tables/administrationSchema.ts';
import { outbox } from '#src/tables/alertSchema.ts';
import type { Db } from '#platform/db/open.ts';
import { users } from '#platform/db/schema.ts';
import type { ChannelForm } from '../rules/channel.ts';
import type { ChatPlatform } from '#platform/chatClients/rules/chatPlatform.ts';
import { lazy } from '#lib/lazy.ts';

export type ChannelRow = typeof channels.$inferSelect;
export type ChannelMessageRow = typeof channelMessages.$inferSelect;
/** A broadcast to store. `devices`: how many get it; null for a message only to channels. */
export type BroadcastToWrite = { userId: number; message: string; sentAt: number; devices: number | null };
export type BroadcastRow = typeof broadcasts.$inferSelect & { username: string | null };
export type ChannelChange = Partial<Pick<ChannelRow, 'subscribed' | 'sendDaily'>>;

/** A channel's summary of a day: the nonce of its message, or why there is none. */
export type NewSummary = {
  channel: Pick<ChannelRow, 'id' | 'name'>;
  source: string;
  date: string;
} & ({ nonce: string; skippedReason: null } | { nonce: null; skippedReason: string });

function channelQueries(db: Db) {
  // Prepared, because it runs for every message in any group.
  const byChat = lazy(() =>
    db
      .select()
      .from(channels)
      .where(
        and(
          eq(channels.platform, sql.placeholder('platform')),
          eq(channels.chatId, sql.placeholder('chatId')),
        ),
      )
      .prepare(),
  );
  return {
    all: (): ChannelRow[] => db.select().from(channels).orderBy(asc(channels.id)).all(),
    byId: (id: number): ChannelRow | undefined => db.select().from(channels).where(eq(channels.id, id)).get(),
    byChat: (platform: ChatPlatform, chatId: string): ChannelRow | undefined =>
      byChat().get({ platform, chatId }),
    insert: (form: ChannelForm & { subscribed: boolean }, createdAt: number): ChannelRow =>
      db
        .insert(channels)
        .values({ ...form, createdAt })
        .returning()
        .get(),
    change: (id: number, change: ChannelChange): ChannelRow =>
      db.update(channels).set(change).where(eq(channels.id, id)).returning().get(),
    remove: (id: number): void => void db.delete(channels).where(eq(channels.id, id)).run(),
    setBroken: (id: number, reason: string | null, now: number): void => {
      const change = { brokenAt: reason === null ? null : now, brokenReason: reason };
      db.update(channels).set(change).where(eq(channels.id, id)).run();
    },
  };
}

function deviceQueries(db: Db) {
  return {
    /** The oldest broadcast that is not written for all devices yet. */
    unfinishedBroadcast(): { id: number; message: string; devicesDone: number } | null {
      const { id, message, devicesDone } = broadcasts;
      const found = db.select({ id, message, devicesDone }).from(broadcasts).where(isNotNull(devicesDone));
      const row = found.orderBy(id).limit(1).get();
      return row ? { ...row, devicesDone: row.devicesDone ?? 0 } : null;
    },
    /** Stores the last device that a broadcast was written for; null if it is complete. */
    devicesDone: (id: number, devicesDone: number | null): void =>
      void db.update(broadcasts).set({ devicesDone }).where(eq(broadcasts.id, id)).run(),
    /** Messages of these broadcasts to devices, counted by status. */
    deviceCounts: (ids: readonly number[]) =>
      db
        .select({ broadcastId: outbox.broadcastId, status: outbox.status, n: count() })
        .from(outbox)
        .where(inArray(outbox.broadcastId, [...ids]))
        .groupBy(outbox.broadcastId, outbox.status)
        .all(),
  };
}

function broadcastQueries(db: Db) {
  return {
    insertBroadcast: (row: BroadcastToWrite): number =>
      db
        .insert(broadcasts)
        .values({ ...row, devicesDone: row.devices === null ? null : 0 })
        .returning({ id: broadcasts.id })
        .get().id,
    insertMessage: (
      broadcastId: number,
      { id: channelId, name: channelName }: Pick<ChannelRow, 'id' | 'name'>,
      nonce: string,
    ): void => {
      db.insert(channelMessages).values({ broadcastId, channelId, channelName, nonce }).run();
    },
    newestBroadcasts: (limit: number): BroadcastRow[] =>
      db
        .select({ broadcast: broadcasts, username: users.username })
        .from(broadcasts)
        .leftJoin(users, eq(users.id, broadcasts.userId))
        .orderBy(desc(broadcasts.id))
        .limit(limit)
        .all()
        .map(({ broadcast, username }) => ({ ...broadcast, username })),
    messagesOf: (broadcastIds: readonly number[]): ChannelMessageRow[] =>
      db
        .select()
        .from(channelMessages)
        .where(inArray(channelMessages.broadcastId, [...broadcastIds]))
        .orderBy(channelMessages.id)
        .all(),
  };
}

function summaryQueries(db: Db) {
  return {
    /** Channels that want summaries and have neither the summary of that day nor a reason for its absence. */
    withoutSummary: (source: string, date: string): ChannelRow[] =>
      db
        .select({ channel: channels })
        .from(channels)
        .leftJoin(
          channelMessages,
          and(
            eq(channelMessages.channelId, channels.id),
            eq(channelMessages.summarySource, source),
            eq(channelMessages.summaryDate, date),
          ),
        )
        .where(and(eq(channels.sendDaily, true), sql`${channelMessages.id} IS NULL`))
        .orderBy(channels.id)
        .all()
        .map(({ channel }) => channel),
    /** Adds a summary; an existing row of the channel and day stays. */
    insertSummary: ({ channel, source, date, nonce, skippedReason }: NewSummary): void => {
      const row = { channelId: channel.id, channelName: channel.name, nonce, skippedReason };
      db.insert(channelMessages)
        .values({ ...row, summarySource: source, summaryDate: date })
        .onConflictDoNothing()
        .run();
    },
    newestSummaries: (): ChannelMessageRow[] => {
      const newest = db
        .select({ id: sql<number>`max(${channelMessages.id})` })
        .from(channelMessages)
        .where(and(isNotNull(channelMessages.summaryDate), isNotNull(channelMessages.channelId)))
        .groupBy(channelMessages.channelId);
      return db.select().from(channelMessages).where(inArray(channelMessages.id, newest)).all();
    },
    pruneSummaries: (before: string): void =>
      void db.delete(channelMessages).where(lt(channelMessages.summaryDate, before)).run(),
  };
}

function headQueries(db: Db) {
  return {
    /** Subscribed channels that existed at a time and lack the entry of that day. @param before epoch ms */
    withoutHead: (date: string, before: number): ChannelRow[] =>
      db
        .select({ channel: channels })
        .from(channels)
        .leftJoin(
          channelMessages,
          and(eq(channelMessages.channelId, channels.id), eq(channelMessages.headDate, date)),
        )
        .where(
          and(
            eq(channels.subscribed, true),
            lt(channels.createdAt, before),
            sql`${channelMessages.id} IS NULL`,
          ),
        )
        .orderBy(channels.id)
        .all()
        .map(({ channel }) => channel),
    insertHead: (
      { id: channelId, name: channelName }: Pick<ChannelRow, 'id' | 'name'>,
      headDate: string,
      nonce: string,
    ): void => {
      db.insert(channelMessages).values({ channelId, channelName, headDate, nonce }).run();
    },
    pruneHeads: (before: string): void =>
      void db.delete(channelMessages).where(lt(channelMessages.headDate, before)).run(),
  };
}

export const channelStore = (db: Db) => ({
  /** The callback must not await. */
  inTransaction: <T>(work: () => T): T => db.transaction(work, { behavior: 'immediate' }),
  ...channelQueries(db),
  ...broadcastQueries(db),
  ...deviceQueries(db),
  ...summaryQueries(db),
  ...headQueries(db),
});

export type ChannelStore = ReturnType<typeof channelStore>;
