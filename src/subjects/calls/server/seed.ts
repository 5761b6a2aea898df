import { DAY_MS, MINUTE_MS } from '#lib/units.ts';
import {
  type DemoCall,
  demoCalls,
  DEMO_SUBMITTERS,
  type DemoStock,
  withImplausibleGain,
} from '../rules/demo.ts';
import type { PriceUpdate } from '../rules/tracker.ts';
import { startWatch } from '../rules/watch.ts';
import { implausibleReason, verifiedResult } from '../rules/verifiedResult.ts';
import { fromSydney } from '#lib/sydneyTime.ts';
import { livePrice } from '#market/rules/stockState.ts';
import { lazy } from '#lib/lazy.ts';
import { drawable } from '#market/bars/rules/quoteBars.ts';
import type { App } from '#platform/app.ts';
import { chooseTop50 } from './marketLevels.ts';
import { fromState } from './rows.ts';
import { callStore, type NewCallRow } from './store.ts';
import { quoteNow } from './tracker/followedCalls.ts';

/** Time from the end of a demo call to the next trade. */
const NEXT_TRADE_MS = 20_000;

function toRow(app: App, demo: DemoCall, userId: number): NewCallRow {
  const { call, state, closing, pocketedValue } = demo;
  const stock = app.market.get(demo.symbol);
  const reason =
    closing === null || pocketedValue === null
      ? null
      : implausibleReason(pocketedValue, call, state, closing);
  return {
    ...call,
    ...fromState(state),
    publicId: app.randomToken(),
    userId,
    symbol: demo.symbol,
    source: app.source.name,
    status: demo.status,
    pocketedValue,
    closedAt: closing?.time ?? null,
    priceAtClose: closing?.price ?? null,
    exitTradeAt: closing && closing.time + NEXT_TRADE_MS,
    exitTradePrice: closing?.price ?? null,
    verifiedPercent: closing && (verifiedResult(call, state, closing)?.percent ?? null),
    adminStatus: reason === null ? 'normal' : 'review',
    reviewReason: reason,
    watch: stock ? startWatch(quoteNow(app, stock)) : null,
  };
}

const KNOWN_DAYS = 30;
const PRICES_A_DAY = 4;

/**
 * Prices of a stock on the last days: open, low, high and close of each. The times are wall times, shifted so that the
 * market's clock shows the real ones.
 */
function knownPrices({ clock, source, values: past }: App, code: string): PriceUpdate[] {
  const shift = clock.now() - source.clock.now();
  return past
    .days(code, KNOWN_DAYS)
    .map(drawable)
    .flatMap(({ key, open, high, low, close }) => {
      const date = new Date(key * DAY_MS).toISOString().slice(0, 10);
      const at = (hour: number, minute: number): number => fromSydney(date, hour, minute) + shift;
      const [first, second] = close >= open ? [low, high] : [high, low];
      return [
        { time: at(10, 9), last: open },
        { time: at(11, 40), last: first },
        { time: at(14, 25), last: second },
        { time: at(16, 11), last: close },
      ];
    });
}

/** Later than the trades of a demo call at the same price. */
const LEVEL_AFTER_MS = 4 * MINUTE_MS;

/** The market's levels at the known prices of its largest stocks. */
function pastLevels(app: App) {
  const members = chooseTop50(app.market.all().values()).map(({ code, cap }) => ({
    cap,
    path: knownPrices(app, code),
  }));
  const longest = Math.max(0, ...members.map(({ path }) => path.length));
  const whole = members.filter(({ path }) => path.length === longest);
  const sumAt = (at: number): number =>
    whole.reduce((sum, { cap, path }) => sum + (cap * (path[at]?.last ?? 0)) / (path.at(-1)?.last ?? 1), 0);
  const times = whole[0]?.path.map(({ time }) => time) ?? [];
  const levels = times.map((_, at) => sumAt(at) / sumAt(0));
  const baseAt = (at: number): number => levels[at - (at % PRICES_A_DAY) - 1] ?? 1;
  return [
    // A chain begins before the first trade.
    ...times.slice(0, 1).map((at) => ({ at, base: 1, level: 1 })),
    ...times.map((time, at) => ({ at: time + LEVEL_AFTER_MS, base: baseAt(at), level: levels[at] ?? 1 })),
  ];
}

const pricedStocks = (app: App): DemoStock[] =>
  [...app.market.all().values()].flatMap((stock) => {
    const last = livePrice(stock);
    if (last === null || stock.securityType !== 'stock') return [];
    const path = lazy(() => knownPrices(app, stock.code));
    return [
      {
        code: stock.code,
        last,
        // Read on demand, because only few stocks get a call.
        get path() {
          return path();
        },
      },
    ];
  });

/**
 * Test mode: adds submitters with a history of calls, so that the Calls page shows something. Runs once per database; the
 * demo user gets no calls.
 * @returns a seeder; the submitters get the demo user's hash, which no password fits
 */
export function createCallsSeeder(app: App) {
  const store = callStore(app.db);
  return (user: { passwordHash: string }): void => {
    // Generating a history reads the whole market.
    if (DEMO_SUBMITTERS.every(({ name }) => app.accounts.isTaken(name))) return;
    const history = withImplausibleGain(demoCalls(app.clock.now(), pricedStocks(app)));
    if (history.length === 0) return;
    const ids = new Map<string, number>();
    for (const { name } of DEMO_SUBMITTERS) {
      // The submitters were seeded before, or a real user has the name.
      if (app.accounts.isTaken(name)) continue;
      const { id } = app.accounts.add({
        username: name,
        email: null,
        passwordHash: user.passwordHash,
      });
      ids.set(name, id);
    }
    store.inTransaction(() => {
      const made = history.flatMap((demo) => {
        const userId = ids.get(demo.submitter);
        return userId === undefined ? [] : [store.insert(toRow(app, demo, userId))];
      });
      app.calls.ledger.imported(made, 'demonstration');
    });
    app.calls.levels.addPast(pastLevels(app));
    app.calls.resume();
  };
}
