import type { App, Part } from '#platform/app.ts';
import { baseUrl, createModel } from '#platform/model/index.ts';
import type { Config } from '#src/config/config.ts';
import { bad, doubtful, type CheckResult, good } from '#lib/checkResult.ts';
import { backoff } from '#lib/httpClient/pollLoop.ts';
import { type Probe, runProbe } from '#lib/httpClient/probe.ts';
import type { Log } from '#lib/log.ts';
import { type Model, type ModelAnswer, ModelError, type ModelRequest } from '#platform/model/model.ts';
import { CHECK_SERVICE } from '#texts/adminMessages.ts';
import { parseJson } from '#lib/json.ts';
import { readLine, readList, readRecord } from '#lib/read.ts';

const WHAT = 'Model';
const TIMEOUT_MS = 15_000;
const MAX_BYTES = 4 * 1024 * 1024;
const MAX_NAME = 200;

function readModels(text: string, model: string): CheckResult {
  const parsed = parseJson(text);
  const names = readList(readRecord(parsed.ok ? parsed.value : null).data, (entry) =>
    readLine(readRecord(entry).id, MAX_NAME),
  );
  if (names.length === 0) return good(WHAT, 'The model server answers, but does not list its models.');
  // Some servers omit the tag of the newest version.
  if (names.some((name) => name === model || name === `${model}:latest` || name.endsWith(`/${model}`))) {
    return good(WHAT, `The model server answers and has ${model}.`);
  }
  return doubtful(
    WHAT,
    `The model server answers, but ${model} is not among its ${names.length} models.`,
    `Set BELLBIRD_AI_MODEL to one of its models, such as ${names[0]}.`,
  );
}

/** Tests that list the server's models, which costs nothing; empty if no model is configured. */
export function modelProbes({ ai: { url, key, model } }: Config): Probe[] {
  if (url === null || model === null) return [];
  return [
    {
      what: WHAT,
      tries: 'Lists the available models.',
      who: 'The model server',
      request: {
        method: 'GET',
        url: `${baseUrl(url)}/models`,
        endpoint: 'model/models',
        headers: { accept: 'application/json', ...(key !== null && { authorization: `Bearer ${key}` }) },
        timeoutMs: TIMEOUT_MS,
        maxBytes: MAX_BYTES,
      },
      read: (text) => readModels(text, model),
      whenRefused: (status) =>
        status === 401 || status === 403
          ? 'The model server refuses the key. Set BELLBIRD_AI_KEY to a valid one.'
          : status === 404
            ? 'Set BELLBIRD_AI_URL to the base address that the server’s manual gives.'
            : null,
    },
  ];
}

const FIRST_MS = 60_000;
const EVERY_MS = 10 * 60_000;
const AGAIN_RULES = { intervalMs: 15_000, maxWaitMs: EVERY_MS };
/** Time limit, ms; a local model may have to be loaded first. */
const ONE_TOKEN_MS = 30_000;

/** Kinds of failures that concern the server, not one request. */
const OF_THE_SERVER: ReadonlySet<ModelError['kind']> = new Set([
  ...(['timeout', 'unreachable', 'refused', 'limited', 'unusable'] as const),
]);

/** @returns why the model returned no token; null if it answers @throws errors other than `ModelError` */
export async function askForOneToken(model: Model): Promise<ModelError | null> {
  try {
    const messages = [{ role: 'user' as const, content: 'Say ok.' }];
    await model.complete({ messages, maxTokens: 1, timeoutMs: ONE_TOKEN_MS });
    return null;
  } catch (error) {
    if (!(error instanceof ModelError)) throw error;
    // One token may be too short to contain visible text.
    return error.kind === 'empty' ? null : error;
  }
}

export const MODEL_REMEDY = 'Check BELLBIRD_AI_URL, BELLBIRD_AI_KEY and BELLBIRD_AI_MODEL.';

/**
 * The model for all uses; it stores whether its server works. It checks by listing the server's models, which costs
 * nothing. If that fails, or the last answer did, it requests one token.
 */
export class ModelWatch implements Model {
  #failure: ModelError | null = null;
  #failures = 0;
  #isChecked = false;
  #isRunning = false;
  #cancel = (): void => undefined;

  readonly #log: Log;

  constructor(
    private readonly app: App,
    private readonly model: Model,
    private readonly random: () => number = Math.random,
  ) {
    this.#log = app.log.child('model');
  }

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

  /** The status of the model's server; null before the first check. */
  result(): CheckResult | null {
    if (!this.#isChecked) return null;
    if (this.#failure === null) return good(WHAT, `${this.name} answers.`);
    const { kind, message } = this.#failure;
    return kind === 'refused' ? bad(WHAT, message, MODEL_REMEDY) : doubtful(WHAT, message, CHECK_SERVICE);
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
    // A single failure may be due to the question, so check again later.
    if (isNews) this.#laterAgain();
  }

  #laterAgain(): void {
    this.#later(backoff(this.#failures, null, AGAIN_RULES, this.random()));
  }

  #later(ms: number): void {
    this.#cancel();
    if (this.#isRunning) this.#cancel = this.app.schedule(ms, () => void this.#again());
  }

  async #again(): Promise<void> {
    try {
      if (this.#failure === null && (await this.#isListed())) this.#works();
      else await askForOneToken(this);
    } catch (error) {
      this.#log.error('Could not check the model', { error });
    }
    if (this.#failure === null) this.#later(EVERY_MS);
    else this.#laterAgain();
  }

  async #isListed(): Promise<boolean> {
    const [probe] = modelProbes(this.app.config);
    return probe !== undefined && (await runProbe(probe, this.app)).result.state === 'ok';
  }
}

export function createModelWatch(app: App) {
  const model = createModel(app);
  const service = model && new ModelWatch(app, model);
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
