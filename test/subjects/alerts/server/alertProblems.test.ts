import { afterEach, expect, test } from 'bun:test';
import { createAlertProblems } from '#subjects/alerts/server/alertProblems.ts';
import { createLog } from '#lib/log.ts';
import { lastAbove } from '#support/alertsApp.ts';
import { createHandScheduler } from '#support/handScheduler.ts';
import { createTestApp, type TestApp } from '#support/testApp.ts';
import { linkPlaces } from '#support/transferApp.ts';
import { standIn } from '#support/appOf.ts';
import type { ChatDelivery } from '#subjects/alerts/server/messages.ts';
import type { OutboxService } from '#platform/outbox/index.ts';

let app: TestApp;
afterEach(() => app.close());

type Sent = { id: number };
type View = { id: number; problem: string | null };
const TELEGRAM = { telegram: true, discord: false, devices: [] };

async function open() {
  app = createTestApp();
  app.source.apply(['BHP', 'CBA'].map((code) => ({ code, last: 40, close: 39, open: 40, value: 1e6 })));
  const call = async <T = Sent>(method: string, path: string, body?: unknown): Promise<T> => {
    const answer = await app.request(method, `/api${path}`, { as: 'premium', body });
    if (answer.status !== 200) throw new Error(`${method} ${path}: ${answer.text}`);
    return answer.json as T;
  };
  await linkPlaces(app);
  // The only list cannot be deleted.
  await call('POST', '/watchlists', { name: 'First' });
  const hand = createHandScheduler(0);
  const written: string[] = [];
  const watch = createAlertProblems({
    ...app.services,
    log: createLog(() => {}),
    schedule: hand.schedule,
    chatsOf: () => [{ platform: 'telegram', chatId: '555555555' }],
    outbox: standIn<Pick<OutboxService, 'wake'> & { add(messages: readonly ChatDelivery[]): unknown }>({
      add: (messages) =>
        written.push(
          ...messages.map(({ message }) =>
            'title' in message ? [message.title, ...message.lines.slice(0, -1)].join(' | ') : '',
          ),
        ),
      wake: () => {},
    }) as OutboxService,
  });
  watch.start();
  /** Runs two checks. @returns the messages since the last ones */
  const check = (): string[] => {
    hand.advance(2 * 60_000);
    return written.splice(0);
  };
  const views = async () => (await call<{ scan_alerts: View[] }>('GET', '/scan-alerts')).scan_alerts;
  const problems = async () => (await views()).map(({ problem }) => problem);
  return { call, check, views, problems };
}
const SMALL = { type: 'scanner', key: 'intraDaySmall' };

test('an alert whose only list was deleted shows a problem, notifies once, and can be repaired', async () => {
  const { call, check, problems } = await open();
  const list = await call('POST', '/watchlists', { name: 'Mining' });
  const scan = { ...SMALL, filters: { minValue: 5000, lists: [list.id] } };
  const alert = await call('POST', '/scan-alerts', { scan, name: 'Ore', destinations: TELEGRAM });
  expect(check()).toEqual([]);
  expect(await problems()).toEqual([null]);
  await call('PATCH', `/watchlists/${list.id}`, { name: 'Gold' });
  await call('DELETE', `/watchlists/${list.id}`);
  const problem = 'The alert filters by lists, and your list “Gold” was deleted. Choose another scan.';
  expect(await problems()).toEqual([problem]);
  expect(check()).toEqual([`One of your alerts needs your attention | Ore: ${problem}`]);
  expect(check()).toEqual([]);
  await call('PATCH', `/scan-alerts/${alert.id}`, { scan: SMALL });
  expect(await problems()).toEqual([null]);
  expect(check()).toEqual([]);
});

test('alerts that read a deleted scan, or a scan whose list was deleted, show a problem', async () => {
  const { call, check, problems } = await open();
  const list = await call('POST', '/watchlists', { name: 'Mining' });
  const { scan } = await call<{ scan: Sent }>('POST', '/indicators/scans', {
    name: 'Dear',
    logic: lastAbove(30),
  });
  const { scan: listed } = await call<{ scan: Sent }>('POST', '/indicators/scans', {
    name: 'Listed',
    logic: lastAbove(30),
    lists: { side: 'on', id: list.id },
  });
  await call('POST', '/scan-alerts', { scan: { type: 'scan', id: scan.id }, destinations: TELEGRAM });
  await call('POST', '/scan-alerts', { scan: { type: 'scan', id: listed.id }, destinations: TELEGRAM });
  const entered = { lhs: { type: 'scan', id: scan.id }, op: 'crosses_above', rhs: 0.5 };
  await call('POST', '/alerts', {
    symbol: 'BHP',
    name: 'Mine',
    destinations: TELEGRAM,
    logic_json: { op: 'AND', conditions: [entered] },
  });
  expect(check()).toEqual([]);
  await call('DELETE', `/indicators/scans/${scan.id}`);
  await call('DELETE', `/watchlists/${list.id}`);
  const [gone = '', unlisted = ''] = await problems();
  expect(gone).toBe('Your scan "Dear" no longer exists. Choose another one.');
  expect(unlisted).toStartWith('Your scan "Listed" can\'t be watched: Your list “Mining” was deleted.');
  expect(check()).toEqual([
    [
      'Some of your alerts need your attention',
      'BHP Mine: Condition 1: Your scan "Dear" no longer exists. Choose another one.',
      `Any stock enters my scan Dear: ${gone}`,
      `Any stock enters my scan Listed: ${unlisted}`,
    ].join(' | '),
  ]);
});
