import { afterEach, describe, expect, test } from 'bun:test';
import { type FakeFxStreet, fxItem, startFakeFxStreet } from '../../../support/fakeFxStreet.ts';
import { createTestApp, START, type TestApp } from '../../../support/testApp.ts';
import { waitUntil } from '../../../support/waitUntil.ts';

let fake: FakeFxStreet | null = null;
let app: TestApp | null = null;
afterEach(async () => {
  await app?.parts.calendar.stop();
  app?.close();
  await fake?.stop();
  fake = null;
  app = null;
});

const iso = (minutes: number): string => new Date(START + minutes * 60_000).toISOString();

/** An application that reads its calendar from a local server in FXStreet's place. */
async function begin(prepare: (server: FakeFxStreet) => void): Promise<TestApp> {
  fake = startFakeFxStreet({ now: () => START });
  prepare(fake);
  const env = {
    BELLBIRD_CALENDAR: 'fxstreet',
    BELLBIRD_FXSTREET_URL: fake.url,
    BELLBIRD_FOREXFACTORY_URL: fake.url,
  };
  app = createTestApp({ env });
  await app.parts.calendar.start();
  return app;
}

/** The first event of the data stream. */
async function firstOfStream(from: TestApp): Promise<unknown> {
  const response = await from.open('GET', '/api/data/stream');
  const reader = response.body?.getReader();
  const decoder = new TextDecoder();
  let text = '';
  while (!/\nevent: snapshot\n[^\n]{1,9999999}\n\n/.test(text)) {
    const { value } = (await reader?.read()) ?? {};
    if (!value) break;
    text += decoder.decode(value);
  }
  await reader?.cancel();
  return JSON.parse(text.match(/event: snapshot\ndata: ([^\n]{1,9999999})\n/)?.[1] ?? 'null');
}

describe('the calendar that the configuration names', () => {
  test('FXStreet: its events are in the stream, labelled, on the wall clock', async () => {
    const running = await begin((server) =>
      server.put(
        fxItem({ id: 'cpi', dateUtc: iso(30), name: 'CPI', volatility: 'HIGH', consensus: 2.4, unit: '%' }),
      ),
    );
    const { service } = running.parts.calendar;
    await waitUntil('the event', () => service.events().has('cpi'));
    running.tick.run();
    expect(await firstOfStream(running)).toMatchObject({
      meta: { calendar: { label: 'FXStreet', healthy: true, problem: null, onMarketClock: false } },
      fx: {
        data: { cpi: { id: 'cpi', name: 'CPI', currencyCode: 'AUD', volatility: 'HIGH', consensus: 2.4 } },
        lastUpdated: START,
      },
    });
    const answer = await running.request('PUT', '/api/calendar/reminders/cpi', {
      as: 'free',
      body: { before: true, figure: true },
    });
    expect(answer.status).toBe(200);
  });

  test('FXStreet, while it fails: the weekly file stands in, and says so', async () => {
    const running = await begin((server) => {
      server.setFault({ kind: 'status', status: 403 });
      server.setWeek([
        {
          title: 'CPI y/y',
          country: 'AUD',
          date: iso(30),
          impact: 'High',
          forecast: '2.4%',
          previous: '2.5%',
        },
      ]);
    });
    const { service } = running.parts.calendar;
    await waitUntil('the weekly file', () => service.events().size === 1);
    running.tick.run();
    expect(service.info()?.label).toBe('ForexFactory');
    expect([...service.events().values()]).toMatchObject([
      { name: 'CPI y/y', currencyCode: 'AUD', consensus: 2.4 },
    ]);
  });

  test('the simulated one keeps the market’s time, and is there from the first moment', async () => {
    app = createTestApp();
    await app.parts.calendar.start();
    const { service } = app.parts.calendar;
    expect(service.info()).toMatchObject({ label: 'Simulated', healthy: true, onMarketClock: true });
    expect(service.today('Australia/Sydney').length).toBeGreaterThan(10);
  });

  test('switched off there is none', async () => {
    app = createTestApp({ env: { BELLBIRD_CALENDAR: 'off' } });
    await app.parts.calendar.start();
    app.tick.run();
    expect(app.parts.calendar.service.info()).toBeNull();
    expect(await firstOfStream(app)).toMatchObject({
      meta: { calendar: null },
      fx: { data: {}, lastUpdated: null },
    });
  });
});
