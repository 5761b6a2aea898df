import { and, asc, eq, gt, inArray, isNotNull, notExists } from 'drizzle-orm';
import { accountKey } from '#subjects/accounts/rules/accountRules.ts';
import { FirstFailure } from '#lib/log.ts';
import { fromSydney, sydneyDate } from '#lib/sydneyTime.ts';
import { callFollows, callMutes, callNotices } from '#src/tables/callSchema.ts';
import type { Db } from '#platform/db/open.ts';
import { users } from '#platform/db/schema.ts';
import { AppError, refusalText } from '#platform/http/errors.ts';
import { Tally, type TransferKind } from '#subjects/transfer/rules/kind.ts';
import { createWriteLimit } from '#platform/http/requestLimits.ts';
import {
  followMessage,
  MAX_FOLLOWED,
  MAX_MUTED,
  MAX_NEW_CALLS_A_DAY,
  MAX_NOTICES_A_DAY,
  type NoticeEvent,
} from '../rules/followMessage.ts';
import type { Follows } from '../rules/types.ts';
import type { ChatMessage } from '#platform/chatClients/rules/chatMessage.ts';
import type { TriggerNote } from '#platform/outbox/message.ts';
import { isLive } from '../rules/callRules.ts';
import type { CallParts, Submitter } from './parts.ts';
import { toCall } from './rows.ts';
import type { CallRow } from './store.ts';

type Notice = typeof callNotices.$inferSelect;

const choiceQueries = (db: Db) => ({
  followed: (userId: number): string[] =>
    db
      .select({ name: users.username })
      .from(callFollows)
      .innerJoin(users, eq(users.id, callFollows.submitterId))
      .where(eq(callFollows.userId, userId))
      .orderBy(asc(callFollows.createdAt), asc(callFollows.submitterId))
      .all()
      .map(({ name }) => name),

  follow: (userId: number, submitterId: number, createdAt: number): void => {
    db.insert(callFollows).values({ userId, submitterId, createdAt }).onConflictDoNothing().run();
  },

  /** @param key the name's `accountKey` */
  unfollow: (userId: number, key: string): void => {
    const named = db.select({ id: users.id }).from(users).where(eq(users.usernameKey, key));
    const one = and(eq(callFollows.userId, userId), inArray(callFollows.submitterId, named));
    db.delete(callFollows).where(one).run();
  },

  isFollowing: (userId: number, submitterId: number): boolean =>
    db
      .select({ of: callFollows.userId })
      .from(callFollows)
      .where(and(eq(callFollows.userId, userId), eq(callFollows.submitterId, submitterId)))
      .get() !== undefined,

  /** Removes all followers of a user. */
  forgetSubmitter: (submitterId: number): void => {
    db.delete(callFollows).where(eq(callFollows.submitterId, submitterId)).run();
  },

  muted: (userId: number): string[] =>
    db
      .select({ symbol: callMutes.symbol })
      .from(callMutes)
      .where(eq(callMutes.userId, userId))
      .orderBy(asc(callMutes.symbol))
      .all()
      .map(({ symbol }) => symbol),

  mute: (userId: number, symbol: string): void => {
    db.insert(callMutes).values({ userId, symbol }).onConflictDoNothing().run();
  },

  unmute: (userId: number, symbol: string): void => {
    db.delete(callMutes)
      .where(and(eq(callMutes.userId, userId), eq(callMutes.symbol, symbol)))
      .run();
  },
});

function noticeQueries(db: Db) {
  const hasFollower = db.$client.query<{ n: number }, [number]>(
    'SELECT 1 AS n FROM call_follows WHERE submitter_id = ? LIMIT 1',
  );
  const countSince = db.$client.query<{ all: number; posted: number }, [number, number]>(
    `SELECT count(*) AS "all", coalesce(sum(n.event = 'posted'), 0) AS posted
     FROM calls c JOIN call_notices n ON n.call_id = c.id WHERE c.user_id = ? AND n.at >= ?`,
  );
  return {
    hasFollower: (submitterId: number): boolean => hasFollower.get(submitterId) !== null,

    countSince: (submitterId: number, since: number) =>
      countSince.get(submitterId, since) ?? { all: 0, posted: 0 },

    addNotice: (callId: number, event: NoticeEvent, at: number): void => {
      db.insert(callNotices).values({ callId, event, at }).onConflictDoNothing().run();
    },

    notice: (id: number): Notice | undefined =>
      db.select().from(callNotices).where(eq(callNotices.id, id)).get(),

    oldestNotice: (): Notice | undefined =>
      db.select().from(callNotices).where(isNotNull(callNotices.doneUntil)).orderBy(callNotices.id).get(),

    setDone: (id: number, doneUntil: number | null): void => {
      db.update(callNotices).set({ doneUntil }).where(eq(callNotices.id, id)).run();
    },

    /** Followers of a submitter who have not muted a stock, after a user id. */
    followersAfter: (submitterId: number, symbol: string, after: number, most: number): number[] =>
      db
        .select({ id: callFollows.userId })
        .from(callFollows)
        .where(
          and(
            eq(callFollows.submitterId, submitterId),
            gt(callFollows.userId, after),
            notExists(
              db
                .select({ of: callMutes.userId })
                .from(callMutes)
                .where(and(eq(callMutes.userId, callFollows.userId), eq(callMutes.symbol, symbol))),
            ),
          ),
        )
        .orderBy(callFollows.userId)
        .limit(most)
        .all()
        .map(({ id }) => id),
  };
}

/** Whether followers still get an event: since then the call may have ended, or been corrected or rejected. */
function isNews(event: NoticeEvent, row: CallRow): boolean {
  if (row.adminStatus === 'rejected') return false;
  switch (event) {
    case 'posted':
      return isLive(row.status);
    case 'filled':
      return row.filledAt !== null;
    case 'target':
      return row.targetReachedAt !== null;
    case 'stop':
      return row.stopReachedAt !== null;
  }
}

const MAX_WRITES_A_MINUTE = 60;

/** Followers per transaction, which takes some ms; the others follow immediately. */
const FOLLOWERS_AT_ONCE = 50;

/** Older events are not sent, for example after a long downtime; ms. */
const NEWS_MS = 24 * 3_600_000;

const NO_CHAT = 'No chat or device receives messages yet. Add one in Settings.';

/**
 * The submitters that users follow, and the messages to followers. An event is noted in its own transaction and sent to
 * some followers per transaction, so that neither a restart nor a kill loses or repeats a message.
 */
export class Following {
  readonly #store: ReturnType<typeof choiceQueries> & ReturnType<typeof noticeQueries>;
  readonly #countWrite: ReturnType<typeof createWriteLimit>;
  readonly #failure: FirstFailure;
  #hasNotices = true;
  #cancel: (() => void) | null = null;

  constructor(private readonly parts: CallParts) {
    const { app } = parts;
    this.#store = { ...choiceQueries(app.db), ...noticeQueries(app.db) };
    this.#countWrite = createWriteLimit(app.clock, MAX_WRITES_A_MINUTE, 'the submitters that you follow');
    this.#failure = new FirstFailure(app.log.child('calls'), 'Could not notify followers; trying again');
  }

  of(userId: number): Follows {
    const following = this.#store.followed(userId);
    const hasPlace = following.length === 0 || this.parts.app.chatsOf(userId).length > 0;
    return { following, muted: this.#store.muted(userId), note: hasPlace ? null : NO_CHAT };
  }

  /** @throws AppError 404 for a name without calls that count, 400 for yourself or too many, 429 */
  choose(user: Submitter, name: string, isFollowed: boolean): Follows {
    this.#countWrite(user.id);
    // Works also for a submitter without calls that count, whose record is gone.
    if (!isFollowed) this.#store.unfollow(user.id, accountKey(name));
    else this.#follow(user.id, this.parts.records.submitter(name).id);
    return this.of(user.id);
  }

  /** @returns whether that is new */
  #follow(userId: number, submitterId: number): boolean {
    if (submitterId === userId) throw new AppError(400, 'You cannot follow yourself.');
    if (this.#store.isFollowing(userId, submitterId)) return false;
    if (this.#store.followed(userId).length >= MAX_FOLLOWED) {
      throw new AppError(400, `You already follow ${MAX_FOLLOWED} submitters. Unfollow one first.`);
    }
    this.#store.follow(userId, submitterId, this.parts.app.clock.now());
    return true;
  }

  /** @throws AppError 400 for too many muted stocks, 429 */
  mute(userId: number, typed: string, isMuted: boolean): Follows {
    this.#countWrite(userId);
    const symbol = typed.trim().toUpperCase();
    if (!isMuted) this.#store.unmute(userId, symbol);
    else this.#mute(userId, symbol);
    return this.of(userId);
  }

  /** @returns whether that is new */
  #mute(userId: number, symbol: string): boolean {
    const muted = this.#store.muted(userId);
    if (muted.includes(symbol)) return false;
    if (muted.length >= MAX_MUTED) {
      throw new AppError(400, `You already muted ${MAX_MUTED} stocks. Unmute one first.`);
    }
    this.#store.mute(userId, symbol);
    return true;
  }

  /** Mutes the stock of a followed call. @returns its symbol; null if the user does not follow such a call */
  muteCall(userId: number, callId: number): string | null {
    const row = this.parts.store.find(callId);
    if (!row || row.adminStatus === 'rejected' || !this.#store.isFollowing(userId, row.userId)) return null;
    this.mute(userId, row.symbol, true);
    return row.symbol;
  }

  readonly transfer: TransferKind = {
    exportValue: ({ userId }) => {
      const [submitters, muted] = [this.#store.followed(userId), this.#store.muted(userId)];
      return submitters.length + muted.length === 0 ? undefined : { submitters, muted };
    },
    importValue: ({ userId }, value) => {
      const { submitters, muted } = value as Record<'submitters' | 'muted', string[]>;
      const tally = new Tally();
      const take = (name: string, put: () => boolean): void => {
        try {
          if (put()) tally.add();
          else tally.keep();
        } catch (problem) {
          tally.leaveOut(name, refusalText(problem));
        }
      };
      const idOf = (name: string): number => this.parts.records.submitter(name).id;
      for (const name of submitters) take(name, () => this.#follow(userId, idOf(name)));
      for (const symbol of muted) take(symbol, () => this.#mute(userId, symbol));
      return { outcome: tally.outcome(), afterwards: () => undefined };
    },
  };

  forgetSubmitter(userId: number): void {
    this.#store.forgetSubmitter(userId);
  }

  /** Notes events for the submitter's followers. Call it in the transaction of the events. */
  note(call: { id: number; userId: number }, events: readonly NoticeEvent[]): void {
    if (events.length === 0 || !this.#store.hasFollower(call.userId)) return;
    const now = this.parts.app.clock.now();
    const today = this.#store.countSince(call.userId, fromSydney(sydneyDate(now), 0, 0));
    for (const event of events) {
      if (today.all >= MAX_NOTICES_A_DAY) return;
      if (event === 'posted' && today.posted >= MAX_NEW_CALLS_A_DAY) continue;
      this.#store.addNotice(call.id, event, now);
      today.all += 1;
      this.#hasNotices = true;
    }
  }

  /** Sends what was noted; call it at every tick. Many followers are notified in parts, between other work. */
  tick(): void {
    let notified = 0;
    try {
      while (this.#hasNotices && notified < FOLLOWERS_AT_ONCE) {
        notified += this.parts.store.inTransaction(() => this.#sendSome());
      }
      this.#failure.ended();
      if (this.#hasNotices) this.#cancel ??= this.parts.app.schedule(0, () => this.#goOn());
    } catch (error) {
      this.#failure.failed(error);
    }
    if (notified > 0) this.parts.app.outbox.wake();
  }

  stop(): void {
    this.#cancel?.();
    this.#cancel = null;
  }

  #goOn(): void {
    this.#cancel = null;
    this.tick();
  }

  /** Sends the oldest notice to some followers. @returns their number */
  #sendSome(): number {
    const notice = this.#store.oldestNotice();
    this.#hasNotices = notice !== undefined;
    if (!notice) return 0;
    const { app, store } = this.parts;
    const row = store.byId(notice.callId);
    const isSent = app.clock.now() - notice.at <= NEWS_MS && isNews(notice.event, row);
    const { doneUntil } = notice;
    const followers = isSent
      ? this.#store.followersAfter(row.userId, row.symbol, doneUntil ?? 0, FOLLOWERS_AT_ONCE)
      : [];
    const isAll = followers.length < FOLLOWERS_AT_ONCE;
    this.#store.setDone(notice.id, isAll ? null : (followers.at(-1) ?? null));
    const note = { notice: notice.id };
    const messages = followers.flatMap((userId) =>
      app.chatsOf(userId).map((place) => ({ ...place, userId, triggerId: null, mayWait: true, note })),
    );
    if (messages.length > 0) app.outbox.add(messages);
    return followers.length;
  }

  /** The message of a note that `tick` wrote, when it is sent; null if the user no longer gets it. */
  messageOf(userId: number, { notice: noticeId }: TriggerNote): ChatMessage | null {
    const { app, store, times, contextOf } = this.parts;
    const notice = typeof noticeId === 'number' ? this.#store.notice(noticeId) : undefined;
    const row = notice && store.find(notice.callId);
    const submitted = row && store.byPublicId(row.publicId);
    if (!submitted || !isNews(notice.event, row)) return null;
    const [next] = this.#store.followersAfter(row.userId, row.symbol, userId - 1, 1);
    if (next !== userId) return null;
    return followMessage(
      notice.event,
      { ...toCall(submitted, contextOf([row])), id: row.id, submitter: submitted.username },
      { at: times.shown(row.source, notice.at), publicUrl: app.config.publicUrl },
    );
  }
}
