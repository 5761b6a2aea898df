import type { HttpClient, HttpFailure } from '#lib/httpClient/client.ts';
import { type PdfReading, pdfText } from './pdf/pdfText.ts';

const MAX_BYTES = 10 * 1024 * 1024;
const TIMEOUT_MS = 20_000;

/** A PDF may begin with something else, but not with much of it. */
const HEADER_WITHIN = 1024;

/** Fewer letters are the page numbers of a document that was scanned. */
const MIN_LETTERS = 40;

/** What was read of an announcement's document; `note` says why it could not be. */
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

/** Reads documents: fetches a PDF and takes out its text, both within limits. It never fails: the note says what is missing. */
export function createDocumentReader(
  http: Pick<HttpClient, 'bytes'>,
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
