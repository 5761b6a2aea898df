import type { KeptAnnouncement } from '#subjects/announcements/rules/stockNews.ts';
import { sydneyDate } from '#market/rules/sydneyTime.ts';
import { type SummaryMaterial, summaryMessages, summaryText } from '#subjects/model/rules/summaryText.ts';
import { TOKEN_LIMIT } from '#subjects/model/rules/dailyLimit.ts';
import { failed, ok, type Result } from '#lib/result.ts';
import { type Model, type ModelAnswer, ModelError, type ModelUsage } from '#platform/model/model.ts';
import type { App } from '#platform/app.ts';
import type { DocumentReader } from './document.ts';
import { MAX_TEXT } from './pdf/pdfText.ts';

/** A local model on a small machine takes longer than the 30 s in the message. */
const TIMEOUT_MS = 120_000;

/** Characters for models with a small context: about 1,500 tokens, so that 4,096 are enough. */
const SHORT_TEXT = 6000;

/** @param note the source of the text if it is not the document */
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
    const message =
      'The model was stopped at its length limit before the summary was whole. Try again later.';
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
 * Reads the document of an announcement and lets the model summarise it, with less text if it is too long for the model.
 * @throws errors of neither the document nor the model
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
