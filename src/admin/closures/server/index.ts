import { readRecord } from '#lib/read.ts';
import type { App, Part } from '#platform/app.ts';
import { serve } from '#platform/http/routes.ts';
import { createUserLimit, type UserLimit } from '#platform/http/requestLimits.ts';
import { CLOSURES } from '../contract.ts';
import {
  applyClosures,
  closureStore,
  type ClosureStore,
  dayOf,
  publish,
  type SpecialDayRow,
  withdraw,
} from './specialDays.ts';
import type { SpecialDay } from '#market/rules/tradingDay.ts';
import { sydneyDate } from '#lib/sydneyTime.ts';
import { accepted, AppError } from '#platform/http/errors.ts';
import type { SpecialDayView } from '../answers/closures.ts';
import {
  checkSpecialDay,
  lateProblem,
  MAX_AHEAD,
  redundancy,
  specialDayText,
} from '../rules/specialDayForm.ts';

const MAX_CHANGES_A_MINUTE = 30;
const SET_BY_SETTING =
  'That day is set by BELLBIRD_MARKET_CLOSURES. Change the setting and restart the server.';

/** Special closures of the exchange. The audit log names the administrator of each change. */
export class Closures {
  readonly #countChange: UserLimit;

  constructor(
    private readonly app: App,
    private readonly store: ClosureStore,
  ) {
    this.#countChange = createUserLimit(
      app.clock,
      MAX_CHANGES_A_MINUTE,
      'Too many changes to market closures.',
    );
  }

  list(): SpecialDayView[] {
    return this.store.all().map(({ addedAt: _, ...day }) => day);
  }

  /** @throws AppError 400, 429 */
  add(userId: number, sent: Parameters<typeof checkSpecialDay>[0]): void {
    this.#countChange(userId);
    const day = accepted(checkSpecialDay(sent));
    const { store } = this;
    const { audit, clock } = this.app;
    store.inTransaction(() => {
      const rows = store.all();
      this.#checkNew(day, rows);
      store.put(day, false, clock.now());
      const { date, reason } = day;
      audit.record({
        userId,
        action: 'add market closure',
        target: date,
        after: specialDayText(day),
        reason,
      });
    });
    publish(this.app.db, store);
  }

  /** @throws AppError 400, 404, 429 */
  remove(userId: number, date: string): void {
    this.#countChange(userId);
    const { store } = this;
    const { audit } = this.app;
    store.inTransaction(() => {
      const row = store.all().find((one) => one.date === date);
      if (!row) throw new AppError(404, 'There is no entry for that date. Reload the list.');
      if (row.bySetting) throw new AppError(400, SET_BY_SETTING);
      this.#checkTime(date, { before: dayOf(row), after: null });
      store.remove(date);
      const before = `${specialDayText(dayOf(row))}: ${row.reason}`;
      audit.record({ userId, action: 'remove market closure', target: date, before });
    });
    publish(this.app.db, store);
  }

  #checkNew(day: SpecialDay, rows: readonly SpecialDayRow[]): void {
    const { date } = day;
    if (rows.some((row) => row.date === date)) {
      throw new AppError(400, {
        field: 'date',
        message: 'There is an entry for that date. Remove it first.',
      });
    }
    const reason = redundancy(day);
    if (reason !== null) throw new AppError(400, { field: 'date', message: reason });
    this.#checkTime(date, { before: null, after: day });
    const today = sydneyDate(this.#now());
    if (rows.filter((row) => row.date >= today).length >= MAX_AHEAD) {
      throw new AppError(400, `There are already ${MAX_AHEAD} future days. Remove one first.`);
    }
  }

  #checkTime(date: string, change: Parameters<typeof lateProblem>[1]): void {
    const message = lateProblem(date, change, this.#now());
    if (message !== null) throw new AppError(400, { field: 'date', message });
  }

  /** A simulated market may be ahead of the wall clock, and a replayed one behind it, so the later time counts. */
  #now(): number {
    return Math.max(this.app.clock.now(), this.app.source.clock.now());
  }
}

const routesOf = (service: Closures) =>
  serve(CLOSURES, {
    'GET /api/admin/market-closures': () => ({ days: service.list() }),
    'POST /api/admin/market-closures': ({ user, body }) => {
      service.add(user.id, readRecord(body));
      return { days: service.list() };
    },
    'DELETE /api/admin/market-closures/:date': ({ user, params }) => {
      service.remove(user.id, params.date);
      return { days: service.list() };
    },
  });

/**
 * Days that differ from the exchange's calendar, from the settings and from administrators. The server applies them
 * before it creates its parts; otherwise `start` does.
 */
export function createClosures(app: App) {
  const { db, clock } = app;
  const store = closureStore(db);
  const service = new Closures(app, store);
  return {
    name: 'closures',
    service,
    routes: () => routesOf(service),
    start: () => applyClosures(app, clock.now()),
    stop: () => withdraw(db),
    inspect: () => ({
      label: 'Market closures',
      description: 'Days on which trading hours differ from the exchange’s calendar.',
      summary: { days: store.all().length },
      data: () => store.all(),
    }),
  } satisfies Part;
}
