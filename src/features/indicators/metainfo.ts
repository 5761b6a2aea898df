/** `reason` completes the sentence "TradingView's list …". */
export type MetainfoResult = { kind: 'body'; body: unknown } | { kind: 'failed'; reason: string };
export type Metainfo = () => Promise<MetainfoResult>;

type Fetch = (url: string, init: RequestInit) => Promise<Response>;

const TIMEOUT_MS = 20_000;
/** The real list has 0.5 MB. */
const MAX_BYTES = 16 * 1024 * 1024;

async function readLimited(response: Response): Promise<string | null> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of response.body ?? []) {
    size += chunk.byteLength;
    if (size > MAX_BYTES) return null;
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString('utf8');
}

async function get(url: string, fetch: Fetch): Promise<MetainfoResult> {
  const response = await fetch(url, {
    redirect: 'manual',
    signal: AbortSignal.timeout(TIMEOUT_MS),
    headers: {
      accept: 'application/json',
      origin: 'https://www.tradingview.com',
      referer: 'https://www.tradingview.com/',
    },
  });
  if (response.status !== 200) return { kind: 'failed', reason: `came with HTTP status ${response.status}` };
  const text = await readLimited(response);
  if (text === null) return { kind: 'failed', reason: 'is larger than any real one' };
  try {
    return { kind: 'body', body: JSON.parse(text) };
  } catch {
    return { kind: 'failed', reason: 'is not valid JSON' };
  }
}

/**
 * Asks the platform for its list of columns. Without the configured cookie: the list is public.
 * @param base address of the scanner, e.g. https://scanner.tradingview.com
 * @returns a function that never rejects
 */
export const createMetainfo =
  (base: string, fetch: Fetch = globalThis.fetch): Metainfo =>
  async () => {
    const url = `${base.trim().replace(/\/+$/, '')}/australia/metainfo`;
    try {
      return await get(url, fetch);
    } catch (error) {
      const timedOut = error instanceof DOMException && error.name === 'TimeoutError';
      return { kind: 'failed', reason: timedOut ? 'did not come in time' : 'could not be fetched' };
    }
  };
