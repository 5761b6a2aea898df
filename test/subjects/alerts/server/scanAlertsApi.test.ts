import { expect, test } from 'bun:test';
import type { ScanAlertView, ScanTriggerView } from '#subjects/alerts/rules/scanAlerts/scanAlert.ts';
import { saveScan, withListed } from '#support/alertsApp.ts';
import { trade } from '#support/callsApp.ts';
import { allOf, is, LAST } from '#support/conditions.ts';
import type { Role, TestApp } from '#support/testApp.ts';

const ask = (app: TestApp, method: string, path: string, body?: unknown, as: Role = 'free') =>
  app.request(method, `/api/scan-alerts${path}`, { as, ...(body === undefined ? {} : { body }) });

async function add(app: TestApp, change: object = {}, as: Role = 'free'): Promise<ScanAlertView> {
  const answer = await ask(app, 'POST', '', change, as);
  expect(answer).toMatchObject({ status: 200 });
  app.tick.run();
  return answer.json as ScanAlertView;
}

const listOf = async (app: TestApp, as: Role = 'free') =>
  (await ask(app, 'GET', '', undefined, as)).json as { scan_alerts: ScanAlertView[]; limit: number };

const triggersOf = async (app: TestApp, id: number) =>
  ((await ask(app, 'GET', `/${id}/triggers`)).json as { triggers: ScanTriggerView[] }).triggers;

test('alerts on whole scans are created with defaults on a saved scan, fire, and list each firing with its reason', () =>
  withListed(async (app) => {
    const { id } = await saveScan(app);
    const alert = await add(app, { scan: { type: 'scan', id, name: 'Nonsense' } });
    expect(alert).toMatchObject({
      scan: { type: 'scan', id, name: 'Breakouts' },
      event: 'enters',
      scope: 'market',
      cooldown_minutes: 30,
      day_maximum: 3,
      minute_maximum: 5,
      active: true,
      problem: null,
    });
    trade(app, 'CBA', 51);
    expect(await triggersOf(app, alert.id)).toMatchObject([
      {
        symbol: 'CBA',
        event: 'enters',
        scan: 'my scan Breakouts',
        seen: [{ left: { value: 51 }, holds: true }],
      },
    ]);
    expect((await listOf(app)).scan_alerts).toMatchObject([
      {
        in_scan: 1,
        last_triggered_at: new Date(app.clock.now()).toISOString(),
        last_triggered_market_time: new Date(app.clock.now()).toISOString(),
      },
    ]);
    // Alerts without a symbol are not in the list of the specification.
    expect((await app.request('GET', '/api/alerts', { as: 'free' })).json).toEqual({ alerts: [] });
  }));

test('alerts on whole scans are refused with an invalid scan, a number out of range, and another user’s scan', () =>
  withListed(async (app) => {
    const { id } = await saveScan(app, {}, 'premium');
    const crossing = await saveScan(app, { logic: allOf(is(LAST, 'crosses_above', 50)) });
    const scan = { type: 'scanner', key: 'intraDaySmall' };
    const wrong: [object, string][] = [
      [{}, 'scan'],
      [{ scan: { type: 'scanner', key: 'custom' } }, 'scan.key'],
      [{ scan: { type: 'scan', id } }, 'scan.id'],
      [{ scan: { type: 'scan', id: crossing.id }, event: 'leaves' }, 'scan.id'],
      [{ scan, event: 'stays' }, 'event'],
      [{ scan, day_maximum: 21 }, 'day_maximum'],
      [{ scan, minute_maximum: 1.5 }, 'minute_maximum'],
      [{ scan, name: 'x'.repeat(81) }, 'name'],
      [{ scan, destinations: { telegram: 'yes' } }, 'destinations.telegram'],
    ];
    for (const [body, field] of wrong) {
      expect([body, await ask(app, 'POST', '', body)]).toMatchObject([
        body,
        { status: 400, json: { field } },
      ]);
    }
    expect((await ask(app, 'POST', '', { scan: { type: 'scan', id: crossing.id } })).status).toBe(200);
  }));

test('alerts on whole scans are limited by the plan, with twice as many stored as active', () =>
  withListed(async (app) => {
    const scan = { type: 'scanner', key: 'intraDaySmall' };
    for (let count = 0; count < 3; count += 1) await add(app, { scan });
    const fourth = await ask(app, 'POST', '', { scan });
    expect(fourth).toMatchObject({ status: 400 });
    expect(fourth.text).toContain('Your plan has 3 alerts on whole scans');
    const off = await add(app, { scan, active: false });
    expect((await ask(app, 'PATCH', `/${off.id}`, { active: true })).status).toBe(400);
    const [first] = (await listOf(app)).scan_alerts;
    await ask(app, 'PATCH', `/${first?.id}`, { active: false });
    expect((await ask(app, 'PATCH', `/${off.id}`, { active: true })).status).toBe(200);
    await add(app, { scan, active: false });
    await add(app, { scan, active: false });
    expect((await ask(app, 'POST', '', { scan, active: false })).status).toBe(400);
    expect((await listOf(app, 'premium')).limit).toBe(30);
  }));

test('alerts on whole scans report a conflict, and keep the version if nothing changed', () =>
  withListed(async (app) => {
    const alert = await add(app, { scan: { type: 'scanner', key: 'intraDaySmall' } });
    expect((await ask(app, 'PATCH', `/${alert.id}`, { scope: 'market', version: 1 })).json).toMatchObject({
      version: 1,
    });
    expect((await ask(app, 'PATCH', `/${alert.id}`, { name: 'Pennies', version: 1 })).json).toMatchObject({
      version: 2,
      name: 'Pennies',
    });
    expect(await ask(app, 'PATCH', `/${alert.id}`, { scope: 'watchlist', version: 1 })).toMatchObject({
      status: 409,
      json: { scan_alert: { version: 2, scope: 'market' } },
    });
    const until = new Date(app.clock.now() + 3_600_000).toISOString();
    expect((await ask(app, 'PATCH', `/${alert.id}`, { snoozed_until: until })).json).toMatchObject({
      version: 2,
      snoozed_until: until,
    });
    expect((await ask(app, 'PATCH', `/${alert.id}`, { snoozed_until: 'soon' })).status).toBe(400);
    for (const [method, path] of [
      ['PATCH', ''],
      ['DELETE', ''],
      ['GET', '/triggers'],
    ] as const) {
      const body = method === 'PATCH' ? { active: false } : undefined;
      expect((await ask(app, method, `/${alert.id}${path}`, body, 'premium')).status).toBe(404);
    }
    expect((await ask(app, 'DELETE', `/${alert.id}`)).status).toBe(200);
    expect((await ask(app, 'DELETE', `/${alert.id}`)).status).toBe(404);
  }));

test('alerts on whole scans skip a stock muted for today', () =>
  withListed(async (app) => {
    const { id: scanId } = await saveScan(app);
    const { id } = await add(app, { scan: { type: 'scan', id: scanId } });
    const muted = await ask(app, 'POST', `/${id}/mutes`, { symbol: 'bhp', muted: true });
    expect(muted.json).toMatchObject({ muted_today: ['BHP'] });
    expect((await ask(app, 'POST', `/${id}/mutes`, { symbol: 'NONE', muted: true })).status).toBe(400);
    trade(app, 'BHP', 51);
    expect(await triggersOf(app, id)).toEqual([]);
    await ask(app, 'POST', `/${id}/mutes`, { symbol: 'BHP', muted: false });
    trade(app, 'BHP', 40);
    trade(app, 'BHP', 51);
    expect(await triggersOf(app, id)).toHaveLength(1);
  }));

test('alerts on whole scans that filter by a list follow its current symbols, and cannot use another user’s list', () =>
  withListed(async (app) => {
    const listOfRole = async (as: Role) =>
      (await app.request('POST', '/api/watchlists', { as, body: { name: 'Miners' } })).json as {
        id: number;
      };
    const put = (symbol: string, list: number) =>
      app.request('POST', '/api/watchlist', { as: 'free', body: { symbol, list } });
    const [own, theirs] = [await listOfRole('free'), await listOfRole('premium')];
    await put('BHP', own.id);
    const { id: scanId } = await saveScan(app, { lists: { side: 'on', id: own.id } });
    const { id } = await add(app, { scan: { type: 'scan', id: scanId } });
    const move = () => {
      for (const price of [40, 51]) for (const code of ['BHP', 'CBA']) trade(app, code, price);
    };
    move();
    await put('CBA', own.id);
    expect((await listOf(app)).scan_alerts).toMatchObject([{ in_scan: 2 }]);
    move();
    expect((await triggersOf(app, id)).map(({ symbol }) => symbol)).toEqual(['CBA', 'BHP']);
    const body = { name: 'x', logic: allOf(is(LAST, '>', 1)), lists: { side: 'on', id: theirs.id } };
    const refused = await app.request('PUT', `/api/indicators/scans/${scanId}`, { as: 'free', body });
    expect(refused).toMatchObject({ status: 400, json: { field: 'lists.id' } });
  }));
