import { and, count, eq, ne } from 'drizzle-orm';
import { chartLevels } from '#src/tables/userSchema.ts';
import type { App, Part } from '#platform/app.ts';
import { accepted, AppError } from '#platform/http/errors.ts';
import { createWriteLimit, type UserLimit } from '#platform/http/requestLimits.ts';
import { serve } from '#platform/http/routes.ts';
import { roundToStep } from '#market/rules/priceStep.ts';
import { factorAfter } from '#market/rules/splitAdjustment.ts';
import { Tally, type TransferKind } from '#subjects/transfer/rules/kind.ts';
import { CHART_LEVELS } from '../contract.ts';
import { checkLevels, MAX_LEVEL_STOCKS, type StockLevels, TOO_MANY_LEVEL_STOCKS } from '../rules/levels.ts';

const MAX_WRITES_A_MINUTE = 120;

/** Horizontal levels in users' charts. */
class ChartLevels {
  private readonly countWrite: UserLimit;

  constructor(private readonly app: App) {
    this.countWrite = createWriteLimit(app.clock, MAX_WRITES_A_MINUTE, 'your levels');
  }

  /** The levels of a user by stock, adjusted for splits since they were saved. */
  of(userId: number): StockLevels[] {
    const { db, values } = this.app;
    const rows = db.select().from(chartLevels).where(eq(chartLevels.userId, userId)).all();
    return rows.map(({ symbol, prices, savedAt }) => {
      const factor = factorAfter(values.adjustments.of(symbol), savedAt);
      return { symbol, prices: factor === 1 ? prices : prices.map((price) => roundToStep(price * factor)) };
    });
  }

  /** @throws AppError 400, 429 */
  save(userId: number, sent: StockLevels): StockLevels {
    this.countWrite(userId);
    const checked = accepted(checkLevels(sent));
    if (checked.prices.length > 0 && this.isFull(userId, checked.symbol)) {
      throw new AppError(400, TOO_MANY_LEVEL_STOCKS);
    }
    this.put(userId, checked);
    return checked;
  }

  readonly transfer: TransferKind = {
    exportValue: ({ userId }) => this.of(userId),
    importValue: ({ userId }, value) => {
      const tally = new Tally();
      const known = new Map(this.of(userId).map(({ symbol, prices }) => [symbol, prices]));
      for (const sent of value as StockLevels[]) {
        const before = known.get(sent.symbol) ?? [];
        const all = checkLevels({ ...sent, prices: [...before, ...sent.prices] });
        if (!all.ok) tally.leaveOut(sent.symbol, all.error.message);
        else if (all.value.prices.length === before.length) tally.keep();
        else if (this.isFull(userId, all.value.symbol)) tally.leaveOut(sent.symbol, TOO_MANY_LEVEL_STOCKS);
        else {
          this.put(userId, all.value);
          if (before.length === 0) tally.add();
          else tally.change();
        }
      }
      return { outcome: tally.outcome(), afterwards: () => undefined };
    },
  };

  /** Whether a user has levels on as many other stocks as possible. */
  private isFull(userId: number, symbol: string): boolean {
    const others = and(eq(chartLevels.userId, userId), ne(chartLevels.symbol, symbol));
    const found = this.app.db.select({ n: count() }).from(chartLevels).where(others).get();
    return (found?.n ?? 0) >= MAX_LEVEL_STOCKS;
  }

  private put(userId: number, { symbol, prices }: StockLevels): void {
    const { clock, db } = this.app;
    const own = and(eq(chartLevels.userId, userId), eq(chartLevels.symbol, symbol));
    if (prices.length === 0) return void db.delete(chartLevels).where(own).run();
    const levels = { prices, savedAt: clock.now() };
    db.insert(chartLevels)
      .values({ userId, symbol, ...levels })
      .onConflictDoUpdate({ target: [chartLevels.userId, chartLevels.symbol], set: levels })
      .run();
  }
}

export function createChartLevels(app: App) {
  const levels = new ChartLevels(app);
  const routes = () =>
    serve(CHART_LEVELS, {
      'GET /api/settings/chart-levels': ({ user }) => ({ levels: levels.of(user.id) }),
      'PUT /api/settings/chart-levels': ({ user, body }) => levels.save(user.id, body),
    });
  return { name: 'chartLevels', service: levels, routes } satisfies Part;
}

declare module '#platform/app.ts' {
  interface App {
    chartLevels: ChartLevels;
  }
}
