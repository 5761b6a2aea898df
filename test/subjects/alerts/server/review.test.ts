import { afterEach, beforeEach, describe, expect, test } from 'bun:test';
import { alerts, outbox } from '#src/tables/alertSchema.ts';
import { fromSydney, sydneyDate } from '#market/rules/sydneyTime.ts';
import { isTradingDay } from '#market/rules/tradingDay.ts';
import { PresenceWatch, WeeklyReview } from '#subjects/alerts/server/review/index.ts';
import { ReviewStore } from '#subjects/alerts/server/review/store.ts';
import { addAlert, alertsOf, lastAbove, linkChat } from '#support/alertsApp.ts';
import { list } from '#support/callsApp.ts';
import { createTestApp, type TestApp } from '#support/testApp.ts';
import { storeTrigger } from '#support/aTrigger.ts';

const DAY = 24 * 3_600_000;
let app: TestApp;
let userId: number;

beforeEach(async () => {
  app = createTestApp();
  list(app);
  userId = (await app.user('free')).id;
});
afterEach(() => app.close());

type View = { findings: { key: string; kind: string; text: string; presses: string[] }[]; weekly: boolean };

async function send(method: string, path: string, body?: unknown) {
  const answer = await app.request(method, `/api/alerts/review${path}`, { as: 'free', body });
  return {
    status: answer.status,
    json: answer.json as View & { done: number; failed: unknown[]; review: View },
  };
}
const kinds = async (): Promise<string[]> => (await send('GET', '')).json.findings.map(({ key }) => key);
/** As if all alerts had been made so long ago. */
const age = (days: number) =>
  app.db
    .update(alerts)
    .set({ createdAt: app.clock.now() - days * DAY, updatedAt: app.clock.now() - days * DAY })
    .run();
function fire(alertId: number, times: number, daysAgo = 0): void {
  const at = app.clock.now() - daysAgo * DAY;
  for (let n = 0; n < times; n += 1) storeTrigger(app.db, { alertId, triggeredAt: at - n });
}

describe('the review of alerts', () => {
  test('is for users alone, each their own', async () => {
    const { id } = await addAlert(app);
    age(40);
    expect((await app.request('GET', '/api/alerts/review', {})).status).toBe(401);
    const others = await app.request('GET', '/api/alerts/review', { as: 'premium' });
    expect(others.json).toMatchObject({ findings: [], weekly: false });
    const press = { keys: [`silent alert ${id}`], press: 'delete' };
    await app.request('POST', '/api/alerts/review', { as: 'premium', body: press });
    expect(await alertsOf(app)).toHaveLength(1);
  });

  test('finds what fires too often; the raised cooldown stays, and what does not help is not done', async () => {
    const { id } = await addAlert(app);
    fire(id, 25);
    fire(id, 31, 1);
    const { findings } = (await send('GET', '')).json;
    expect(findings).toMatchObject([
      { key: `noisy alert ${id}`, presses: ['cooldown', 'pause', 'delete', 'keep'] },
    ]);
    expect(findings[0]?.text).toMatch(/^Fired 25 to 31 times a day on 2 of the last 7 days\.$/);
    const key = `noisy alert ${id}`;
    expect((await send('POST', '', { keys: [key], press: 'merge' })).json).toMatchObject({
      done: 0,
      failed: [{}],
    });
    expect((await send('POST', '', { keys: [key], press: 'cooldown' })).json).toMatchObject({
      done: 1,
      failed: [],
    });
    expect((await alertsOf(app))[0]?.cooldown_minutes).toBe(30);
  });

  test('what is paused, deleted or kept is settled; a kept finding comes back after 90 days', async () => {
    const ids = [];
    for (const name of ['a', 'b', 'c'])
      ids.push((await addAlert(app, { name, logic_json: lastAbove(1000 + ids.length) })).id);
    age(40);
    const [a, b, c] = ids.map((id) => `silent alert ${id}`);
    expect(await kinds()).toEqual([a, b, c] as string[]);
    await send('POST', '', { keys: [a], press: 'pause' });
    await send('POST', '', { keys: [b], press: 'delete' });
    const kept = await send('POST', '', { keys: [c, 'silent alert 999'], press: 'keep' });
    expect(kept.json).toMatchObject({ done: 2, failed: [], review: { findings: [] } });
    expect((await alertsOf(app)).map(({ name, active }) => `${name} ${active}`)).toEqual([
      'a false',
      'c true',
    ]);
    expect((await send('POST', '/unkeep', { keys: [c] })).json.findings).toHaveLength(1);
    await send('POST', '', { keys: [c], press: 'keep' });
    const later = () => app.parts.alertReview.service.findings(userId).map(({ key }) => key);
    app.clock.advance(89 * DAY);
    expect(later()).toEqual([]);
    app.clock.advance(2 * DAY);
    expect(later()).toEqual([c] as string[]);
    expect(app.parts.alertReview.prune()).toEqual({ removed: 1, hasMore: false });
  });

  test('merges alerts that say the same: the oldest stays, and goes where the others went', async () => {
    await linkChat(app);
    const first = await addAlert(app, { name: 'first', destinations: { devices: 'all' } });
    await addAlert(app, { name: 'second', destinations: { telegram: true } });
    const { findings } = (await send('GET', '')).json;
    const double = findings.find(({ kind }) => kind === 'double');
    expect(double?.key).toBe('double alert 1, alert 2');
    const merged = await send('POST', '', { keys: [double?.key], press: 'merge' });
    expect(merged.json).toMatchObject({ done: 1, failed: [] });
    expect(await alertsOf(app)).toMatchObject([
      { id: first.id, name: 'first', destinations: { telegram: true, discord: false, devices: 'all' } },
    ]);
  });
});

test('the message of a week goes to who wants it, once over restarts, and not to others', async () => {
  const look = () =>
    new WeeklyReview({
      store: new ReviewStore(app.db),
      clock: app.clock,
      publicUrl: null,
      review: app.parts.alertReview.service,
      chatsOf: app.parts.linkedChats.service.confirmed,
      outbox: app.parts.outbox.service,
    }).look();
  const told = () => app.db.select().from(outbox).all();
  await linkChat(app);
  await addAlert(app);
  app.clock.advance(Date.parse('2026-11-27T22:59:00Z') - app.clock.now());
  age(40);
  look();
  await send('PUT', '/weekly', { weekly: true });
  look();
  expect(told()).toEqual([]);
  app.clock.advance(60_000);
  // Each is a new run.
  look();
  look();
  expect(told()).toHaveLength(1);
  expect(told()[0]?.message).toMatchObject({ title: '1 thing to look at among your alerts' });
  expect(new ReviewStore(app.db).untold('2026-11-28', 9)).toEqual([]);
  await send('PUT', '/weekly', { weekly: false });
  app.clock.advance(7 * DAY);
  look();
  expect(told()).toHaveLength(1);
});

describe('what is seen of stocks', () => {
  const look = () => {
    const watch = new PresenceWatch({ db: app.db, market: app.parts.market.service, source: app.source });
    watch.look();
    return watch;
  };
  /** Goes to 11:00 in Sydney on the next trading day; the source gives these. */
  function nextSession(...codes: string[]): void {
    do app.clock.advance(DAY);
    while (!isTradingDay(sydneyDate(app.clock.now())));
    const date = sydneyDate(app.clock.now());
    app.clock.advance(fromSydney(date, 11, 0) - app.clock.now());
    app.source.give(codes.map((code) => ({ code, name: `${code} LIMITED`, status: 'Open', last: 40 })));
    app.tick.run();
  }

  test('a stock that is missing on five trading days left the list, wherever the server was restarted', async () => {
    const { id } = await addAlert(app);
    nextSession('BHP', 'CBA');
    expect(look().of('BHP')).toMatchObject({ missingSince: null });
    app.parts.market.service.remove(['BHP']);
    for (let day = 0; day < 5; day += 1) {
      expect(await kinds()).toEqual([]);
      nextSession('CBA', 'XRO');
      look();
      look();
    }
    expect(await kinds()).toEqual([`left alert ${id}`]);
    app.source.give([{ code: 'BHX', name: 'BHP LIMITED', status: 'Open', last: 41 }]);
    app.tick.run();
    expect((await send('GET', '')).json.findings[0]?.text).toContain('BHX has the same company name now.');
  });

  test('nothing is concluded from a source that is down, or from a list cut short', async () => {
    await addAlert(app);
    nextSession('BHP', 'CBA');
    look();
    app.parts.market.service.remove(['BHP']);
    nextSession('CBA');
    expect(look().of('BHP')).toMatchObject({ missingDays: 0 });
    nextSession('CBA', 'XRO');
    app.source.setHealth({ healthy: false });
    expect(look().of('BHP')).toMatchObject({ missingDays: 0 });
  });
});
