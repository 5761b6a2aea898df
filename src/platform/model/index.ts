import type { OpenAI } from 'openai';
import type { App } from '#platform/app.ts';
import { AnswerReader, estimatedUsage } from './answer.ts';
import { type Model, type ModelAnswer, ModelError, type ModelRequest, type ModelMessage } from './model.ts';
import {
  brokenError,
  noToolsError,
  notWaitedForError,
  refusedError,
  saysTooLong,
  failureError,
  timeoutError,
  tooLargeError,
  unusableError,
} from './sentences.ts';
import type { ChatCompletionCreateParams, ChatCompletionMessageParam } from 'openai/resources';
import type { HttpClient } from '#lib/httpClient/client.ts';
import { parseJson } from '#lib/json.ts';
import { nextTurn } from '#lib/turns.ts';
import { failed } from '#lib/result.ts';

/** The server did not understand the request, which may be put otherwise. */
class RequestRefused extends Error {
  override name = 'RequestRefused';
  /** @param reason what it said; it may repeat what was sent, so it is neither logged nor shown */
  constructor(
    readonly status: number,
    readonly reason: string,
  ) {
    super(`refused with status ${status}`);
  }
}

/** Each token comes in some 250 bytes of JSON, or 600 with those thought aloud twice, and the most asked for are 2,000. */
const MAX_BYTES = 2 * 1024 * 1024;
/** An answer in one piece says nothing twice. It is parsed without a pause, in a few milliseconds. */
const MAX_PIECE = 256 * 1024;

/** The library reads what it is given without a pause; so much of it takes about a millisecond. */
const PIECE_BYTES = 16 * 1024;

/** A text as a body that is read over several turns of the event loop. */
function inTurns(text: string): ReadableStream<Uint8Array> {
  const bytes = new TextEncoder().encode(text);
  let at = 0;
  return new ReadableStream<Uint8Array>({
    async pull(controller) {
      await nextTurn();
      controller.enqueue(bytes.subarray(at, at + PIECE_BYTES));
      at += PIECE_BYTES;
      if (at >= bytes.length) controller.close();
    },
  });
}

/** Whether an event of a stream is longer than a piece may be; each step looks back from where it must have ended. */
function hasLongEvent(text: string): boolean {
  for (let at = 0; at + MAX_PIECE < text.length; ) {
    const within = at + MAX_PIECE;
    const end = Math.max(text.lastIndexOf('\n\n', within), text.lastIndexOf('\n\r\n', within));
    if (end < at) return true;
    at = end + 1;
  }
  return false;
}

/** What the library is to read: a stream when one was asked for, also when the server sent the whole at once. */
function readable(body: string, wantsStream: boolean): Response {
  if (hasLongEvent(body) || (!wantsStream && body.length > MAX_PIECE)) throw tooLargeError();
  const mayBeWhole = body.length <= MAX_PIECE && /^\s{0,100}\{/.test(body);
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

/** What of its request the library hands over is used: it would also tell the server about this machine. */
type Init = { body?: unknown; signal?: AbortSignal | null };

type Sending = {
  http: HttpClient;
  /** Null where the server wants none. */
  key: string | null;
  /** What is left of the time for the whole answer. */
  remainingMs(): number;
  stream: boolean;
};

/**
 * The library's `fetch`: through the client that counts and limits.
 * @throws ModelError, or RequestRefused; the library wraps both as the cause of its own error
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
    // 422 is what servers built on FastAPI answer to members that they do not know.
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
      // Servers refuse an empty list.
      return {
        role: 'assistant',
        content: message.content,
        ...(calls.length > 0 && { tool_calls: calls }),
      };
    }
  }
}

/** A request in the words that a server understands. */
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

/** What a server understands of the request; all that is optional is tried until it refuses it. */
type Dialect = {
  /** Answers in pieces. */
  stream: boolean;
  /** `stream_options`, which asks for the usage at the end of a stream. */
  streamOptions: boolean;
  /** The older name of the limit is what many local servers know; newer ones refuse it. */
  limit: 'max_completion_tokens' | 'max_tokens';
};

const FULL_DIALECT: Dialect = { stream: true, streamOptions: true, limit: 'max_completion_tokens' };

/** What is tried next after a refusal; 'noTools' when it is the tools that the server does not take. */
type NextTry = Dialect | 'noTools' | null;

const mentionsTools = (reason: string): boolean =>
  /\btool(s|_choice|\b| use| call)|function call/.test(reason);

/**
 * Reads out of a server's refusal what it did not understand. Servers word it freely, so a member that is named is
 * left out; when none is named, those that servers refuse most are left out one after the other.
 * @param reason the refusal's body
 * @param dialect what was sent
 */
function nextTry(reason: string, dialect: Dialect, { tools = [] }: Pick<ModelRequest, 'tools'>): NextTry {
  const said = reason.toLowerCase();
  const { stream, streamOptions, limit } = dialect;
  if (stream && streamOptions && said.includes('stream_options')) return { ...dialect, streamOptions: false };
  if (limit === 'max_completion_tokens' && said.includes('max_completion_tokens')) {
    return { ...dialect, limit: 'max_tokens' };
  }
  if (tools.length > 0 && mentionsTools(said)) return 'noTools';
  if (stream && !said.includes('stream_options') && /\bstream/.test(said))
    return { ...dialect, stream: false };
  // A prompt that is too long fails in every dialect.
  if (saysTooLong(said)) return null;
  if (stream && streamOptions) return { ...dialect, streamOptions: false };
  if (limit === 'max_completion_tokens') return { ...dialect, limit: 'max_tokens' };
  return tools.length > 0 ? 'noTools' : null;
}

type Needs = App;

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
