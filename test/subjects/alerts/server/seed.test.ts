import { expect, test } from 'bun:test';
import type { AlertView } from '../../../../src/subjects/alerts/rules/alertView.ts';
import type { WatchlistItem } from '../../../../src/subjects/alerts/rules/watchlist.ts';
import { createTestApp, type TestApp } from '../../../support/testApp.ts';

async function seed(app: TestApp, username: string) {
  const answer = await app.request('POST', '/api/test/seed', { body: { username } });
  const as = { token: (answer.json as { accessToken: string }).accessToken };
  const read = async <T>(path: string) => (await app.request('GET', path, { as })).json as T;
  const { items } = await read<{ items: WatchlistItem[] }>('/api/watchlist');
  const { alerts } = await read<{ alerts: AlertView[] }>('/api/alerts');
  return { as, items, alerts };
}

test('a demo user watches four listed symbols and has two alerts that do not fire at once', async () => {
  const app = createTestApp({ config: { testMode: true } });
  const stock = (code: string, last: number) => ({
    code,
    last,
    close: last,
    status: 'Open' as const,
    securityType: 'stock' as const,
  });
  app.source.give(['AAA', 'CBA', 'NAB', 'BHP', 'ZZZ'].map((code, index) => stock(code, 40 + index)));
  app.tick.run();
  const { items, alerts, as } = await seed(app, 'demo');
  expect(items.map(({ symbol }) => symbol)).toEqual(['AAA', 'BHP', 'CBA', 'NAB']);
  expect(alerts.map(({ symbol, name, active }) => [symbol, name, active])).toEqual([
    ['BHP', 'Breakout', true],
    ['CBA', 'Busy rise', true],
  ]);
  app.tick.run();
  app.tick.run();
  expect((await seed(app, 'demo')).alerts).toEqual(alerts);
  await app.request('DELETE', `/api/alerts/${alerts[0]?.id}`, { as });
  expect((await seed(app, 'demo')).alerts).toHaveLength(1);
  expect((await seed(app, 'premium')).alerts).toHaveLength(2);
  app.close();
});

test('while nothing is listed a demo user begins with an empty list, and is given one later', async () => {
  const app = createTestApp({ config: { testMode: true } });
  expect(await seed(app, 'demo')).toMatchObject({ items: [], alerts: [] });
  app.source.give([{ code: 'BHP', last: 40, securityType: 'stock' }]);
  app.tick.run();
  const { items, alerts } = await seed(app, 'demo');
  expect([items.length, alerts.length]).toEqual([1, 1]);
  app.close();
});
