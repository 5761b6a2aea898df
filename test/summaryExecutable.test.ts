import { afterAll, beforeAll, expect, test } from 'bun:test';
import { rm } from 'node:fs/promises';
import { fromSydney, sydneyDate } from '../src/domain/market/sydneyTime.ts';
import { previousTradingDay } from '../src/domain/market/tradingDay.ts';
import {
  executable,
  type Running,
  runBellbird,
  startBellbird,
  temporaryFolder,
} from './support/executable.ts';
import { type FakeAsx, startFakeAsx } from './support/fakeAsx.ts';
import { type FakeModel, startFakeModel } from './support/fakeModel.ts';
import { bombPdf } from './support/pdf.ts';
import { waitUntil } from './support/waitUntil.ts';

if (!(await Bun.file(executable).exists())) throw new Error('dist/bellbird is missing: run bun run build.');

const PASSWORD = 'a good password';
const INGEST_KEY = 'a key that only tests use';
const MODEL_KEY = 'a-model-key-that-only-tests-use';
const SUMMARY = 'Iron ore production rose 8 % to 64.2 million tonnes in the quarter, and guidance is kept.';
const HEADLINE = 'Iron ore production rose by eight percent to 64.2 million tonnes in the quarter';
const KEYS = { BHP: '2924-03000001-AAAAAAAAA', CBA: '2924-03000002-AAAAAAAAA' };

/** Noon of the trading day before today, by the machine's clock: shown at any time of any day. */
const noon = fromSydney(previousTradingDay(sydneyDate(Date.now())), 12, 0);

let asx: FakeAsx;
let front: Bun.Server<undefined>;
let model: FakeModel;
let bellbird: Running;
let token: string;

const post = (path: string, body: unknown): Promise<Response> =>
  fetch(`${bellbird.url}${path}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', authorization: token },
    body: JSON.stringify(body),
  });
const summarise = async (symbol: string): Promise<unknown> =>
  (await post('/api/data/news/summarise', { symbol })).json();

beforeAll(async () => {
  const items = Object.entries(KEYS).map(([symbol, documentKey]) => ({
    ...{ symbol, documentKey, headline: HEADLINE, date: new Date(noon).toISOString() },
    ...{ isPriceSensitive: true, announcementTypes: ['Quarterly Activities Report'], url: '' },
  }));
  asx = startFakeAsx({ items, now: () => Date.now() });
  const bomb = bombPdf(400);
  front = Bun.serve({
    hostname: '127.0.0.1',
    port: 0,
    fetch: ({ url }) =>
      url.endsWith(KEYS.CBA) ? new Response(bomb) : fetch(`${asx.url}${url.slice(url.indexOf('/', 8))}`),
  });
  model = startFakeModel({ key: MODEL_KEY });
  model.say(SUMMARY);
  const dataDir = await temporaryFolder();
  const env = {
    BELLBIRD_DATA: dataDir,
    BELLBIRD_FEED: 'ingest',
    BELLBIRD_INGEST_KEY: INGEST_KEY,
    BELLBIRD_NEWS: 'asx',
    BELLBIRD_ASX_URL: `http://127.0.0.1:${front.port}`,
    BELLBIRD_CALENDAR: 'off',
    BELLBIRD_AI_URL: model.url,
    BELLBIRD_AI_KEY: MODEL_KEY,
    BELLBIRD_AI_MODEL: 'm',
  };
  await runBellbird(['user', 'add', 'anna'], { env, stdin: `${PASSWORD}\n` });
  await runBellbird(['user', 'promote', 'anna'], { env });
  bellbird = await startBellbird({ env, dataDir });
  const login = await fetch(`${bellbird.url}/api/login`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ identifier: 'anna', password: PASSWORD }),
  });
  ({ accessToken: token } = (await login.json()) as { accessToken: string });
  const stocks = Object.keys(KEYS).map((code) => JSON.stringify({ code, name: code, last: 10 }));
  await fetch(`${bellbird.url}/api/ingest/market`, {
    method: 'POST',
    headers: { authorization: INGEST_KEY, 'content-type': 'application/x-ndjson' },
    body: stocks.join('\n'),
  });
  await waitUntil('the list being read', () => asx.requests.length > 0);
}, 60_000);
afterAll(async () => {
  await bellbird.stop();
  await rm(bellbird.dataDir, { recursive: true, force: true });
  await model.stop();
  await front.stop(true);
  await asx.stop();
});

/** Asks for a summary once its announcement is known, and waits until the model was asked. */
async function run(symbol: string): Promise<string> {
  const before = model.requests.length;
  let answer: unknown;
  for (let attempt = 0; attempt < 20; attempt += 1) {
    answer = await summarise(symbol);
    if (JSON.stringify(answer).includes('"success":true')) break;
    await Bun.sleep(250);
  }
  expect(answer).toMatchObject({ success: true, summary: null });
  await waitUntil('the model being asked', () => model.requests.length > before);
  return model.requests.at(-1)?.messages[1]?.content ?? '';
}

test('a document is read by the executable itself, and its summary kept', async () => {
  const sent = await run('BHP');
  // Once as the headline, once as the text of the document.
  expect(sent.split(HEADLINE).length - 1).toBe(2);
  let answer: unknown = null;
  for (let attempt = 0; attempt < 5; attempt += 1) {
    await Bun.sleep(100);
    answer = await summarise('BHP');
    if (JSON.stringify(answer).includes(SUMMARY)) break;
  }
  expect(answer).toMatchObject({ state: 'ready', summary: SUMMARY });
}, 60_000);

test('a document that blows up its reader leaves the server as it was', async () => {
  const statuses: number[] = [];
  let isOver = false;
  const looking = (async () => {
    for (; !isOver; await Bun.sleep(20)) statuses.push((await fetch(`${bellbird.url}/healthz`)).status);
  })();
  const sent = await run('CBA');
  isOver = true;
  await looking;
  expect(new Set(statuses)).toEqual(new Set([200]));
  expect(sent).toContain('There are only headlines of this company');
}, 60_000);

test('its log holds no key', () => {
  expect(bellbird.log()).not.toContain(MODEL_KEY);
});
