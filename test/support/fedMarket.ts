import { expect } from 'bun:test';

const KEY = 'a key of the stories';

/** A server whose market is fed by the test, with a tick every 200 ms. */
export const FED = { BELLBIRD_FEED: 'ingest', BELLBIRD_INGEST_KEY: KEY, BELLBIRD_TICK_MS: '200' };

/** Figures of a stock by the names that a broker bridge sends. */
export type FedStock = { code: string; [member: string]: unknown };

/** Sends lines of a broker bridge: trading stocks unless stated otherwise. They are not shares, so seeding finds no history for them. */
export async function feed(url: string, ...stocks: FedStock[]): Promise<void> {
  const lines = stocks.map((stock) =>
    JSON.stringify({ name: `${stock.code} LIMITED`, status: 'Open', securityType: 'other', ...stock }),
  );
  const response = await fetch(`${url}/api/ingest/market`, {
    method: 'POST',
    headers: { authorization: KEY, 'content-type': 'application/x-ndjson' },
    body: lines.join('\n'),
  });
  expect({ status: response.status, text: await response.text() }).toMatchObject({ status: 200 });
}
