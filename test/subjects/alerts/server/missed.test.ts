import { afterEach, beforeEach, expect, test } from 'bun:test';
import { type AlertListener, listenToAlerts } from '../../../support/alertStreamClient.ts';
import { addAlert, lastAbove } from '../../../support/alertsApp.ts';
import { list, trade } from '../../../support/callsApp.ts';
import { createScanTriggerEvents } from '../../../../src/subjects/alerts/server/scanAlerts/index.ts';
import { createTestApp, type TestApp } from '../../../support/testApp.ts';

let app: TestApp;
let token: string;
let alertId: number;
let opened: AlertListener[] = [];

async function listen(lastEventId?: string | null): Promise<AlertListener> {
  const listener = await listenToAlerts(app, token, lastEventId ? { lastEventId } : {});
  opened.push(listener);
  return listener;
}

beforeEach(async () => {
  app = createTestApp({ runtime: { alertPingMs: 5 } });
  list(app);
  app.source.give([{ code: 'NAB', status: 'Open', open: 30, last: 30, close: 30, volume: 100 }]);
  token = await app.tokenOf(await app.user('free'));
  const body = { name: 'Breakouts', logic: lastAbove(50) };
  const kept = await app.request('POST', '/api/indicators/scans', { as: 'free', body });
  const scan = { type: 'scan', id: (kept.json as { scan: { id: number } }).scan.id };
  const added = await app.request('POST', '/api/scan-alerts', {
    as: 'free',
    body: { scan, name: 'Up', minute_maximum: 1 },
  });
  alertId = (added.json as { id: number }).id;
  app.tick.run();
});
afterEach(async () => {
  for (const listener of opened) await listener.leave();
  opened = [];
  app.close();
});

const told = ({ events }: AlertListener) =>
  events
    .filter(({ event }) => event === 'scan_alert_triggered')
    .map(({ data }) => (data as { symbol: string | null; triggerId: number }).symbol);
const placeOf = (listener: AlertListener): string => {
  const id = listener.lastId();
  if (id === null) throw new Error('It was told no place.');
  return id;
};

test('who comes back is told which stocks entered meanwhile, once, and what was told is not told again', async () => {
  const first = await listen();
  trade(app, 'BHP', 51);
  await first.until((listener) => told(listener).length === 1);
  expect(first.events.find(({ event }) => event === 'scan_alert_triggered')?.data).toEqual({
    scanAlertId: alertId,
    triggerId: 1,
    timestamp: new Date(app.clock.now()).toISOString(),
    marketTime: new Date(app.clock.now()).toISOString(),
    symbol: 'BHP',
    name: 'Up',
    text: expect.stringContaining('entered my scan Breakouts'),
    seen: [expect.objectContaining({ holds: true })],
    silent: false,
    sound: null,
  });
  await first.leave();
  app.clock.advance(60_000);
  app.tick.run();
  trade(app, 'CBA', 52);
  const back = await listen(placeOf(first));
  await back.until(({ events }) => events.length >= 2);
  expect(told(back)).toEqual(['CBA']);
  expect(back.events.at(-1)).toMatchObject({ event: 'alert_changed', data: { alertId: null, symbol: null } });
  const again = await listen(placeOf(back));
  await again.until(({ events }) => events.length >= 1);
  expect(told(again)).toEqual([]);
});

test('a sum that was still growing as somebody left is told once it is complete, and not before', async () => {
  const first = await listen();
  trade(app, 'BHP', 51);
  trade(app, 'CBA', 51);
  await first.until((listener) => told(listener).length === 1);
  await first.leave();
  const early = await listen(placeOf(first));
  await early.until(({ events }) => events.length >= 1);
  expect(told(early)).toEqual([]);
  await early.leave();
  trade(app, 'NAB', 51);
  app.clock.advance(60_000);
  app.tick.run();
  const back = await listen(placeOf(early));
  await back.until((listener) => told(listener).length >= 1);
  expect(told(back)).toEqual([null]);
});

test('alerts on stocks and on scans keep a place each, and nobody is told of others’', async () => {
  await addAlert(app, { logic_json: lastAbove(50) });
  const first = await listen();
  const stranger = await listenToAlerts(app, await app.tokenOf(await app.user('basic')));
  opened.push(stranger);
  const before = placeOf(first);
  trade(app, 'BHP', 51);
  await first.until(({ events }) => events.length >= 2);
  expect(placeOf(first)).toBe('1.1');
  const back = await listen(before);
  await back.until(({ events }) => events.length >= 3);
  expect(back.events.map(({ event }) => event)).toEqual([
    'alert_triggered',
    'scan_alert_triggered',
    'alert_changed',
  ]);
  const strange = await listenToAlerts(app, await app.tokenOf(await app.user('basic')), { lastEventId: '0' });
  opened.push(strange);
  await strange.until(({ events }) => events.length >= 1);
  expect([...strange.events, ...stranger.events].map(({ event }) => event)).toEqual(['alert_changed']);
});

test('the newest are told, so many and so old at most', async () => {
  const { id: userId } = await app.user('free');
  const { db, source } = app;
  const { history } = createScanTriggerEvents({ config: { publicUrl: null }, db, source });
  expect(history.newest()).toBe(0);
  for (let round = 0; round < 3; round += 1) {
    trade(app, 'BHP', 51);
    trade(app, 'BHP', 40);
    app.clock.advance(31 * 60_000);
  }
  const all = history.missed(userId, { after: 0, since: 0, most: 20 });
  expect(all.map(({ triggerId }) => triggerId)).toEqual([3, 2, 1]);
  expect(history.newest()).toBe(3);
  expect(history.missed(userId, { after: 0, since: 0, most: 2 })).toEqual(all.slice(0, 2));
  const since = Date.parse(all[1]?.timestamp ?? '');
  expect(history.missed(userId, { after: 0, since, most: 20 })).toEqual(all.slice(0, 1));
});
