import type { App, Part } from '#platform/app.ts';
import { createModel } from '#platform/model/index.ts';
import type { Config } from '#src/config/config.ts';
import type { SystemClock } from '#lib/clock.ts';
import { bad, doubtful, type Finding, good } from '#lib/finding.ts';
import { backoff } from '#lib/httpClient/pollLoop.ts';
import type { HttpClient } from '#lib/httpClient/client.ts';
import { runProbe } from '#lib/httpClient/probe.ts';
import type { Log } from '#lib/log.ts';
import { type Scheduler, timerScheduler } from '#lib/scheduler.ts';
import { type Model, type ModelAnswer, ModelError, type ModelRequest } from '#platform/model/model.ts';
import { LOOK_AT_SERVICE } from '#texts/adminMessages.ts';
import { modelProbes } from './modelProbe.ts';

type ModelWatchDeps = {
  config: Config;
  http: HttpClient;
  clock: SystemClock;
  log: Log;
  schedule?: Scheduler;
  /** From 0 to below 1. */
  random?: () => number;
};

const WHAT = 'Model';
const FIRST_MS = 60_000;
const EVERY_MS = 10 * 60_000;
const AGAIN_RULES = { intervalMs: 15_000, maxWaitMs: EVERY_MS };
/** A model that runs on this machine may have to be loaded first. */
const ONE_TOKEN_MS = 30_000;

/** Failures of the server. Others are of one request. */
const OF_THE_SERVER: ReadonlySet<ModelError['kind']> = new Set([
  ...(['timeout', 'unreachable', 'refused', 'limited', 'unusable'] as const),
]);

/** Asks a model for one token. @returns why there was none; null if it answers. @throws what is no `ModelError` */
export async function askForOneToken(model: Model): Promise<ModelError | null> {
  try {
    const messages = [{ role: 'user' as const, content: 'Say ok.' }];
    await model.complete({ messages, maxTokens: 1, timeoutMs: ONE_TOKEN_MS });
    return null;
  } catch (error) {
    if (!(error instanceof ModelError)) throw error;
    // One token may be too few for a word that is shown.
    return error.kind === 'empty' ? null : error;
  }
}

/** What to do about a model that refuses. */
export const MODEL_REMEDY =
  'Compare BELLBIRD_AI_URL, BELLBIRD_AI_KEY and BELLBIRD_AI_MODEL with what the server wants.';

/**
 * The model that everything asks, which remembers whether its server works. It asks the server for its list of models, which
 * costs nothing. If that fails, or the last answer did, it asks for one token.
 */
export class ModelWatch implements Model {
  #failure: ModelError | null = null;
  #failures = 0;
  #isChecked = false;
  #isRunning = false;
  #cancel = (): void => undefined;

  constructor(
    private readonly model: Model,
    private readonly deps: ModelWatchDeps,
  ) {}

  get name(): string {
    return this.model.name;
  }

  async complete(request: ModelRequest): Promise<ModelAnswer> {
    try {
      const answer = await this.model.complete(request);
      this.#works();
      return answer;
    } catch (error) {
      if (error instanceof ModelError) this.#note(error);
      throw error;
    }
  }

  /** How the model's server stands; null until it was asked. */
  finding(): Finding | null {
    if (!this.#isChecked) return null;
    if (this.#failure === null) return good(WHAT, `${this.name} answers.`);
    const { kind, message } = this.#failure;
    return kind === 'refused' ? bad(WHAT, message, MODEL_REMEDY) : doubtful(WHAT, message, LOOK_AT_SERVICE);
  }

  start(): void {
    this.#isRunning = true;
    this.#later(FIRST_MS);
  }

  stop(): void {
    this.#isRunning = false;
    this.#cancel();
  }

  #works(): void {
    this.#isChecked = true;
    this.#failure = null;
    this.#failures = 0;
  }

  #note(error: ModelError): void {
    if (error.kind === 'empty') return this.#works();
    if (!OF_THE_SERVER.has(error.kind)) return;
    const isNews = this.#failure === null;
    this.#isChecked = true;
    this.#failure = error;
    this.#failures += 1;
    // One failure may be due to the question.
    if (isNews) this.#laterAgain();
  }

  #laterAgain(): void {
    this.#later(backoff(this.#failures, null, AGAIN_RULES, (this.deps.random ?? Math.random)()));
  }

  #later(ms: number): void {
    this.#cancel();
    const { schedule = timerScheduler } = this.deps;
    if (this.#isRunning) this.#cancel = schedule(ms, () => void this.#again());
  }

  async #again(): Promise<void> {
    try {
      if (this.#failure === null && (await this.#isListed())) this.#works();
      else await askForOneToken(this);
    } catch (error) {
      this.deps.log.error('The model could not be checked', { error });
    }
    if (this.#failure === null) this.#later(EVERY_MS);
    else this.#laterAgain();
  }

  async #isListed(): Promise<boolean> {
    const [probe] = modelProbes(this.deps.config);
    return probe !== undefined && (await runProbe(probe, this.deps)).finding.state === 'ok';
  }
}

/** The model that everything asks, and how it answers; null if none is configured. */
export function createModelWatch(app: App) {
  const model = createModel(app);
  const service = model && new ModelWatch(model, { ...app, log: app.log.child('model') });
  return {
    name: 'modelWatch',
    service,
    ...(service && { start: () => service.start(), stop: () => service.stop() }),
  } satisfies Part;
}

declare module '#platform/app.ts' {
  interface App {
    model: ModelWatch | null;
  }
}
