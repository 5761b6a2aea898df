import { linkedChats } from '#src/tables/alertSchema.ts';
import type { AlertView } from '#subjects/alerts/rules/alertView.ts';
import type { WatchlistItem } from '#subjects/alerts/rules/watchlist.ts';
import type { Logic } from '#subjects/conditions/rules/condition.ts';
import type { ListedScan } from '#subjects/conditions/rules/savedScan.ts';
import { list } from './callsApp.ts';
import { createTestApp, type Role, type TestApp, type TestAppOptions } from './testApp.ts';
import { allOf, is, LAST } from './conditions.ts';

/** Last above a price; BHP and CBA are listed at 40. */
export const lastAbove = (value: number): Logic => allOf(is(LAST, '>', value));

export const indicatorAbove = (family: string, params: object, tf: string, value = 70) => ({
  op: 'AND' as const,
  conditions: [
    {
      lhs: { type: 'indicator', family, params, tf, valueKey: 'now' },
      op: '>',
      rhs: { type: 'number', value },
    },
  ],
});

/** An alert that can be posted once the symbols are listed; its condition is false. */
export const ALERT = { symbol: 'BHP', name: 'Breakout', persistent: true, logic_json: lastAbove(50) };

/** Runs work with an application that lists BHP and CBA at 40. */
export async function withListed(
  work: (app: TestApp) => Promise<void>,
  options: TestAppOptions = {},
): Promise<void> {
  const app = createTestApp(options);
  try {
    list(app);
    await work(app);
  } finally {
    app.close();
  }
}

async function answered<T>(app: TestApp, method: string, path: string, as: Role, body?: unknown): Promise<T> {
  const answer = await app.request(method, `/api${path}`, { as, body });
  if (answer.status !== 200) throw new Error(`${method} ${path}: ${answer.status} ${answer.text}`);
  return answer.json as T;
}

export const addAlert = (app: TestApp, change: object = {}, as: Role = 'free'): Promise<AlertView> =>
  answered(app, 'POST', '/alerts', as, { ...ALERT, ...change });

export const changeAlert = (
  app: TestApp,
  id: number,
  change: object,
  as: Role = 'free',
): Promise<AlertView> => answered(app, 'PATCH', `/alerts/${id}`, as, change);

export const alertsOf = async (app: TestApp, as: Role = 'free'): Promise<AlertView[]> =>
  (await answered<{ alerts: AlertView[] }>(app, 'GET', '/alerts', as)).alerts;

/** A confirmed Telegram chat. */
export async function linkChat(
  { db, clock, user }: TestApp,
  chatId = '4711',
  as: Exclude<Role, 'guest'> = 'free',
): Promise<void> {
  const { id: userId } = await user(as);
  const now = clock.now();
  const chat = { userId, platform: 'telegram' as const, chatId, createdAt: now, confirmedAt: now };
  db.insert(linkedChats).values(chat).run();
}

/** Saves the scan Breakouts, for stocks above 50; with an id it changes that scan. */
export async function saveScan(
  app: TestApp,
  { id, ...change }: { id?: number; name?: string; logic?: Logic; lists?: unknown } = {},
  as: Role = 'free',
): Promise<ListedScan> {
  const body = { name: 'Breakouts', logic: lastAbove(50), ...change };
  const [method, path] =
    id === undefined ? ['POST', '/indicators/scans'] : ['PUT', `/indicators/scans/${id}`];
  return (await answered<{ scan: ListedScan }>(app, method ?? '', path ?? '', as, body)).scan;
}

export const watchlistOf = async (
  app: TestApp,
  as: Role = 'free',
): Promise<Pick<WatchlistItem, 'id' | 'symbol' | 'alertCount'>[]> =>
  (await answered<{ items: WatchlistItem[] }>(app, 'GET', '/watchlist', as)).items.map(
    ({ id, symbol, alertCount }) => ({ id, symbol, alertCount }),
  );
