import type { OpenAI } from 'openai';
import type { App } from '#platform/app.ts';
import { AnswerReader, estimatedUsage } from './answer.ts';
import { type Model, type ModelAnswer, ModelError, type ModelRequest, type ModelMessage } from './model.ts';
import {
  brokenError,
  noToolsError,
  notWaitedForError,
  refusedError,
  isTooLongError,
  failureError,
  timeoutError,
  tooLargeError,
  unusableError,
} from './sentences.ts';
import type { ChatCompletionCreateParams, ChatCompletionMessageParam } from 'openai/resources';
import type { HttpClient } from '#lib/httpClient/client.ts';
import type { Log } from '#lib/log.ts';
import { parseJson } from '#lib/json.ts';
import { nextTurn } from '#lib/turns.ts';
import { failed } from '#lib/result.ts';

/** The server did not understand the request. Another form may work. */
class RequestRefused extends Error {
  override name = 'RequestRefused';
  /** @param reason of the server, neither logged nor shown because it may repeat the request */
  constructor(
    readonly status: number,
    readonly reason: string,
  ) {
    super(`refused with status ${status}`);
  }
}

/** A token has some 250 bytes of JSON, or 600 with its thoughts twice. At most 2,000 are requested. */
const MAX_BYTES = 2 * 1024 * 1024;
/** The limit of an answer in one piece, which is parsed in a few milliseconds. */
const MAX_CHUNK = 256 * 1024;

/** The library reads its input without a pause; this much takes about a millisecond. */
const CHUNK_BYTES = 16 * 1024;

/** A body that is read over several turns of the event loop. */
function inTurns(text: string): ReadableStream<Uint8Array> {
  const bytes = new TextEncoder().encode(text);
  let at = 0;
  return new ReadableStream<Uint8Array>({
    async pull(controller) {
      await nextTurn();
      controller.enqueue(bytes.subarray(at, at + CHUNK_BYTES));
      at += CHUNK_BYTES;
      if (at >= bytes.length) controller.close();
    },
  });
}

/** Whether an event of a stream exceeds the limit of a piece. Each step searches backwards from the limit. */
function hasLongEvent(text: string): boolean {
  for (let at = 0; at + MAX_CHUNK < text.length; ) {
    const within = at + MAX_CHUNK;
    const end = Math.max(text.lastIndexOf('\n\n', within), text.lastIndexOf('\n\r\n', within));
    if (end < at) return true;
    at = end + 1;
  }
  return false;
}

/** The input of the library: a stream if one was requested, even if the server sent a complete answer. */
function readable(body: string, wantsStream: boolean): Response {
  if (hasLongEvent(body) || (!wantsStream && body.length > MAX_CHUNK)) throw tooLargeError();
  const mayBeWhole = body.length <= MAX_CHUNK && /^\s{0,100}\{/.test(body);
  const whole = mayBeWhole ? parseJson(body) : failed('malformed');
  if (!wantsStream) {
    if (!whole.ok) throw unusableError();
    return Response.json(whole.value);
  }
  const isStream = !whole.ok && /^(data|event|id|retry)?:/m.test(body.slice(0, 10_000));
  if (!whole.ok && !isStream) throw unusableError();
  const events = whole.ok ? `data: ${JSON.stringify(whole.value)}\n\ndata: [DONE]\n\n` : body;
  return new Response(inTurns(events), { headers: { 'content-type': 'text/event-stream' } });
}

/** The used members of the library's request. Others would reveal details of this machine. */
type Init = { body?: unknown; signal?: AbortSignal | null };

type Sending = {
  http: HttpClient;
  key: string | null;
  remainingMs(): number;
  stream: boolean;
};

/**
 * The library's `fetch`, through the shared client.
 * @throws ModelError or RequestRefused, which the library wraps as the cause of its error
 */
function modelFetch({ http, key, remainingMs, stream }: Sending) {
  return async (input: string | URL | Request, { body, signal }: Init = {}): Promise<Response> => {
    const timeoutMs = remainingMs();
    if (timeoutMs <= 0) throw timeoutError();
    const sent = typeof body === 'string' ? body : '{}';
    const outcome = await http.text({
      method: 'POST',
      url: String(input instanceof Request ? input.url : input),
      endpoint: 'model/chat/completions',
      headers: {
        'content-type': 'application/json',
        accept: stream ? 'text/event-stream, application/json' : 'application/json',
        ...(key !== null && { authorization: `Bearer ${key}` }),
      },
      body: sent,
      timeoutMs,
      maxBytes: MAX_BYTES,
      ...(signal && { signal }),
    });
    if (outcome.kind === 'ok') return readable(outcome.body, stream);
    // Servers built on FastAPI answer 422 to unknown members.
    if (outcome.kind === 'httpError' && (outcome.status === 400 || outcome.status === 422)) {
      throw new RequestRefused(outcome.status, outcome.text);
    }
    throw failureError(outcome, estimatedUsage(sent.length));
  };
}

function messageParam(message: ModelMessage): ChatCompletionMessageParam {
  switch (message.role) {
    case 'system':
    case 'user':
      return { role: message.role, content: message.content };
    case 'tool':
      return { role: 'tool', tool_call_id: message.toolCallId, content: message.content };
    case 'assistant': {
      const calls = message.toolCalls.map(({ id, name, argumentsText }) => ({
        id,
        type: 'function' as const,
        function: { name, arguments: argumentsText },
      }));
      return {
        role: 'assistant',
        content: message.content,
        ...(calls.length > 0 && { tool_calls: calls }),
      };
    }
  }
}

function completionParams(
  model: string,
  { messages, tools = [], maxTokens }: ModelRequest,
  { stream, streamOptions, limit }: Dialect,
): ChatCompletionCreateParams {
  return {
    model,
    messages: messages.map(messageParam),
    [limit]: maxTokens,
    stream,
    ...(stream && streamOptions && { stream_options: { include_usage: true } }),
    ...(tools.length > 0 && {
      tools: tools.map((offer) => ({ type: 'function' as const, function: offer })),
    }),
  };
}

/** The options that a server understands. Each is used until the server refuses it. */
type Dialect = {
  stream: boolean;
  /** `stream_options` requests the usage at the end of a stream. */
  streamOptions: boolean;
  /** Many local servers know only the older name, which newer ones refuse. */
  limit: 'max_completion_tokens' | 'max_tokens';
};

const FULL_DIALECT: Dialect = { stream: true, streamOptions: true, limit: 'max_completion_tokens' };

type NextTry = Dialect | 'noTools' | null;

const mentionsTools = (reason: string): boolean =>
  /\btool(s|_choice|\b| use| call)|function call/.test(reason);

/**
 * Derives the next form from a server's refusal. A named option is dropped; if none is named, the options are
 * dropped in the order of how often servers refuse them.
 */
function nextTry(reason: string, dialect: Dialect, { tools = [] }: Pick<ModelRequest, 'tools'>): NextTry {
  const text = reason.toLowerCase();
  const { stream, streamOptions, limit } = dialect;
  if (stream && streamOptions && text.includes('stream_options')) return { ...dialect, streamOptions: false };
  if (limit === 'max_completion_tokens' && text.includes('max_completion_tokens')) {
    return { ...dialect, limit: 'max_tokens' };
  }
  if (tools.length > 0 && mentionsTools(text)) return 'noTools';
  if (stream && !text.includes('stream_options') && /\bstream/.test(text))
    return { ...dialect, stream: false };
  // A prompt that is too long fails in every form.
  if (isTooLongError(text)) return null;
  if (stream && streamOptions) return { ...dialect, streamOptions: false };
  if (limit === 'max_completion_tokens') return { ...dialect, limit: 'max_tokens' };
  return tools.length > 0 ? 'noTools' : null;
}

/** Effectively disables the library's timeout, because ours applies first. */
const LIBRARY_TIMEOUT_MS = 24 * 3_600_000;

const ROUTE = '/chat/completions';

/** The base address, also from the address of the route. A bare host gets the usual version. */
export function baseUrl(given: string): string {
  const url = given.endsWith(ROUTE) ? given.slice(0, -ROUTE.length) : given;
  return new URL(url).pathname === '/' ? `${url}/v1` : url;
}

/** Finds our `fetch`'s error, which the library wraps. */
function causeOf(error: unknown): ModelError | RequestRefused | null {
  for (let at = error, depth = 0; at instanceof Error && depth < 5; at = at.cause, depth += 1) {
    if (at instanceof ModelError || at instanceof RequestRefused) return at;
  }
  return null;
}

const lengthOf = ({ messages }: ModelRequest): number =>
  messages.reduce((sum, { content }) => sum + content.length, 0);

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
    for await (const chunk of answer as AsyncIterable<unknown>) reader.add(chunk);
  } catch (error) {
    if (error instanceof ModelError) throw error;
    throw new ModelError('cutOff', brokenError().message, reader.usage());
  }
  return reader.finish();
}

/** Remembers which options the server refused. */
class ServerModel implements Model {
  #understood = FULL_DIALECT;

  readonly #log: Log;

  constructor(
    private readonly app: App,
    readonly name: string,
    private readonly url: string,
    private readonly key: string | null,
  ) {
    this.#log = app.log.child('model');
  }

  async complete(request: ModelRequest): Promise<ModelAnswer> {
    const { clock } = this.app;
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
    const { http, clock } = this.app;
    // Loaded with the first question, because it would cost every start 10 ms.
    const { OpenAI: Client } = await import('openai');
    const remainingMs = (): number => end - clock.monotonic();
    const client = new Client({
      baseURL: baseUrl(this.url),
      fetch: modelFetch({ http, key: this.key, remainingMs, stream: dialect.stream }),
      timeout: LIBRARY_TIMEOUT_MS,
      maxRetries: 0,
      // Otherwise the library reads these from the environment. `modelFetch` sends the key.
      apiKey: 'sent elsewhere',
      adminAPIKey: null,
      organization: null,
      project: null,
      webhookSecret: null,
      logLevel: 'off',
    });
    return ask(client, this.name, request, dialect);
  }

  /** The form of the next attempt. @throws ModelError if there is none */
  #afterFailure(error: unknown, request: ModelRequest, dialect: Dialect): Dialect {
    const cause = causeOf(error);
    if (cause instanceof ModelError) throw cause;
    // The library drops our error after an abort.
    if (request.signal?.aborted) throw notWaitedForError(estimatedUsage(lengthOf(request)));
    if (cause === null) {
      this.#log.error('Could not ask the model', { error });
      throw new ModelError('unusable', 'The model could not be asked.');
    }
    const next = nextTry(cause.reason, dialect, request);
    if (next === 'noTools') throw noToolsError();
    if (next === null) throw refusedError(cause.status, cause.reason);
    return next;
  }
}

/** Makes no request yet. @returns null without an address and a model */
export function createModel(app: App): Model | null {
  const { url, key, model } = app.config.ai;
  if (url === null || model === null) return null;
  return new ServerModel(app, model, url, key);
}
