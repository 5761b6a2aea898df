import { refusal } from './errors.ts';

const LIMIT = 1024 * 1024;

/** Reads its body piece by piece within a limit of its own, after it has checked the caller's key. */
const readsItself = (path: string): boolean => path === '/api/ingest/market';

const tooLarge = (): Response =>
  refusal(413, 'The request body is larger than the 1 MB that are allowed. Send less at once.', {
    // What was not read would otherwise be taken for the next request.
    connection: 'close',
  });

async function readWithin(body: ReadableStream<Uint8Array>): Promise<Uint8Array[] | null> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of body) {
    size += chunk.byteLength;
    if (size > LIMIT) return null;
    chunks.push(chunk);
  }
  return chunks;
}

/**
 * Holds a request to its body limit before anything reads it.
 *
 * @returns a request that is safe to handle, or the 413 to answer
 */
export async function limitBody(request: Request): Promise<Request | Response> {
  if (request.method === 'GET' || request.method === 'HEAD') return request;
  if (readsItself(URL.parse(request.url)?.pathname ?? '')) return request;
  const declared = request.headers.get('content-length');
  if (declared !== null) return Number(declared) > LIMIT ? tooLarge() : request;
  if (request.body === null) return request;
  // Sent in chunks, so nobody said how much will come.
  const chunks = await readWithin(request.body);
  if (chunks === null) return tooLarge();
  const { method, headers, signal } = request;
  return new Request(request.url, { method, headers, signal, body: new Blob(chunks as BlobPart[]) });
}
