import { and, eq, isNull, lte, ne, or } from 'drizzle-orm';
import type { Wire } from '#lib/contract/fields.ts';
import { SYDNEY, sydneyDate } from '#lib/sydneyTime.ts';
import { Repetition } from '#lib/scheduler.ts';
import { MARKET_LOADING } from '#market/rules/liveSymbols.ts';
import type { App, Part } from '#platform/app.ts';
import type { Db } from '#platform/db/open.ts';
import { accepted, AppError, refusedFor } from '#platform/http/errors.ts';
import { createUserLimit, createWriteLimit } from '#platform/http/requestLimits.ts';
import { serve } from '#platform/http/routes.ts';
import { morningBriefs } from '#src/tables/userSchema.ts';
import { holdsAt } from '#subjects/quietHours/rules/quietHours.ts';
import type { TransferPreference } from '#subjects/transfer/rules/kind.ts';
import type { briefChoiceAnswer } from '../answers/brief.ts';
import { BRIEF } from '../contract.ts';
import { type Brief, briefOf, listNews, type MarketNews, marketNews } from '../rules/brief.ts';
import { briefMessage } from '../rules/briefMessage.ts';
import {
  type BriefChoice,
  briefTimeAt,
  checkBriefChoice,
  DEFAULT_MINUTE,
  dueAt,
  isPast,
  nextMessage,
} from '../rules/briefTime.ts';

type Kept = BriefChoice & { sentOn: string | null };

const OFF: Kept = { active: false, minute: DEFAULT_MINUTE, sentOn: null };

const { userId: USER, active: ACTIVE, minute: MINUTE, sentOn: SENT } = morningBriefs;

const briefStore = (db: Db) => ({
  of: (userId: number): Kept | undefined =>
    db
      .select({ active: ACTIVE, minute: MINUTE, sentOn: SENT })
      .from(morningBriefs)
      .where(eq(USER, userId))
      .get(),
  save(userId: number, kept: Kept): void {
    db.insert(morningBriefs)
      .values({ userId, ...kept })
      .onConflictDoUpdate({ target: USER, set: kept })
      .run();
  },
  /** Some users whose message of the day is due. */
  due: ({ date, minute }: { date: string; minute: number }, most: number): number[] =>
    db
      .select({ userId: USER })
      .from(morningBriefs)
      .where(and(eq(ACTIVE, true), lte(MINUTE, minute), or(isNull(SENT), ne(SENT, date))))
      .orderBy(USER)
      .limit(most)
      .all()
      .map(({ userId }) => userId),
  markSent: (userId: number, date: string): void =>
    void db.update(morningBriefs).set({ sentOn: date }).where(eq(USER, userId)).run(),
});

/** How long the news of the market are kept for other users, ms. */
const NEWS_MS = 3000;

/** Makes the briefs. The market's part is equal for all users. */
class Briefs {
  private known: { news: MarketNews; at: number } | null = null;

  constructor(private readonly app: App) {}

  /** @throws AppError 503 before the first stock */
  of(userId: number): Brief {
    const { market, source, watchlist } = this.app;
    const now = source.clock.now();
    const { state, date, next } = briefTimeAt(now);
    if (state === 'waiting') return { ...EMPTY, state, date, next, at: now };
    const news = this.news();
    const symbols = watchlist.symbols(userId);
    const lists = listNews(news, market.all(), symbols);
    return briefOf(news, { state, next, lists, watched: symbols.length });
  }

  private news(): MarketNews {
    const { auctions, calendar, clock, market, overnight, source } = this.app;
    const reading = clock.monotonic();
    const date = market.date();
    const { known } = this;
    if (known?.news.date === date && reading - known.at < NEWS_MS) return known.news;
    if (market.all().size === 0) throw refusedFor(2, 503, MARKET_LOADING);
    const news = marketNews({
      stocks: market.all(),
      flips: auctions.flips(),
      statusesOf: (code) => auctions.events(code)?.statuses ?? [],
      events: calendar.today(SYDNEY),
      overnight: overnight.figures(),
      now: source.clock.now(),
      date,
    });
    this.known = { news, at: reading };
    return news;
  }

  forget(): void {
    this.known = null;
  }
}

const EMPTY: Omit<Brief, 'state' | 'date' | 'next' | 'at'> = {
  overnight: [],
  gaps: null,
  announcements: [],
  announcementCount: 0,
  flips: [],
  halts: [],
  lists: [],
  watched: 0,
  events: [],
};

const MAX_WRITES_A_MINUTE = 30;
const NO_PLACE = 'No chat or device receives messages yet. Add one in Settings.';

class BriefChoices {
  private readonly countWrite: (userId: number) => void;

  constructor(
    private readonly app: App,
    private readonly store: ReturnType<typeof briefStore>,
  ) {
    this.countWrite = createWriteLimit(app.clock, MAX_WRITES_A_MINUTE, 'your morning brief');
  }

  view(userId: number): Wire<typeof briefChoiceAnswer> {
    const { chatsOf, quietHours, source } = this.app;
    const { active, minute, sentOn } = this.store.of(userId) ?? OFF;
    const next = nextMessage(source.clock.now(), minute, sentOn);
    return {
      active,
      minute,
      destinations: chatsOf(userId).length,
      next: active ? next : null,
      isHeld: holdsAt(quietHours.of(userId), next),
    };
  }

  /** @throws AppError 400 with the field, 429 */
  save(userId: number, sent: Record<keyof BriefChoice, unknown>): Wire<typeof briefChoiceAnswer> {
    this.countWrite(userId);
    const choice = accepted(checkBriefChoice(sent));
    if (choice.active && this.app.chatsOf(userId).length === 0) throw new AppError(400, NO_PLACE);
    this.put(userId, choice);
    return this.view(userId);
  }

  readonly transferPreference: TransferPreference = {
    exportValue: (userId) => {
      const kept = this.store.of(userId);
      return kept && { active: kept.active, minute: kept.minute };
    },
    put: (userId, value) => {
      const choice = accepted(checkBriefChoice(value as Record<keyof BriefChoice, unknown>));
      const { active, minute } = this.store.of(userId) ?? OFF;
      if (Bun.deepEquals(choice, { active, minute })) return false;
      this.put(userId, choice);
      return true;
    },
  };

  private put(userId: number, choice: BriefChoice): void {
    const before = this.store.of(userId) ?? OFF;
    const now = this.app.source.clock.now();
    // Switching it on after its time must not send today's message.
    const isLate = choice.active && !before.active && isPast(now, choice.minute);
    this.store.save(userId, { ...choice, sentOn: isLate ? sydneyDate(now) : before.sentOn });
  }
}

/** Users per transaction, which takes some ms; the others follow immediately. */
const PEOPLE_AT_ONCE = 50;

/**
 * Sends the briefs that are due. Message and date are written together, so that a crash neither repeats nor loses
 * one. A replayed market sends none.
 */
class BriefSender {
  private isLoaded: boolean;

  constructor(
    private readonly app: App,
    private readonly store: ReturnType<typeof briefStore>,
    private readonly briefs: Briefs,
  ) {
    this.isLoaded = app.source.loaded === undefined;
  }

  /** While stocks are still being listed, the figures would be wrong. */
  awaitStocks(): void {
    void this.app.source.loaded?.().then(() => {
      this.isLoaded = true;
    });
  }

  check(): void {
    const { db, market, outbox, schedule, source } = this.app;
    const due = source.replay ? null : dueAt(source.clock.now());
    if (due === null || !this.isLoaded || market.all().size === 0) return;
    const users = this.store.due(due, PEOPLE_AT_ONCE);
    if (users.length === 0) return;
    db.transaction(() => users.forEach((userId) => this.send(userId, due.date)), { behavior: 'immediate' });
    outbox.wake();
    if (users.length === PEOPLE_AT_ONCE) schedule(0, () => this.check());
  }

  private send(userId: number, date: string): void {
    const { chatsOf, config, outbox, source } = this.app;
    const { healthy, problem } = source.health();
    const places = chatsOf(userId);
    if (places.length > 0) {
      const named = { label: source.label(), problem: healthy ? null : problem };
      const message = briefMessage(this.briefs.of(userId), named, config.publicUrl);
      outbox.add(places.map((place) => ({ ...place, userId, triggerId: null, mayWait: true, message })));
    }
    this.store.markSent(userId, date);
  }
}

const CHECK_EVERY_MS = 15_000;
const MAX_READS_A_MINUTE = 60;

export function createBrief(app: App) {
  const { clock, log, schedule } = app;
  const store = briefStore(app.db);
  const briefs = new Briefs(app);
  const choices = new BriefChoices(app, store);
  const sender = new BriefSender(app, store, briefs);
  const countRead = createUserLimit(clock, MAX_READS_A_MINUTE, 'Too many requests for the morning brief.');
  const checks = new Repetition({
    schedule,
    everyMs: CHECK_EVERY_MS,
    work: () => sender.check(),
    log: log.child('brief'),
    failure: 'Could not send morning briefs; trying again',
  });
  return {
    name: 'brief',
    service: choices,
    routes: () =>
      serve(BRIEF, {
        'GET /api/brief': ({ user }) => {
          countRead(user.id);
          return briefs.of(user.id);
        },
        'GET /api/settings/brief': ({ user }) => choices.view(user.id),
        'PUT /api/settings/brief': ({ user, body: { active, minute } }) =>
          choices.save(user.id, { active, minute }),
      }),
    onJump: () => briefs.forget(),
    start() {
      sender.awaitStocks();
      checks.start();
    },
    stop: () => checks.stop(),
  } satisfies Part;
}

declare module '#platform/app.ts' {
  interface App {
    brief: BriefChoices;
  }
}
