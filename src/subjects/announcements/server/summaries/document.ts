import type { HttpClient, HttpFailure } from '#lib/httpClient/client.ts';
import { type PdfReading, pdfText } from './pdf/pdfText.ts';

const MAX_BYTES = 10 * 1024 * 1024;
const TIMEOUT_MS = 20_000;

/** A PDF may begin with a few other bytes. */
const HEADER_WITHIN = 1024;

/** Fewer letters are the page numbers of a scanned document. */
const MIN_LETTERS = 40;

/** The text of a document, or a note that says why there is none. */
type DocumentText = { text: string; note: null } | { text: null; note: string };

export type DocumentReader = (url: string | null, signal: AbortSignal) => Promise<DocumentText>;

const without = (why: string): DocumentText => ({
  text: null,
  note: `Made from the headlines only: ${why}.`,
});

function failureText(outcome: HttpFailure): string {
  if (outcome.kind === 'tooLarge') return 'the document is larger than 10 MB';
  if (outcome.kind === 'timeout') return 'the document did not arrive in time';
  return 'the document could not be fetched';
}

const isPdf = (bytes: Uint8Array): boolean =>
  new TextDecoder('latin1').decode(bytes.subarray(0, HEADER_WITHIN)).includes('%PDF-');

/** Fetches a PDF and extracts its text, both within limits. It never throws: the note says what failed. */
export function createDocumentReader(
  http: HttpClient,
  options: Omit<PdfReading, 'signal'> = {},
): DocumentReader {
  return async (url, signal) => {
    if (url === null) return without('there is no document');
    const outcome = await http.bytes({
      method: 'GET',
      url,
      endpoint: 'announcements/document',
      headers: { accept: 'application/pdf' },
      timeoutMs: TIMEOUT_MS,
      maxBytes: MAX_BYTES,
      signal,
    });
    if (outcome.kind !== 'ok') return without(failureText(outcome));
    if (!isPdf(outcome.body)) return without('the document is no PDF');
    const text = await pdfText(outcome.body, { ...options, signal });
    if (text === null) return without('the document could not be read');
    const letters = text.match(/\p{L}/gu)?.length ?? 0;
    return letters < MIN_LETTERS ? without('the document holds no text') : { text, note: null };
  };
}
