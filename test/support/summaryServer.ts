import { rm } from 'node:fs/promises';
import { fromSydney, sydneyDate } from '#lib/sydneyTime.ts';
import { previousTradingDay } from '#market/rules/tradingDay.ts';
import { addBoss, logInBoss, post, startBellbird, temporaryFolder } from './executable.ts';
import { startFakeAsx } from './fakeAsx.ts';
import { startFakeModel } from './fakeModel.ts';
import { waitUntil } from './waitUntil.ts';

const MODEL_KEY = 'a-model-key-that-only-tests-use';
export const HEADLINE = 'Iron ore production rose by eight percent to 64.2 million tonnes in the quarter';
const INGEST_KEY = 'a key that only tests use';

/** A document’s reader yields to everything else, and has a minute by the clock. */
const READING_MS = 70_000;

/** Noon of the trading day before today, by the machine’s clock: shown at any time of any day. */
const noon = (): number => fromSydney(previousTradingDay(sydneyDate(Date.now())), 12, 0);

type Documents = Readonly<Record<string, Uint8Array<ArrayBuffer> | null>>;

/** The lists come from the exchange; by default a document is the headline on one page. */
function serveExchange(documents: Documents) {
  const items = Object.keys(documents).map((symbol, at) => ({
    symbol,
    documentKey: `2924-0300000${at}-A${symbol}`,
    headline: HEADLINE,
    date: new Date(noon()).toISOString(),
    isPriceSensitive: true,
    url: '',
    announcementTypes: ['Quarterly Activities Report'],
  }));
  const asx = startFakeAsx({ items, now: () => Date.now() });
  const front = Bun.serve({
    hostname: '127.0.0.1',
    port: 0,
    fetch: ({ url }) => {
      const symbol = items.find(({ documentKey }) => url.endsWith(documentKey))?.symbol ?? '';
      const own = documents[symbol];
      return own ? new Response(own) : fetch(`${asx.url}${url.slice(url.indexOf('/', 8))}`);
    },
  });
  return {
    url: `http://127.0.0.1:${front.port}`,
    isRead: () => asx.requests.length > 0,
    stop: async () => {
      await front.stop(true);
      await asx.stop();
    },
  };
}

/**
 * The built executable with a local exchange, a local model, an administrator, and stocks with an announcement each.
 * @param documents by stock; null is a document of one line
 */
export async function startSummaryServer(documents: Documents) {
  const exchange = serveExchange(documents);
  const model = startFakeModel({ key: MODEL_KEY });
  const dataDir = await temporaryFolder();
  const env = {
    BELLBIRD_DATA: dataDir,
    BELLBIRD_FEED: 'ingest',
    BELLBIRD_INGEST_KEY: INGEST_KEY,
    BELLBIRD_NEWS: 'asx',
    BELLBIRD_ASX_URL: exchange.url,
    BELLBIRD_CALENDAR: 'off',
    BELLBIRD_AI_URL: model.url,
    BELLBIRD_AI_KEY: MODEL_KEY,
    BELLBIRD_AI_MODEL: 'm',
  };
  await addBoss(dataDir);
  const { url, stop } = await startBellbird({ env, dataDir });
  const token = await logInBoss(url);
  const stocks = Object.keys(documents).map((code) => ({ code, name: code, last: 10 }));
  await fetch(`${url}/api/ingest/market`, {
    method: 'POST',
    headers: { authorization: INGEST_KEY, 'content-type': 'application/x-ndjson' },
    body: stocks.map((stock) => JSON.stringify(stock)).join('\n'),
  });
  await waitUntil('the list to be read', exchange.isRead);

  const summarise = async (symbol: string): Promise<unknown> =>
    (await post(`${url}/api/data/news/summarise`, { symbol }, token)).json();
  return {
    url,
    model,
    summarise,
    /** Requests the summary of a stock and waits until the model was asked. @returns the model’s input */
    async run(symbol: string): Promise<string> {
      const before = model.requests.length;
      let answer = '';
      // The announcement may not be assigned yet.
      for (let attempt = 0; attempt < 200 && !answer.includes('"success":true'); attempt += 1) {
        if (attempt > 0) await Bun.sleep(250);
        answer = JSON.stringify(await summarise(symbol));
      }
      const isAsked = (): boolean => model.requests.length > before;
      await waitUntil(`the model to be asked after ${answer}`, isAsked, READING_MS);
      return model.requests.at(-1)?.messages[1]?.content ?? '';
    },
    async stop(): Promise<void> {
      await stop();
      await model.stop();
      await exchange.stop();
      await rm(dataDir, { recursive: true, force: true });
    },
  };
}

export type SummaryServer = Awaited<ReturnType<typeof startSummaryServer>>;
