import { post, type Running } from '#support/executable.ts';
import { type Listed, readListed } from './listed.ts';

const STOCKS_AT_LEAST = 1000;

/**
 * Alerts at price levels three to ten percent away, each on its own stock; every fifth is persistent. Stocks of a few
 * cents are skipped, because for them that is less than a price step.
 */
const alertOf = ({ code, last }: Listed, index: number) => ({
  symbol: code,
  name: `Level ${index}`,
  persistent: index % 5 === 0,
  logic_json: {
    op: 'AND',
    conditions: [
      {
        lhs: { type: 'field', key: 'last' },
        op: index % 2 === 0 ? 'crosses_above' : 'crosses_below',
        rhs: {
          type: 'number',
          value: Number((last * (index % 2 === 0 ? 1.03 + index / 700 : 0.97 - index / 700)).toFixed(3)),
        },
      },
    ],
  },
});

export async function addLevelAlerts({ url }: Running, count: number): Promise<void> {
  const seeded = await post(`${url}/api/test/seed`, { username: 'free' });
  const { accessToken } = (await seeded.json()) as { accessToken: string };
  const listed = await untilListed(`${url}/api/data/stream`);
  const step = Math.floor(listed.length / count);
  // The demo account already has some alerts, which count towards the limit.
  const own = await fetch(`${url}/api/alerts`, { headers: { authorization: accessToken } });
  const { alerts } = (await own.json()) as { alerts: unknown[] };
  for (let index = alerts.length; index < count; index += 1) {
    const stock = listed[index * step];
    if (!stock) continue;
    const answer = await post(`${url}/api/alerts`, alertOf(stock, index), accessToken);
    if (!answer.ok) throw new Error(`An alert was answered ${answer.status}: ${await answer.text()}`);
  }
}

/** Waits for the market, which is filled in slices after the start. */
async function untilListed(stream: string): Promise<Listed[]> {
  for (let attempt = 0; attempt < 60; attempt += 1) {
    const listed = await readListed(stream);
    if (listed.length >= STOCKS_AT_LEAST) return listed;
    await Bun.sleep(500);
  }
  throw new Error('The market was not filled within half a minute.');
}
