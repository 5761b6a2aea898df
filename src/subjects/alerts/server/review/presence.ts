import { and, eq } from 'drizzle-orm';
import { stockPresence } from '#platform/db/alertReviewSchema.ts';
import { alerts } from '#platform/db/alertSchema.ts';
import { factStore } from '#platform/db/facts.ts';
import type { Db } from '#platform/db/open.ts';
import { isHalted } from '#market/rules/halted.ts';
import { phaseAt } from '#market/rules/sessionClock.ts';
import { sydneyDate } from '#market/rules/sydneyTime.ts';
import type { Market } from '#market/types.ts';
import { readList, readNumber } from '#lib/read.ts';
import type { Core } from '#src/part.ts';
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

export type PresenceDeps = {
  db: Db;
  market: Pick<Market, 'all' | 'get' | 'date'>;
  source: Pick<Core['source'], 'name' | 'clock' | 'health' | 'days' | 'replay'>;
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
