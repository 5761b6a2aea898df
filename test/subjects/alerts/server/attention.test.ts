import { beforeEach, describe, expect, test } from 'bun:test';
import { keptCheckResults, linkedChats, outbox } from '#src/tables/alertSchema.ts';
import { fromSydney, sydneyDate } from '#lib/sydneyTime.ts';
import { isTradingDay } from '#market/rules/tradingDay.ts';
import { PresenceWatch, WeeklyMessages } from '#subjects/alerts/server/attention/index.ts';
import { AttentionStore } from '#subjects/alerts/server/attention/store.ts';
import { addAlert, linkChat } from '#support/alertsApp.ts';
import { list } from '#support/callsApp.ts';
import { storeTrigger } from '#support/aTrigger.ts';
import { eachApp } from '#support/eachApp.ts';

const DAY = 24 * 3_600_000;
const app = eachApp();
let userId: number;
beforeEach(async () => {
  list(app);
  userId = (await app.user('free')).id;
});

type View = { reasons: { key: string; kind: string; text: string }[]; weekly: boolean };

async function send(method: string, path: string, body?: unknown) {
  const answer = await app.request(method, `/api/alerts/attention${path}`, { as: 'free', body });
  return { status: answer.status, json: answer.json as View };
}
const keys = async (): Promise<string[]> => (await send('GET', '')).json.reasons.map(({ key }) => key);
const dismiss = (key: string, dismissed = true) => send('PUT', '/dismissed', { keys: [key], dismissed });
function fire(alertId: number, times: number, daysAgo = 0): void {
  const at = app.clock.now() - daysAgo * DAY;
  for (let n = 0; n < times; n += 1) storeTrigger(app.db, { alertId, triggeredAt: at - n });
}

describe('alerts that need attention', () => {
  test('include only those of the user', async () => {
    const { id } = await addAlert(app);
    fire(id, 21);
    expect((await app.request('GET', '/api/alerts/attention', {})).status).toBe(401);
    const others = await app.request('GET', '/api/alerts/attention', { as: 'premium' });
    expect(others.json).toMatchObject({ reasons: [], weekly: false });
    const body = { keys: [`noisy alert ${id}`], dismissed: true };
    await app.request('PUT', '/api/alerts/attention/dismissed', { as: 'premium', body });
    expect(app.db.select().from(keptCheckResults).all()).toEqual([]);
    expect(await keys()).toEqual([`noisy alert ${id}`]);
  });

  test('include those that fire too often while they are on', async () => {
    const { id } = await addAlert(app);
    fire(id, 25);
    fire(id, 31, 1);
    expect((await send('GET', '')).json.reasons).toMatchObject([
      {
        key: `noisy alert ${id}`,
        text: 'Fires too often: 25 to 31 times a day on 2 of the last 7 days.',
        cooldown: 30,
      },
    ]);
    await app.request('PATCH', `/api/alerts/${id}`, { as: 'free', body: { active: false } });
    expect(await keys()).toEqual([]);
  });

  test('include undelivered ones and duplicates', async () => {
    await linkChat(app);
    await addAlert(app, { name: 'first', destinations: { telegram: true } });
    await addAlert(app, { name: 'second' });
    expect(await keys()).toEqual(['double alert 1, alert 2']);
    app.db.update(linkedChats).set({ brokenAt: 1, brokenReason: 'The bot was blocked.' }).run();
    expect(await keys()).toEqual(['broken telegram alert 1', 'double alert 1, alert 2']);
  });

  test('are omitted for 90 days after a dismissal', async () => {
    const { id } = await addAlert(app);
    const key = `noisy alert ${id}`;
    fire(id, 21);
    expect((await dismiss(key)).status).toBe(200);
    expect(await keys()).toEqual([]);
    await dismiss(key, false);
    expect(await keys()).toEqual([key]);
    await dismiss(key);
    const later = (days: number) => {
      app.clock.advance(days * DAY);
      fire(id, 21);
      return app.parts.alertAttention.service.reasons(userId).map((one) => one.key);
    };
    expect(later(89)).toEqual([]);
    expect(later(2)).toEqual([key]);
    expect(app.parts.alertAttention.prune()).toEqual({ removed: 1, hasMore: false });
  });
});

test('are in a weekly message, sent once over restarts to users who want it', async () => {
  const check = () =>
    new WeeklyMessages(app.services, new AttentionStore(app.db), app.parts.alertAttention.service).check();
  const messages = () => app.db.select().from(outbox).all();
  await linkChat(app);
  await addAlert(app);
  await addAlert(app, { name: 'Again' });
  app.clock.advance(Date.parse('2026-11-27T22:59:00Z') - app.clock.now());
  check();
  await send('PUT', '/weekly', { weekly: true });
  check();
  expect(messages()).toEqual([]);
  app.clock.advance(60_000);
  // Each one starts a new process.
  check();
  check();
  expect(messages()).toHaveLength(1);
  expect(messages()[0]?.message).toMatchObject({
    title: '1 alert needs attention',
    lines: ['BHP Again: Duplicate of the older alert BHP Breakout.'],
  });
  expect(new AttentionStore(app.db).notNotified('2026-11-28', 9)).toEqual([]);
  await send('PUT', '/weekly', { weekly: false });
  app.clock.advance(7 * DAY);
  check();
  expect(messages()).toHaveLength(1);
});

describe('the memory of stocks', () => {
  const check = () => {
    const watch = new PresenceWatch(app.services);
    watch.check();
    return watch;
  };
  /** Advances to 11:00 in Sydney on the next trading day, with these codes in the source. */
  function nextSession(...codes: string[]): void {
    do app.clock.advance(DAY);
    while (!isTradingDay(sydneyDate(app.clock.now())));
    const date = sydneyDate(app.clock.now());
    app.clock.advance(fromSydney(date, 11, 0) - app.clock.now());
    app.source.apply(codes.map((code) => ({ code, name: `${code} LIMITED`, status: 'Open', last: 40 })));
    app.tick.run();
  }

  test('a stock missing on five trading days is delisted, even across restarts', async () => {
    const { id } = await addAlert(app);
    nextSession('BHP', 'CBA');
    expect(check().of('BHP')).toMatchObject({ missingSince: null });
    app.parts.market.service.remove(['BHP']);
    for (let day = 0; day < 5; day += 1) {
      expect(await keys()).toEqual([]);
      nextSession('CBA', 'XRO');
      check();
      check();
    }
    expect(await keys()).toEqual([`left alert ${id}`]);
    app.source.apply([{ code: 'BHX', name: 'BHP LIMITED', status: 'Open', last: 41 }]);
    app.tick.run();
    expect((await send('GET', '')).json.reasons[0]?.text).toContain('BHX now has the same company name.');
  });

  test('draws no conclusion from a broken source or a truncated list', async () => {
    await addAlert(app);
    nextSession('BHP', 'CBA');
    check();
    app.parts.market.service.remove(['BHP']);
    nextSession('CBA');
    expect(check().of('BHP')).toMatchObject({ missingDays: 0 });
    nextSession('CBA', 'XRO');
    app.source.setHealth({ healthy: false });
    expect(check().of('BHP')).toMatchObject({ missingDays: 0 });
  });
});
