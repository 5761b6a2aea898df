import type { Inspection } from '#lib/inspection.ts';
import type { App, Part } from '#platform/app.ts';
import { serve } from '#platform/http/routes.ts';
import { CONDITIONS } from '../contract.ts';
import type { Wire } from '#lib/contract/fields.ts';
import { AppError, refusedFor } from '#platform/http/errors.ts';
import { createUserLimit, type UserLimit } from '#platform/http/requestLimits.ts';
import { type Model, type ModelAnswer, ModelError } from '#platform/model/model.ts';
import { MODEL_BUSY, MODEL_STOPPING, modelRefusal } from '#platform/model/refusal.ts';
import { TOKEN_LIMIT } from '#subjects/model/rules/dailyLimit.ts';
import type { ModelUser } from '#subjects/model/server/index.ts';
import type { phraseAnswer } from '../answers/logic.ts';
import { ALERT_LOGIC, SCAN_LOGIC } from '../rules/condition.ts';
import { phraseMessages, readModelAnswer } from '../rules/phrases/model.ts';
import type { PhraseContext } from '../rules/phrases/value.ts';

const TIMEOUT_MS = 60_000;
/** The limit is for all users, because no user waits long for a phrase. */
const AT_ONCE = 2;
/** Limits per user. Failures do not count against the day, but against the minute, because they cost tokens. */
const MAX_A_MINUTE = 6;
const RETRY_AFTER_SECONDS = 20;

const NO_MODEL = 'This server has no AI model.';
const STILL_READING = 'The model is still reading your last phrase.';

type AskedPhrase = {
  text: string;
  pieces: readonly string[];
  kind: 'scan' | 'alert';
};
type ReadByModel = Wire<typeof phraseAnswer>;

/** Lets a model read phrases that the grammar does not understand. Stores nothing. */
class PhraseReader {
  readonly #countRequest: UserLimit;
  readonly #reading = new Map<number, Promise<unknown>>();
  readonly #stopping = new AbortController();

  constructor(private readonly app: App) {
    this.#countRequest = createUserLimit(app.clock, MAX_A_MINUTE, 'Too many phrases for the model.');
  }

  /** @throws AppError 400 without a model; 429 with the time to wait; 502 to 504 if the model fails */
  async read(user: ModelUser, asked: AskedPhrase, signal: AbortSignal): Promise<ReadByModel> {
    const { model, modelUse } = this.app;
    if (!model) throw new AppError(400, NO_MODEL);
    if (this.#stopping.signal.aborted) throw new AppError(503, MODEL_STOPPING);
    this.#countRequest(user.id);
    if (this.#reading.has(user.id)) throw refusedFor(RETRY_AFTER_SECONDS, 429, STILL_READING);
    if (this.#reading.size >= AT_ONCE) throw refusedFor(RETRY_AFTER_SECONDS, 429, MODEL_BUSY);
    modelUse.admit(user, 'question');
    const reading = this.#ask(model, user.id, asked, signal);
    this.#reading.set(user.id, reading);
    try {
      return await reading;
    } finally {
      this.#reading.delete(user.id);
    }
  }

  /** Aborts running requests. Resolves when their cost is stored. */
  async stop(): Promise<void> {
    this.#stopping.abort();
    await Promise.allSettled(this.#reading.values());
  }

  counts(): { running: number } {
    return { running: this.#reading.size };
  }

  #context(kind: AskedPhrase['kind']): PhraseContext {
    const {
      indicators: { catalog },
      market,
    } = this.app;
    const sectors = new Set<string>();
    for (const { sector } of market.all().values()) if (sector !== null) sectors.add(sector);
    const unavailable = new Set(catalog.answer().unavailable);
    const logicKind = kind === 'alert' ? ALERT_LOGIC : SCAN_LOGIC;
    return {
      catalog: catalog.current(),
      unavailable,
      sectors: [...sectors],
      kind: logicKind,
    };
  }

  async #ask(model: Model, userId: number, asked: AskedPhrase, signal: AbortSignal): Promise<ReadByModel> {
    const { modelUse, randomToken } = this.app;
    const context = this.#context(asked.kind);
    let answer: ModelAnswer;
    try {
      answer = await model.complete({
        messages: phraseMessages(asked, context, randomToken()),
        maxTokens: TOKEN_LIMIT.question,
        timeoutMs: TIMEOUT_MS,
        signal: AbortSignal.any([signal, this.#stopping.signal]),
      });
    } catch (error) {
      if (!(error instanceof ModelError)) throw error;
      modelUse.count(userId, 'question', error.usage, 'failed');
      throw modelRefusal(error);
    }
    const read = readModelAnswer(answer.text, asked, context);
    modelUse.count(userId, 'question', answer.usage, read.ok ? 'answered' : 'failed');
    if (read.ok) return read.value;
    throw new AppError(502, read.error);
  }
}

export function createPhrases(app: App) {
  const service = new PhraseReader(app);
  return {
    name: 'phrases',
    service,
    routes: () =>
      serve(CONDITIONS, {
        'POST /api/conditions/read': ({ user, body, request }) => {
          // The connection is silent until the model answers, so it must be kept open.
          app.keepOpen(request);
          return service.read(user, body, request.signal);
        },
      }),
    stop: () => service.stop(),
    inspect: (): Inspection => ({
      label: 'Phrases read by the model',
      description: 'Conditions in words that the model is reading now.',
      summary: { model: app.model?.name ?? null, ...service.counts() },
      data: () => service.counts(),
    }),
  } satisfies Part;
}
