import { Repetition } from '#lib/scheduler.ts';
import type { App, Part } from '#platform/app.ts';
import { serve } from '#platform/http/routes.ts';
import { ALERT_ATTENTION } from '#subjects/alerts/answers/attention.ts';
import { AlertAttention } from './service.ts';
import { AttentionStore } from './store.ts';
import { sydneyDate } from '#lib/sydneyTime.ts';
import {
  dueWeek,
  wasNotified,
  weeklyMessage,
  afterSession,
  isWholeList,
  type PresenceRow,
  REMEMBERED_SIZES,
  type SeenStock,
  type StockPresence,
} from '#subjects/alerts/rules/attention.ts';
import { and, eq } from 'drizzle-orm';
import { alerts, stockPresence } from '#src/tables/alertSchema.ts';
import { factStore } from '#platform/db/facts.ts';
import { isHalted } from '#market/rules/stockState.ts';
import { phaseAt } from '#market/rules/sessionClock.ts';
import { readList, readNumber } from '#lib/read.ts';

/** Time after the open at which the list of stocks is complete. */
const SETTLED_MS = 30 * 60_000;
/** Shorter company names may match by chance. */
const MIN_COMPANY = 4;

const sameCompany = (name: string): string => name.trim().toLowerCase();

/** Checks once per session whether the stocks of alerts are listed and trade. Skips simulated markets and replays. */
export class PresenceWatch {
  private doneFor: string | null = null;

  constructor(private readonly app: App) {}

  private get isReal(): boolean {
    const { days, clock, replay } = this.app.source;
    return days === 'consecutive' && clock.speed === 1 && !replay;
  }

  check(): void {
    const { db, source } = this.app;
    const now = source.clock.now();
    const date = sydneyDate(now);
    if (!this.isReal || this.doneFor === date || !this.isSettled(now, date)) return;
    db.transaction(() => this.startSession(date), { behavior: 'immediate' });
    this.doneFor = date;
  }

  /** When a stock was missing or halted; null if nothing is known. */
  of(symbol: string): StockPresence | null {
    const { db, source } = this.app;
    if (!this.isReal) return null;
    const row = db
      .select()
      .from(stockPresence)
      .where(and(eq(stockPresence.source, source.name), eq(stockPresence.symbol, symbol)))
      .get();
    if (!row) return null;
    const { company, missingSince, missingDays, haltedSince } = row;
    const stock = this.app.market.get(symbol);
    // The stock may have returned since the last check.
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
    const { market, source } = this.app;
    const { phase, since } = phaseAt(now);
    return phase === 'open' && now - since >= SETTLED_MS && source.health().healthy && market.date() === date;
  }

  private startSession(date: string): void {
    const { db, market, source } = this.app;
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
    const stock = this.app.market.get(symbol);
    return stock ? { company: stock.name, isHalted: isHalted(stock) } : null;
  }

  private rows(): Map<string, PresenceRow> {
    const { db, source } = this.app;
    const rows = db.select().from(stockPresence).where(eq(stockPresence.source, source.name)).all();
    return new Map(rows.map((row) => [row.symbol, row]));
  }

  private symbols(): string[] {
    return this.app.db
      .selectDistinct({ symbol: alerts.symbol })
      .from(alerts)
      .all()
      .map(({ symbol }) => symbol);
  }

  /** The code of another stock with the same company name; null if there is none. */
  private sameNamed(symbol: string, company: string): string | null {
    const name = sameCompany(company);
    if (name.length < MIN_COMPANY) return null;
    for (const stock of this.app.market.all().values()) {
      if (stock.code !== symbol && sameCompany(stock.name) === name) return stock.code;
    }
    return null;
  }
}

/** Users per check. One user takes some ms; the others follow at the next checks. */
const MAX_PER_CHECK = 10;

/**
 * Sends a weekly message with the alerts that need attention to users who want it. Message and date are written
 * together, so that a crash cannot repeat the message.
 */
export class WeeklyMessages {
  constructor(
    private readonly app: App,
    private readonly store: AttentionStore,
    private readonly attention: AlertAttention,
  ) {}

  check(): void {
    const {
      app: { clock, outbox },
      store,
    } = this;
    const week = dueWeek(clock.now());
    if (week === null) return;
    const some = store.notNotified(week, MAX_PER_CHECK);
    for (const { userId, toldWeek } of some) this.notify(userId, toldWeek, week);
    if (some.length > 0) outbox.wake();
  }

  private notify(userId: number, notifiedWeek: string | null, week: string): void {
    const { attention, store } = this;
    const { chatsOf, config, outbox } = this.app;
    const reasons = wasNotified(notifiedWeek, week) ? [] : attention.reasons(userId);
    store.inTransaction(() => {
      if (reasons.length > 0) {
        const message = weeklyMessage(reasons, config.publicUrl);
        outbox.add(
          chatsOf(userId).map((place) => ({ ...place, userId, triggerId: null, mayWait: true, message })),
        );
      }
      store.setNotified(userId, week);
    });
  }
}

const CHECK_EVERY_MS = 60_000;
const MAX_PRUNED = 1000;

const attentionRoutes = (attention: AlertAttention) =>
  serve(ALERT_ATTENTION, {
    'GET /api/alerts/attention': ({ user }) => attention.read(user.id),
    'PUT /api/alerts/attention/dismissed': ({ user, body }) => {
      attention.dismiss(user.id, body.keys, body.dismissed);
      return { success: true as const };
    },
    'PUT /api/alerts/attention/weekly': ({ user, body }) => {
      attention.setWeekly(user.id, body.weekly);
      return { success: true as const };
    },
  });

export function createAlertAttention(app: App) {
  const { clock, db, log, schedule } = app;
  const store = new AttentionStore(db);
  const presence = new PresenceWatch(app);
  const attention = new AlertAttention(app, store, (symbol) => presence.of(symbol));
  const weekly = new WeeklyMessages(app, store, attention);
  const checks = new Repetition({
    schedule,
    everyMs: CHECK_EVERY_MS,
    work() {
      checks.safely(() => presence.check());
      weekly.check();
    },
    log: log.child('alertAttention'),
    failure: 'Could not check which alerts need attention; trying again',
  });
  return {
    name: 'alertAttention',
    service: attention,
    routes: () => attentionRoutes(attention),
    start: () => checks.start(),
    stop: () => checks.stop(),
    prune() {
      const removed = store.dropDismissed(clock.now(), MAX_PRUNED);
      return { removed, hasMore: removed === MAX_PRUNED };
    },
  } satisfies Part;
}

declare module '#platform/app.ts' {
  interface App {
    alertAttention: AlertAttention;
  }
}
