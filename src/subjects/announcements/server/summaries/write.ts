import type { HttpClient, HttpFailure } from '#lib/httpClient/client.ts';
import { type PdfReading, pdfText, MAX_TEXT } from './pdf/pdfText.ts';
import type { KeptAnnouncement } from '#subjects/announcements/rules/stockNews.ts';
import { sydneyDate } from '#lib/sydneyTime.ts';
import { type SummaryMaterial, summaryMessages, summaryText } from '#subjects/model/rules/summaryText.ts';
import { TOKEN_LIMIT } from '#subjects/model/rules/dailyLimit.ts';
import { failed, ok, type Result } from '#lib/result.ts';
import { type Model, type ModelAnswer, ModelError, type ModelUsage } from '#platform/model/model.ts';
import type { App } from '#platform/app.ts';

const MAX_BYTES = 10 * 1024 * 1024;
const FETCH_TIMEOUT_MS = 20_000;

/** A PDF may start with a few other bytes, so its header is searched within this number. */
const HEADER_WITHIN = 1024;

/** A text with fewer letters is only the page numbers of a scanned document. */
const MIN_LETTERS = 40;

type DocumentText = { text: string; note: null } | { text: null; note: string };

export type DocumentReader = (url: string | null, signal: AbortSignal) => Promise<DocumentText>;

const without = (why: string): DocumentText => ({
  text: null,
  note: `Based on the headlines only: ${why}.`,
});

function failureText(outcome: HttpFailure): string {
  if (outcome.kind === 'tooLarge') return 'the document is larger than 10 MB';
  if (outcome.kind === 'timeout') return 'the document did not arrive in time';
  return 'the document could not be fetched';
}

const isPdf = (bytes: Uint8Array): boolean =>
  new TextDecoder('latin1').decode(bytes.subarray(0, HEADER_WITHIN)).includes('%PDF-');

/** Fetches a PDF and extracts its text, both within limits. It never throws; the note says what failed. */
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
      timeoutMs: FETCH_TIMEOUT_MS,
      maxBytes: MAX_BYTES,
      signal,
    });
    if (outcome.kind !== 'ok') return without(failureText(outcome));
    if (!isPdf(outcome.body)) return without('the document is not a PDF');
    const text = await pdfText(outcome.body, { ...options, signal });
    if (text === null) return without('the document could not be read');
    const letters = text.match(/\p{L}/gu)?.length ?? 0;
    return letters < MIN_LETTERS ? without('the document contains no text') : { text, note: null };
  };
}

/** Time limit, ms. A local model on a small machine takes longer than the 30 s in the message. */
const TIMEOUT_MS = 120_000;

/** Number of characters for models with a small context: about 1,500 tokens, so that a context of 4,096 is enough. */
const SHORT_TEXT = 6000;

/** @param note names the source of the text if it is not the document */
export type Written = { text: string; note: string | null };

/** Result and cost of a run. `isLasting` marks a failure that the same document would cause again. */
export type RunResult = {
  outcome: Result<Written, { message: string; isLasting: boolean }>;
  usage: ModelUsage;
};

function headlines({ announcements }: App, code: string): string {
  const { today, previous } = announcements.newsOf(code);
  const items = [today, previous].flatMap((day) => Object.values(day?.announcements ?? {}));
  const lines = items
    .sort((a, b) => (a.time < b.time ? 1 : -1))
    .map(
      (item) =>
        `${item.headline} (${[...item.announcementTypes, sydneyDate(Date.parse(item.time))].join(', ')})`,
    );
  return ['There are only headlines of this company’s announcements:', ...lines].join('\n');
}

function checked(answer: ModelAnswer, mark: string, note: string | null): RunResult {
  const { usage } = answer;
  if (answer.finish === 'length') {
    const message = 'The model reached its length limit before the summary was complete. Try again later.';
    return { outcome: failed({ message, isLasting: false }), usage };
  }
  const text = summaryText(answer.text, mark);
  return text.ok
    ? { outcome: ok({ text: text.value, note }), usage }
    : { outcome: failed({ message: text.error, isLasting: true }), usage };
}

/** Requests a summary of the first `length` characters. @throws ModelError */
async function asked(app: App, model: Model, material: SummaryMaterial, length: number, signal: AbortSignal) {
  const mark = app.randomToken();
  const messages = summaryMessages(material, mark, length);
  const answer = await model.complete({
    messages,
    maxTokens: TOKEN_LIMIT.summary,
    timeoutMs: TIMEOUT_MS,
    signal,
  });
  return { answer, mark };
}

/**
 * Reads the document of an announcement and has the model summarise it, with less text if it is too long for the model.
 * @throws errors that concern neither the document nor the model
 */
export async function writeSummary(
  app: App,
  { model, readDocument }: { model: Model; readDocument: DocumentReader },
  announcement: KeptAnnouncement,
  signal: AbortSignal,
): Promise<RunResult> {
  const { code, headline, date } = announcement;
  const { text, note } = await readDocument(announcement.document, signal);
  const material = {
    code,
    headline,
    date,
    companyName: app.market.get(code)?.name ?? code,
    text: text ?? headlines(app, code),
  };
  try {
    const { answer, mark } = await asked(app, model, material, MAX_TEXT, signal).catch((error: unknown) => {
      if (error instanceof ModelError && error.kind === 'tooLong')
        return asked(app, model, material, SHORT_TEXT, signal);
      throw error;
    });
    return checked(answer, mark, note);
  } catch (error) {
    if (!(error instanceof ModelError)) throw error;
    const isLasting = error.kind === 'refused' || error.kind === 'tooLong';
    return {
      outcome: failed({ message: error.message, isLasting }),
      usage: error.usage,
    };
  }
}
