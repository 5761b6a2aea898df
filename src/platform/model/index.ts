import type { OpenAI } from 'openai';
import type { Core } from '#src/part.ts';
import { AnswerReader, estimatedUsage } from './answer.ts';
import { type Dialect, FULL_DIALECT, nextTry, completionParams } from './dialect.ts';
import { type Model, type ModelAnswer, ModelError, type ModelRequest } from './model.ts';
import { brokenError, noToolsError, notWaitedForError, refusedError } from './sentences.ts';
import { modelFetch, RequestRefused } from './transport.ts';

type Needs = Pick<Core, 'config' | 'http' | 'clock' | 'log'>;

/** With the library's own waiting switched off: ours ends first. */
const LIBRARY_TIMEOUT_MS = 24 * 3_600_000;

const ROUTE = '/chat/completions';

/**
 * The address under which the routes stand, also when that of the route itself is given. That of a bare host has the
 * version that nearly all servers want.
 */
export function baseUrl(given: string): string {
  const url = given.endsWith(ROUTE) ? given.slice(0, -ROUTE.length) : given;
  return new URL(url).pathname === '/' ? `${url}/v1` : url;
}

/** What the library threw is its wrapping around what our `fetch` threw. */
function causeOf(error: unknown): ModelError | RequestRefused | null {
  for (let at = error, depth = 0; at instanceof Error && depth < 5; at = at.cause, depth += 1) {
    if (at instanceof ModelError || at instanceof RequestRefused) return at;
  }
  return null;
}

const lengthOf = ({ messages }: ModelRequest): number =>
  messages.reduce((sum, { content }) => sum + content.length, 0);

/** One request, put as the server is thought to understand it. */
async function ask(client: OpenAI, model: string, request: ModelRequest, dialect: Dialect) {
  const reader = new AnswerReader(lengthOf(request));
  const options = request.signal ? { signal: request.signal } : {};
  const answer: unknown = await client.chat.completions.create(
    completionParams(model, request, dialect),
    options,
  );
  if (!dialect.stream) {
    reader.add(answer);
    return reader.finish();
  }
  try {
    for await (const piece of answer as AsyncIterable<unknown>) reader.add(piece);
  } catch (error) {
    if (error instanceof ModelError) throw error;
    throw new ModelError('cutOff', brokenError().message, reader.usage());
  }
  return reader.finish();
}

type Server = Pick<Needs, 'http' | 'clock' | 'log'> & { url: string; key: string | null };

/** What a server did not understand once is not sent to it again. */
class ServerModel implements Model {
  #understood = FULL_DIALECT;

  constructor(
    readonly name: string,
    private readonly server: Server,
  ) {}

  async complete(request: ModelRequest): Promise<ModelAnswer> {
    const { clock } = this.server;
    const started = clock.monotonic();
    let dialect = this.#understood;
    if (request.signal?.aborted) throw notWaitedForError();
    for (;;) {
      try {
        const answer = await this.#askAs(request, dialect, started + request.timeoutMs);
        this.#understood = dialect;
        return { ...answer, durationMs: clock.monotonic() - started };
      } catch (error) {
        dialect = this.#afterFailure(error, request, dialect);
      }
    }
  }

  async #askAs(request: ModelRequest, dialect: Dialect, end: number) {
    const { url, key, http, clock } = this.server;
    // Loaded with the first question: it would cost every start 10 ms.
    const { OpenAI: Client } = await import('openai');
    const remainingMs = (): number => end - clock.monotonic();
    const client = new Client({
      baseURL: baseUrl(url),
      fetch: modelFetch({ http, key, remainingMs, stream: dialect.stream }),
      timeout: LIBRARY_TIMEOUT_MS,
      maxRetries: 0,
      // What is not given here it would take from the environment; the key itself is sent by `modelFetch`.
      apiKey: 'sent elsewhere',
      adminAPIKey: null,
      organization: null,
      project: null,
      webhookSecret: null,
      logLevel: 'off',
    });
    return ask(client, this.name, request, dialect);
  }

  /** How the same is asked once more. @throws ModelError when it is not */
  #afterFailure(error: unknown, request: ModelRequest, dialect: Dialect): Dialect {
    const cause = causeOf(error);
    if (cause instanceof ModelError) throw cause;
    // The library forgets what was thrown to it.
    if (request.signal?.aborted) throw notWaitedForError(estimatedUsage(lengthOf(request)));
    if (cause === null) {
      this.server.log.error('The model could not be asked', { error });
      throw new ModelError('unusable', 'The model could not be asked.');
    }
    const next = nextTry(cause.reason, dialect, request);
    if (next === 'noTools') throw noToolsError();
    if (next === null) throw refusedError(cause.status, cause.reason);
    return next;
  }
}

/** The connection to the model; making it calls nobody. @returns null without an address and a model */
export function createModel({ config, http, clock, log }: Needs): Model | null {
  const { url, key, model } = config.ai;
  if (url === null || model === null) return null;
  return new ServerModel(model, { url, key, http, clock, log: log.child('model') });
}
