import { isRecord } from '#lib/json.ts';
import { createEventReader } from '#support/streamClient.ts';

export type Listed = { code: string; last: number };

export async function readListed(url: string): Promise<Listed[]> {
  const asking = new AbortController();
  const response = await fetch(url, { signal: asking.signal });
  const decoder = new TextDecoder();
  let listed: Listed[] | null = null;
  const read = createEventReader(({ event, data }) => {
    if (event !== 'snapshot' || !isRecord(data) || !isRecord(data['stocks'])) return;
    listed = Object.entries(data['stocks']).flatMap(([code, stock]) => {
      const last = isRecord(stock) ? (stock['last'] ?? stock['close']) : null;
      return typeof last === 'number' ? [{ code, last }] : [];
    });
  });
  for await (const chunk of response.body ?? []) {
    read(decoder.decode(chunk, { stream: true }));
    if (listed !== null) break;
  }
  asking.abort();
  return listed ?? [];
}
