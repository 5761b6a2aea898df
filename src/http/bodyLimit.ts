import { refusal } from './errors.ts';

const MEBIBYTE = 1024 * 1024;

/** How large a request body may be, by path: market updates come in bulk, everything else is a form. */
export const bodyLimit = (path: string): number => (path.startsWith('/api/ingest/') ? 16 : 1) * MEBIBYTE;

const tooLarge = (limit: number): Response =>
  refusal(
    413,
    `The request body is larger than the ${limit / MEBIBYTE} MB that are allowed here. Send less at once.`,
    {
      // What was not read would otherwise be taken for the next request.
      connection: 'close',
    },
  );

const readWithin = async (body: ReadableStream<Uint8Array>, limit: number): Promise<Uint8Array[] | null> => {
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of body) {
    size += chunk.byteLength;
    if (size > limit) return null;
    chunks.push(chunk);
  }
  return chunks;
};

/**
 * Holds a request to its body limit before anything reads it.
 *
 * @returns a request that is safe to handle, or the 413 to answer
 */
export const limitBody = async (request: Request): Promise<Request | Response> => {
  if (request.method === 'GET' || request.method === 'HEAD') return request;
  const limit = bodyLimit(URL.parse(request.url)?.pathname ?? '');
  const declared = request.headers.get('content-length');
  if (declared !== null) return Number(declared) > limit ? tooLarge(limit) : request;
  if (request.body === null) return request;
  // Sent in chunks, so nobody said how much will come.
  const chunks = await readWithin(request.body, limit);
  if (chunks === null) return tooLarge(limit);
  const { method, headers, signal } = request;
  return new Request(request.url, { method, headers, signal, body: new Blob(chunks as BlobPart[]) });
};
