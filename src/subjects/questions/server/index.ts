import { eq, sql } from 'drizzle-orm';
import type { Db } from '#platform/db/open.ts';
import { users } from '#platform/db/schema.ts';
import { lazy } from '#lib/lazy.ts';
import type { ModelUser } from '#subjects/model/server/index.ts';
import PQueue from 'p-queue';
import { type AccessLevel, accessLevel } from '#platform/http/rules/accessLevel.ts';
import type { Wire } from '#lib/contract/fields.ts';
import type { askAnswer } from '../answers/answer.ts';
import { type QuestionLevel, checkQuestion } from '../rules/question.ts';
import { AppError, refusedFor, accepted } from '#platform/http/errors.ts';
import { createRateLimit, type RateLimit, waitText } from '#lib/rateLimit.ts';
import { type Model, ModelError } from '#platform/model/model.ts';
import { MODEL_BUSY, MODEL_STOPPING, modelRefusal } from '#platform/model/refusal.ts';
import type { App, Part } from '#platform/app.ts';
import { answerQuestion, type Run, createTally, type Tally } from './run.ts';
import { QUESTIONS } from '../contract.ts';
import { serve } from '#platform/http/routes.ts';
import type { Inspection } from '#lib/inspection.ts';

function questionStore(db: Db) {
  const byId = lazy(() =>
    db
      .select({
        id: users.id,
        subscriptionType: users.subscriptionType,
        isAdmin: users.isAdmin,
      })
      .from(users)
      .where(eq(users.id, sql.placeholder('id')))
      .prepare(),
  );
  return {
    user: (id: number): ModelUser | undefined => byId().get({ id }),
  };
}

type QuestionStore = ReturnType<typeof questionStore>;

/** Time limit from the question to the answer, including the wait in the queue, ms. */
const QUESTION_MS = 60_000;
const AT_ONCE = 2;
const MAX_WAITING = 2;
const RETRY_AFTER_SECONDS = 20;

export const NO_MODEL = 'Questions need an AI model. Set BELLBIRD_AI_URL and BELLBIRD_AI_MODEL.';
/** Limit of failures per user. They do not count against the day but cost tokens, and a question can provoke them. */
const MAX_FAILED_AN_HOUR = 10;

const STILL_ASKING = 'Your last question is still being answered. Ask again when it is done.';
const NOT_ALLOWED = 'Your account may no longer ask questions.';
const NOT_WAITED_FOR = 'The answer was interrupted.';

export type Asked = {
  userId: number;
  /** The question as returned by `checkQuestionText`. */
  question: string;
  /** The level of the answer; null for the user's own. */
  level: QuestionLevel | null;
  /** Users below this level get no answer. */
  minLevel: AccessLevel;
  /** Called before each step; returns a sentence if the answer has no recipient any more. */
  refusal?(): string | null;
  signal?: AbortSignal;
};

type QuestionAnswer = Wire<typeof askAnswer>;

type Turn = {
  asked: Asked;
  user: ModelUser;
  model: Model;
  begun: number;
  check(): void;
};

/** Asks the model questions, a few at a time and one per user. */
export class Questions {
  readonly #queue = new PQueue({ concurrency: AT_ONCE });
  readonly #unanswered: RateLimit;
  readonly #asking = new Set<number>();
  readonly #stopping = new AbortController();
  #answered = 0;
  #failed = 0;

  readonly #store: QuestionStore;

  constructor(private readonly app: App) {
    const { clock } = app;
    this.#store = questionStore(app.db);
    this.#unanswered = createRateLimit({
      clock,
      limit: MAX_FAILED_AN_HOUR,
      windowMs: 3_600_000,
    });
  }

  /** The access level of a user; null for an unknown user. */
  levelOf(userId: number): AccessLevel | null {
    const user = this.#store.user(userId);
    return user ? accessLevel(user) : null;
  }

  /**
   * Queues a question.
   * @returns the answer; rejects with an AppError for the user
   * @throws AppError 400, 403, 429 if the question is refused
   */
  ask(asked: Asked): Promise<QuestionAnswer> {
    const { model, modelUse, clock } = this.app;
    if (!model) throw new AppError(400, NO_MODEL);
    const check = (): void => this.#check(asked);
    check();
    const user = this.#store.user(asked.userId);
    if (!user) throw new AppError(403, NOT_ALLOWED);
    if (this.#asking.has(user.id)) throw refusedFor(RETRY_AFTER_SECONDS, 429, STILL_ASKING);
    if (this.#queue.size >= MAX_WAITING) throw refusedFor(RETRY_AFTER_SECONDS, 429, MODEL_BUSY);
    modelUse.admit(user, 'question');
    this.#refuseFailing(user.id);
    this.#asking.add(user.id);
    const turn = { asked, user, model, begun: clock.monotonic(), check };
    return this.#queue.add(() => this.#runTurn(turn)).finally(() => this.#asking.delete(user.id));
  }

  /** Aborts all questions. Resolves when their cost is stored. */
  stop(): Promise<void> {
    this.#stopping.abort();
    return this.#queue.onIdle();
  }

  counts(): {
    running: number;
    waiting: number;
    answered: number;
    failed: number;
  } {
    const { pending: running, size: waiting } = this.#queue;
    return { running, waiting, answered: this.#answered, failed: this.#failed };
  }

  /** Checks the recipient; call it before each step. @throws AppError if the answer has no valid recipient any more */
  #check({ userId, minLevel, refusal }: Asked): void {
    if (this.#stopping.signal.aborted) throw new AppError(503, MODEL_STOPPING);
    const level = this.levelOf(userId);
    if (level === null || level < minLevel) throw new AppError(403, NOT_ALLOWED);
    const sentence = refusal?.() ?? null;
    if (sentence !== null) throw new AppError(403, sentence);
  }

  #refuseFailing(userId: number): void {
    const seconds = this.#unanswered.take(String(userId));
    if (seconds === 0) return;
    const sentence = `Too many of your questions failed. Ask again in ${waitText(seconds)}.`;
    throw refusedFor(seconds, 429, sentence);
  }

  /** Runs a question. Tokens are billed from here on. */
  async #runTurn(turn: Turn): Promise<QuestionAnswer> {
    const tally = createTally();
    let isAnswered = false;
    try {
      turn.check();
      const answer = await this.#answer(turn, tally);
      isAnswered = true;
      return answer;
    } catch (error) {
      throw this.#failureOf(error, turn);
    } finally {
      if (isAnswered) this.#answered += 1;
      else this.#failed += 1;
      if (isAnswered) this.#unanswered.refund(String(turn.user.id));
      this.app.modelUse.count(turn.user.id, 'question', tally.usage, isAnswered ? 'answered' : 'failed');
    }
  }

  async #answer({ asked, user, model, begun, check }: Turn, tally: Tally): Promise<QuestionAnswer> {
    const stopping = this.#stopping.signal;
    const level = asked.level ?? accessLevel(user);
    const run: Run = {
      model,
      question: asked.question,
      level,
      tally,
      check,
      deadline: begun + QUESTION_MS,
      signal: AbortSignal.any(asked.signal ? [asked.signal, stopping] : [stopping]),
    };
    const response = await answerQuestion(this.app, run);
    // The user may have lost the right to the answer.
    check();
    const ms = Math.round(this.app.clock.monotonic() - begun);
    return {
      response,
      meta: {
        model: model.name,
        ...tally.usage,
        ms,
        tools: [...tally.tools],
        level,
      },
    };
  }

  /** Converts a failure to an error for the user. */
  #failureOf(error: unknown, { asked }: Turn): unknown {
    if (this.#stopping.signal.aborted) return new AppError(503, MODEL_STOPPING);
    if (asked.signal?.aborted) return new AppError(408, NOT_WAITED_FOR);
    if (!(error instanceof ModelError)) return error;
    this.app.log.child('questions').warn('Could not answer a question', {
      kind: error.kind,
      reason: error.message,
    });
    return modelRefusal(error);
  }
}

const routesOf = (questions: Questions, { keepOpen }: App) =>
  serve(QUESTIONS, {
    'POST /api/admin/askai': ({ user, body, request }) => {
      const { question, level } = accepted(checkQuestion(body ?? {}, user.level));
      // The connection is silent until the model answers, so it must be kept open.
      keepOpen(request);
      return questions.ask({
        userId: user.id,
        question,
        level,
        minLevel: 4,
        signal: request.signal,
      });
    },
  });

/**
 * Questions that a model answers with read-only tools. `stop` aborts running ones, and runs before the bots stop,
 * because these notify the users.
 */
export function createQuestions(app: App) {
  const service = new Questions(app);
  return {
    name: 'questions',
    service,
    routes: () => routesOf(service, app),
    stop: () => service.stop(),
    inspect: (): Inspection => ({
      label: 'Questions to the model',
      description: 'Questions to the model, and the number in progress.',
      summary: { model: app.model?.name ?? null, ...service.counts() },
      data: () => service.counts(),
    }),
  } satisfies Part;
}

declare module '#platform/app.ts' {
  interface App {
    questions: Questions;
  }
}
