import { Database } from 'bun:sqlite';
import { afterEach, beforeEach, expect, test } from 'bun:test';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { newsFor } from '../../src/market/rules/announcements.ts';
import { sessionAt } from '../../src/market/rules/session.ts';
import { fromSydney } from '../../src/market/rules/sydneyTime.ts';
import { readStocks } from '../../src/market/rules/applyDelta.ts';
import type { Snapshot } from '../../src/market/rules/stream.ts';
import { anItem } from '../support/asxStage.ts';
import { needExecutable, type Running, startBellbird, temporaryFolder } from '../support/executable.ts';
import { type FakeAsx, startFakeAsx } from '../support/fakeAsx.ts';
import { type FakeFxStreet, startFakeFxStreet } from '../support/fakeFxStreet.ts';
import { openStreamClient } from '../support/streamClient.ts';
import { isSnapshot } from '../support/streamEvents.ts';
import { waitUntil } from '../support/waitUntil.ts';

await needExecutable();

const KEY = 'a key that only tests use';
const MINUTE = 60_000;

let dataDir: string;
let asx: FakeAsx;
let fxstreet: FakeFxStreet;
let bellbird: Running | null = null;

/** A moment of the session that is shown, not in the future. */
function inSession(now: number): number {
  const { date, since } = sessionAt(now);
  return Math.max(since, Math.min(now - MINUTE, fromSydney(date, 12, 0)));
}
const iso = (time: number): string => new Date(time).toISOString();

beforeEach(async () => {
  dataDir = await temporaryFolder();
  asx = startFakeAsx({ now: Date.now });
  fxstreet = startFakeFxStreet({ now: Date.now });
});
afterEach(async () => {
  await bellbird?.stop();
  bellbird = null;
  await asx.stop();
  await fxstreet.stop();
  await rm(dataDir, { recursive: true, force: true });
});

async function run(): Promise<Running> {
  bellbird = await startBellbird({
    dataDir,
    env: {
      ...{ BELLBIRD_FEED: 'ingest', BELLBIRD_INGEST_KEY: KEY, BELLBIRD_TICK_MS: '100' },
      ...{ BELLBIRD_NEWS: 'asx', BELLBIRD_ASX_URL: `${asx.url}/` },
      ...{ BELLBIRD_CALENDAR: 'fxstreet', BELLBIRD_FXSTREET_URL: fxstreet.url },
      BELLBIRD_FOREXFACTORY_URL: fxstreet.url,
    },
  });
  const sent = await fetch(`${bellbird.url}/api/ingest/market`, {
    method: 'POST',
    headers: { authorization: KEY, 'content-type': 'application/json' },
    body: JSON.stringify([{ code: 'BHP', name: 'BHP', last: 42, close: 41 }]),
  });
  expect(sent.status).toBe(200);
  return bellbird;
}

/** The first snapshot that a page gets which is as it should be. */
async function snapshotWhen({ port }: Running, isSo: (snapshot: Snapshot) => boolean): Promise<Snapshot> {
  for (let tries = 0; tries < 240; tries += 1) {
    const client = openStreamClient(port, '/api/data/stream');
    await client.until(({ events }) => events.length > 0);
    const data = client.events[0]?.data;
    client.leave();
    if (isSnapshot(data) && isSo(data)) return data;
    await Bun.sleep(250);
  }
  throw new Error('No snapshot came to be as it should.');
}

function keptEvents(): number {
  using db = new Database(join(dataDir, 'bellbird.db'), { readonly: true });
  return db.query<{ count: number }, []>('SELECT count(*) AS count FROM calendar_events').get()?.count ?? 0;
}

const headlines = ({ stocks, meta }: Snapshot): string[] => {
  const stock = readStocks(stocks).get('BHP') ?? {};
  return newsFor(stock, meta.dateToday).todayItems.map(({ headline }) => headline);
};

test('announcements and events of local servers reach a page, and stay over a kill while both fail', async () => {
  const now = Date.now();
  asx.add(anItem(iso(inSession(now)), { headline: 'Trading Halt', isPriceSensitive: true }));
  fxstreet.put({
    id: 'rate',
    dateUtc: iso(now + 60 * MINUTE),
    name: 'Interest Rate Decision',
    volatility: 'HIGH',
  });
  const first = await run();
  // The list's first page is shown before the last one is read, with which the source is well.
  const snapshot = await snapshotWhen(
    first,
    ({ meta, fx }) => meta.announcements?.healthy === true && 'rate' in fx.data,
  );
  expect(headlines(snapshot)).toEqual(['Trading Halt']);
  expect(snapshot.meta.announcements).toMatchObject({ label: 'ASX', healthy: true, problem: null });
  expect(snapshot.meta.calendar).toMatchObject({ label: 'FXStreet', healthy: true, problem: null });
  // Events are written with the tick after they came, and a page may be quicker.
  await waitUntil('the event being kept', () => keptEvents() > 0);
  await first.stop('SIGKILL');

  asx.setFault({ kind: 'html' });
  fxstreet.setFault({ kind: 'status', status: 401 });
  fxstreet.setWeekFault({ kind: 'status', status: 429 });
  const second = await run();
  const areFailing = ({ announcements, calendar }: Snapshot['meta']): boolean =>
    [announcements, calendar].every((info) => info?.problem?.includes('Next try in') ?? false);
  // What is kept of a stock comes with the tick after its first price.
  const after = await snapshotWhen(second, (one) => areFailing(one.meta) && headlines(one).length > 0);
  expect(headlines(after)).toEqual(['Trading Halt']);
  expect(Object.keys(after.fx.data)).toEqual(['rate']);
  expect(after.meta.announcements?.problem).toStartWith(
    'ASX sent something else than a list of announcements.',
  );
  expect(after.meta.calendar?.problem).toStartWith('FXStreet refuses the request (HTTP 401).');
  expect(await second.stop()).toBe(0);
});

test('without FXStreet the weekly file shows under its own name', async () => {
  asx.add(anItem(iso(Date.now() - MINUTE)));
  fxstreet.setFault({ kind: 'status', status: 401 });
  fxstreet.setWeek([
    {
      ...{ title: 'Employment Change', country: 'AUD', date: iso(Date.now()), impact: 'High' },
      ...{ forecast: '66K', previous: '50K' },
    },
  ]);
  const running = await run();
  const { fx, meta } = await snapshotWhen(running, (one) => Object.keys(one.fx.data).length > 0);
  expect(Object.values(fx.data)).toEqual([
    expect.objectContaining({ name: 'Employment Change', countryCode: 'AU', consensus: 66, potency: 'K' }),
  ]);
  expect(meta.calendar).toMatchObject({ label: 'ForexFactory', healthy: false });
});
