import PQueue from 'p-queue';
import { type AccessLevel, accessLevel } from '../../accounts/rules/accountRules.ts';
import type { QuestionLevel } from '../rules/question.ts';
import { AppError, refusedFor } from '../../../platform/http/errors.ts';
import { createRateLimit, waitText } from '../../../lib/rateLimit.ts';
import { type Model, ModelError } from '../../../platform/model/model.ts';
import type { ModelUser } from '../../model/server/service.ts';
import type { QuestionsDeps } from './deps.ts';
import { answerQuestion, type Run } from './run.ts';
import { createTally, type Tally, type ToolUse } from './tally.ts';

/** From asking to the answer, however long the wait for the turn was. */
const QUESTION_MS = 60_000;
const AT_ONCE = 2;
const MAX_WAITING = 2;
const RETRY_AFTER_SECONDS = 20;

export const NO_MODEL = 'Questions need a model: set BELLBIRD_AI_URL and BELLBIRD_AI_MODEL.';
/** Failures are none of the day's questions, but cost tokens, and a question can be put so that it comes to no answer. */
const MAX_FAILED_AN_HOUR = 10;

const STILL_ASKING = 'Your last question is still being answered. Ask again when its answer is there.';
const BUSY = 'The model is busy with other questions. Ask again in a moment.';
const NOT_ALLOWED = 'Your account may not ask questions any more.';
const NOT_WAITED_FOR = 'The answer was not waited for.';
const STOPPING = 'Bellbird is being restarted. Ask again in a minute.';

export type Asked = {
  userId: number;
  /** As `checkQuestionText` gives it. */
  question: string;
  /** As whom it is answered; null for the user's own level. */
  level: QuestionLevel | null;
  /** Who is or falls below it gets no answer. */
  minLevel: AccessLevel;
  /** Asked before each step: a sentence once the answer has nowhere to go. */
  refusal?(): string | null;
  signal?: AbortSignal;
};

export type QuestionAnswer = {
  /** Plain text. */
  response: string;
  meta: {
    model: string;
    promptTokens: number;
    completionTokens: number;
    ms: number;
    tools: ToolUse[];
    level: QuestionLevel;
  };
};

export type Questions = {
  /** A user's level at this moment; null when there is no such user. */
  levelOf(userId: number): AccessLevel | null;
  /**
   * Has a question answered when it is its turn.
   * @returns the answer; it fails with an AppError whose sentence is for whoever asked
   * @throws AppError at once when the question is not taken up: 400, 403, 429
   */
  ask(asked: Asked): Promise<QuestionAnswer>;
  /** Fails what is asked and everything that comes; resolves once what it cost is written down. */
  stop(): Promise<void>;
  counts(): { running: number; waiting: number; answered: number; failed: number };
};

/** What a failure of the model is to whoever asked. */
const failureOf = (error: ModelError): AppError =>
  new AppError(error.kind === 'timeout' ? 504 : error.kind === 'limited' ? 503 : 502, error.message, {
    cause: error,
  });

/** @returns a check to be made before each step. It throws an AppError */
function createCheck(deps: QuestionsDeps, { userId, minLevel, refusal }: Asked, stopping: AbortSignal) {
  return (): void => {
    if (stopping.aborted) throw new AppError(503, STOPPING);
    const user = deps.store.user(userId);
    if (!user || accessLevel(user) < minLevel) throw new AppError(403, NOT_ALLOWED);
    const sentence = refusal?.() ?? null;
    if (sentence !== null) throw new AppError(403, sentence);
  };
}

type Turn = {
  asked: Asked;
  user: ModelUser;
  model: Model;
  begun: number;
  check(): void;
  stopping: AbortSignal;
};

/** A question's turn: from here on it is paid for. */
async function answerInTurn(deps: QuestionsDeps, turn: Turn, tally: Tally): Promise<QuestionAnswer> {
  const { asked, user, model, begun, check, stopping } = turn;
  const signals = asked.signal ? [asked.signal, stopping] : [stopping];
  const level = asked.level ?? accessLevel(user);
  const run: Run = {
    question: asked.question,
    level,
    tally,
    deadline: begun + QUESTION_MS,
    signal: AbortSignal.any(signals),
    check,
  };
  const response = await answerQuestion({ ...deps, model }, run);
  // Whoever lost the right to it meanwhile does not get it.
  check();
  const ms = Math.round(deps.clock.monotonic() - begun);
  return { response, meta: { model: model.name, ...tally.usage, ms, tools: [...tally.tools], level } };
}

/** Questions to the model, a few at a time and one of each user. */
export function createQuestionsService(deps: QuestionsDeps): Questions {
  const { clock, log, model, modelUse, store } = deps;
  const queue = new PQueue({ concurrency: AT_ONCE });
  const unanswered = createRateLimit({ clock, limit: MAX_FAILED_AN_HOUR, windowMs: 3_600_000 });
  const asking = new Set<number>();
  const stopping = new AbortController();
  const counts = { answered: 0, failed: 0 };

  function refuseFailing(userId: number): void {
    const seconds = unanswered.take(String(userId));
    if (seconds === 0) return;
    throw refusedFor(
      seconds,
      429,
      `Too many of your questions got no answer. Ask again in ${waitText(seconds)}.`,
    );
  }

  async function take(turn: Turn): Promise<QuestionAnswer> {
    const tally = createTally();
    let isAnswered = false;
    try {
      turn.check();
      const answer = await answerInTurn(deps, turn, tally);
      isAnswered = true;
      return answer;
    } catch (error) {
      if (stopping.signal.aborted) throw new AppError(503, STOPPING);
      if (turn.asked.signal?.aborted) throw new AppError(408, NOT_WAITED_FOR);
      if (!(error instanceof ModelError)) throw error;
      log.warn('A question was not answered', { kind: error.kind, reason: error.message });
      throw failureOf(error);
    } finally {
      counts[isAnswered ? 'answered' : 'failed'] += 1;
      if (isAnswered) unanswered.giveBack(String(turn.user.id));
      modelUse.count(turn.user.id, 'question', tally.usage, isAnswered ? 'answered' : 'failed');
    }
  }

  return {
    levelOf(userId) {
      const user = store.user(userId);
      return user ? accessLevel(user) : null;
    },
    ask(asked) {
      if (!model) throw new AppError(400, NO_MODEL);
      const check = createCheck(deps, asked, stopping.signal);
      check();
      const user = store.user(asked.userId);
      if (!user) throw new AppError(403, NOT_ALLOWED);
      if (asking.has(user.id)) throw refusedFor(RETRY_AFTER_SECONDS, 429, STILL_ASKING);
      if (queue.size >= MAX_WAITING) throw refusedFor(RETRY_AFTER_SECONDS, 429, BUSY);
      modelUse.admit(user, 'question');
      refuseFailing(user.id);
      asking.add(user.id);
      const turn = { asked, user, model, begun: clock.monotonic(), check, stopping: stopping.signal };
      return queue.add(() => take(turn)).finally(() => asking.delete(user.id));
    },
    stop() {
      stopping.abort();
      return queue.onIdle();
    },
    counts: () => ({ running: queue.pending, waiting: queue.size, ...counts }),
  };
}
