import { Elysia } from 'elysia';
import { Repetition } from '#lib/repetition.ts';
import { type Scheduler, timerScheduler } from '#lib/scheduler.ts';
import type { Core, Part } from '#src/part.ts';
import type { Auth } from '#platform/http/auth.ts';
import { routeSchemas } from '#platform/http/contract.ts';
import { ALERT_REVIEW } from '#subjects/alerts/answers/reviewContract.ts';
import { AlertReview, type AlertReviewDeps } from './service.ts';
import { ReviewStore } from './store.ts';
import { addDays, sydneyDate } from '#market/rules/sydneyTime.ts';
import { closesEarly, isTradingDay } from '#market/rules/tradingDay.ts';
import type { SystemClock } from '#lib/clock.ts';
import type { NewMessage } from '#platform/outbox/message.ts';
import type { Destination } from '#subjects/alerts/rules/recipient.ts';
import { dueWeek, wasTold } from '#subjects/alerts/rules/review/weekTime.ts';
import { weeklyMessage } from '#subjects/alerts/rules/review/weeklyMessage.ts';
import { and, eq } from 'drizzle-orm';
import { stockPresence } from '#src/tables/alertReviewSchema.ts';
import { alerts } from '#src/tables/alertSchema.ts';
import { factStore } from '#platform/db/facts.ts';
import type { Db } from '#platform/db/open.ts';
import { isHalted } from '#market/rules/halted.ts';
import { phaseAt } from '#market/rules/sessionClock.ts';
import type { Market } from '#market/types.ts';
import { readList, readNumber } from '#lib/read.ts';
import {
  afterSession,
  isWholeList,
  type PresenceRow,
  REMEMBERED_SIZES,
  type SeenStock,
} from '#subjects/alerts/rules/review/presence.ts';
import type { StockPresence } from '#subjects/alerts/rules/review/review.ts';

/** So long after the open a list is as it will be. */
const SETTLED_MS = 30 * 60_000;
/** Shorter names are shared by chance. */
const MIN_COMPANY = 4;

type PresenceDeps = {
  db: Db;
  market: Pick<Market, 'all' | 'get' | 'date'>;
  source: Core['source'];
};

const sameCompany = (name: string): string => name.trim().toLowerCase();

/**
 * Looks once a session whether the stocks that alerts are on are in the list of prices, and trade. Each source has its own
 * stocks. A market whose days are made up again, and a replay, are not looked at.
 */
export class PresenceWatch {
  /** The last session that was looked at in this run. */
  private doneFor: string | null = null;

  constructor(private readonly deps: PresenceDeps) {}

  private get isReal(): boolean {
    const { days, clock, replay } = this.deps.source;
    return days === 'consecutive' && clock.speed === 1 && !replay;
  }

  /** To be called every minute. */
  look(): void {
    const { db, source } = this.deps;
    const now = source.clock.now();
    const date = sydneyDate(now);
    if (!this.isReal || this.doneFor === date || !this.isSettled(now, date)) return;
    db.transaction(() => this.takeSession(date), { behavior: 'immediate' });
    this.doneFor = date;
  }

  /** What was seen of a stock so far; null for nothing. */
  of(symbol: string): StockPresence | null {
    const { db, source } = this.deps;
    if (!this.isReal) return null;
    const row = db
      .select()
      .from(stockPresence)
      .where(and(eq(stockPresence.source, source.name), eq(stockPresence.symbol, symbol)))
      .get();
    if (!row) return null;
    const { company, missingSince, missingDays, haltedSince } = row;
    const stock = this.deps.market.get(symbol);
    // It may have come back since the last look.
    if (stock) {
      const isResting = haltedSince !== null && isHalted(stock);
      return {
        missingSince: null,
        missingDays: 0,
        haltedSince: isResting ? haltedSince : null,
        renamedTo: null,
      };
    }
    const renamedTo = missingSince === null ? null : this.sameNamed(symbol, company);
    return { missingSince, missingDays, haltedSince, renamedTo };
  }

  private isSettled(now: number, date: string): boolean {
    const { market, source } = this.deps;
    const { phase, since } = phaseAt(now);
    return phase === 'open' && now - since >= SETTLED_MS && source.health().healthy && market.date() === date;
  }

  private takeSession(date: string): void {
    const { db, market, source } = this.deps;
    const facts = factStore(db);
    const key = `stock_list_sizes ${source.name}`;
    const sizes = readList(facts.read(key), readNumber);
    const known = this.rows();
    const size = market.all().size;
    if ([...known.values()].some(({ lookedOn }) => lookedOn === date)) return;
    facts.write(key, [...sizes, size].slice(-REMEMBERED_SIZES));
    if (!isWholeList(size, sizes)) return;
    db.delete(stockPresence).where(eq(stockPresence.source, source.name)).run();
    for (const symbol of this.symbols()) {
      const row = afterSession(known.get(symbol) ?? null, symbol, this.seen(symbol), date);
      db.insert(stockPresence)
        .values({ source: source.name, ...row })
        .run();
    }
  }

  private seen(symbol: string): SeenStock {
    const stock = this.deps.market.get(symbol);
    return stock ? { company: stock.name, isHalted: isHalted(stock) } : null;
  }

  private rows(): Map<string, PresenceRow> {
    const { db, source } = this.deps;
    const rows = db.select().from(stockPresence).where(eq(stockPresence.source, source.name)).all();
    return new Map(rows.map((row) => [row.symbol, row]));
  }

  /** The stocks that alerts are on. */
  private symbols(): string[] {
    return this.deps.db
      .selectDistinct({ symbol: alerts.symbol })
      .from(alerts)
      .all()
      .map(({ symbol }) => symbol);
  }

  /** The code of another stock whose company is called the same; null where there is none. */
  private sameNamed(symbol: string, company: string): string | null {
    const name = sameCompany(company);
    if (name.length < MIN_COMPANY) return null;
    for (const stock of this.deps.market.all().values()) {
      if (stock.code !== symbol && sameCompany(stock.name) === name) return stock.code;
    }
    return null;
  }
}

type WeeklyDeps = {
  store: ReviewStore;
  clock: SystemClock;
  review: Pick<AlertReview, 'findings'>;
  /** The chats and devices of a user that messages can be delivered to. */
  chatsOf(userId: number): readonly Destination[];
  outbox: { add(messages: readonly NewMessage[]): unknown; wake(): void };
  publicUrl: string | null;
};

/** A review takes some milliseconds; the others follow at the next look. */
const MAX_A_LOOK = 10;

/**
 * Tells the review to those who want it, once a week, also when the server is killed in between: the messages and the note
 * that they were told are written together.
 */
export class WeeklyReview {
  constructor(private readonly deps: WeeklyDeps) {}

  /** To be called every so often. */
  look(): void {
    const { store, clock, outbox } = this.deps;
    const week = dueWeek(clock.now());
    if (week === null) return;
    const some = store.untold(week, MAX_A_LOOK);
    for (const { userId, toldWeek } of some) this.tell(userId, toldWeek, week);
    if (some.length > 0) outbox.wake();
  }

  private tell(userId: number, toldWeek: string | null, week: string): void {
    const { store, review, chatsOf, outbox, publicUrl } = this.deps;
    const findings = wasTold(toldWeek, week) ? [] : review.findings(userId);
    store.inTransaction(() => {
      if (findings.length > 0) {
        const message = weeklyMessage(findings, publicUrl);
        outbox.add(
          chatsOf(userId).map((place) => ({ ...place, userId, triggerId: null, mayWait: true, message })),
        );
      }
      store.setTold(userId, week);
    });
  }
}

const LOOKED_DAYS = 30;
/** A session of which less was seen counts as blind. */
const SEEN_SHARE = 0.5;

/**
 * How much was seen of the sessions from a date on: by date a share from 0 to 1, and the first of which anything is known, null
 * where there is none. Dates are those of Sydney, YYYY-MM-DD.
 */
type SeenSince = (date: string) => { first: string | null; shares: ReadonlyMap<string, number> };

/**
 * Whether most sessions of the last 30 days were seen: then an alert that did not fire had the chance to. What the market
 * traded in a session is noted only while its prices are good. A source of which nothing is noted is not judged.
 */
function createSeenSessions(seenSince: SeenSince, source: Core['source']) {
  let known: { date: string; answer: boolean } | null = null;

  function answerFor(today: string): boolean {
    if (source.days !== 'consecutive') return true;
    const from = addDays(today, -LOOKED_DAYS);
    const { first, shares } = seenSince(from);
    if (first === null) return true;
    const days = Array.from({ length: LOOKED_DAYS }, (_, index) => addDays(from, index)).filter(
      // A short day is not noted, and neither is what was before the first note.
      (date) => isTradingDay(date) && !closesEarly(date) && date >= first,
    );
    const seen = days.filter((date) => (shares.get(date) ?? 0) >= SEEN_SHARE);
    return seen.length >= SEEN_SHARE * days.length;
  }

  /** @param now epoch ms */
  return (now: number): boolean => {
    const date = sydneyDate(now);
    if (known?.date !== date) known = { date, answer: answerFor(date) };
    return known.answer;
  };
}

const LOOK_EVERY_MS = 60_000;
/** At once. */
const MAX_PRUNED = 1000;

export type AlertReviewNeeds = Pick<AlertReviewDeps, 'alerts' | 'scanAlerts' | 'placesOf'> &
  Pick<PresenceDeps, 'market'> &
  Pick<WeeklyDeps, 'chatsOf' | 'outbox'> & {
    auth: Auth;
    seenSince: SeenSince;
    schedule?: Scheduler | undefined;
  };

const reviewRoutes = (auth: Auth, review: AlertReview) =>
  new Elysia({ name: 'alertReview' })
    .use(auth)
    .get('/alerts/review', ({ user }) => review.look(user.id), {
      minLevel: 1,
      ...routeSchemas(ALERT_REVIEW['GET /api/alerts/review']),
    })
    .post('/alerts/review', ({ user, body }) => review.press(user.id, body.keys, body.press), {
      minLevel: 1,
      ...routeSchemas(ALERT_REVIEW['POST /api/alerts/review']),
    })
    .post('/alerts/review/unkeep', ({ user, body }) => review.unkeep(user.id, body.keys), {
      minLevel: 1,
      ...routeSchemas(ALERT_REVIEW['POST /api/alerts/review/unkeep']),
    })
    .put('/alerts/review/weekly', ({ user, body }) => review.setWeekly(user.id, body.weekly), {
      minLevel: 1,
      ...routeSchemas(ALERT_REVIEW['PUT /api/alerts/review/weekly']),
    });

/** The review of alerts: what to look at among them, the presses that settle it, and the message of a week. */
export function createAlertReview(core: Core, needs: AlertReviewNeeds) {
  const { db, clock, log, source, config } = core;
  const { auth, market, chatsOf, outbox, schedule = timerScheduler } = needs;
  const store = new ReviewStore(db);
  const presence = new PresenceWatch({ db, market, source });
  const review = new AlertReview({
    store,
    clock,
    alerts: needs.alerts,
    scanAlerts: needs.scanAlerts,
    placesOf: needs.placesOf,
    presenceOf: (symbol) => presence.of(symbol),
    hasPlace: (userId) => chatsOf(userId).length > 0,
    hasSeenMost: createSeenSessions(needs.seenSince, source),
  });
  const weekly = new WeeklyReview({
    store,
    clock,
    review,
    chatsOf,
    outbox,
    publicUrl: config.publicUrl,
  });
  const looks = new Repetition({
    schedule,
    everyMs: LOOK_EVERY_MS,
    work() {
      looks.safely(() => presence.look());
      weekly.look();
    },
    log: log.child('alertReview'),
    failure: 'The review of alerts could not be made; trying again',
  });
  return {
    name: 'alertReview',
    service: review,
    routes: () => reviewRoutes(auth, review),
    start: () => looks.start(),
    stop: () => looks.stop(),
    prune() {
      const removed = store.dropKept(clock.now(), MAX_PRUNED);
      return { removed, hasMore: removed === MAX_PRUNED };
    },
  } satisfies Part;
}
