import { isRecord, type JsonRecord } from '#lib/json.ts';
import { readList, readRecord, readText } from '#lib/read.ts';

/** Replies that are an answer or the beginning of one. */
export type Spoken = Extract<ModelReply, { text?: string }>;

const TOKENS: ModelTokens = { prompt: 100, completion: 20 };
const CREATED = 1_794_960_000;

const usageOf = (reply: Spoken) => {
  const tokens = 'usage' in reply && reply.usage !== undefined ? reply.usage : TOKENS;
  return (
    tokens && {
      prompt_tokens: tokens.prompt,
      completion_tokens: tokens.completion,
      total_tokens: tokens.prompt + tokens.completion,
    }
  );
};

const finishOf = (reply: Spoken): string => {
  if (reply.kind === 'tools') return 'tool_calls';
  return reply.kind === 'text' ? (reply.finish ?? 'stop') : 'stop';
};

const callsOf = (reply: Spoken) =>
  reply.kind === 'tools'
    ? reply.calls.map((call, at) => ({
        id: call.id ?? `call_${at}`,
        type: 'function',
        function: { name: call.name, arguments: call.arguments },
      }))
    : [];

/** An answer in one piece. A mid-stream fault breaks it off in the middle of the JSON. */
export function wholeBody(reply: Spoken, model: string): Response {
  const calls = callsOf(reply);
  const message = {
    role: 'assistant',
    content: reply.text ?? null,
    ...(calls.length > 0 && { tool_calls: calls }),
  };
  const usage = usageOf(reply);
  const body = {
    id: 'chatcmpl-1',
    object: 'chat.completion',
    created: CREATED,
    model,
    choices: [{ index: 0, message, finish_reason: finishOf(reply) }],
    ...(usage && { usage }),
  };
  const text = JSON.stringify(body);
  const isWhole = reply.kind === 'text' || reply.kind === 'tools';
  return new Response(isWhole ? text : text.slice(0, text.length / 2), {
    headers: { 'content-type': 'application/json' },
  });
}

/** Characters of an answer per chunk. */
const PIECE = 9;
const chunks = (text: string): string[] =>
  Array.from({ length: Math.ceil(text.length / PIECE) }, (_, at) => text.slice(at * PIECE, (at + 1) * PIECE));

export type StreamTraits = {
  model: string;
  usageIn: 'ownChunk' | 'lastChoice' | 'nowhere';
  stopped: Promise<void>;
};

/** The chunks of an answer, the last one with the finish reason. */
function chunksOf(reply: Spoken, { model, usageIn }: StreamTraits): object[] {
  const chunk = (choices: object[], more: object = {}) => ({
    id: 'chatcmpl-1',
    object: 'chat.completion.chunk',
    created: CREATED,
    model,
    choices,
    ...(usageIn === 'ownChunk' && { usage: null }),
    ...more,
  });
  const delta = (value: object) => chunk([{ index: 0, delta: value, finish_reason: null }]);
  const calls = callsOf(reply).flatMap(({ function: asked, ...call }, index) => [
    delta({ tool_calls: [{ index, ...call, function: { name: asked.name, arguments: '' } }] }),
    ...chunks(asked.arguments).map((part) =>
      delta({ tool_calls: [{ index, function: { arguments: part } }] }),
    ),
  ]);
  const said = [
    delta({ role: 'assistant', content: '' }),
    ...chunks(reply.text ?? '').map((content) => delta({ content })),
  ];
  if (reply.kind !== 'text' && reply.kind !== 'tools') return said;
  const usage = usageOf(reply);
  const end = { index: 0, delta: {}, finish_reason: finishOf(reply) };
  const last = usageIn === 'lastChoice' ? chunk([end], { usage }) : chunk([end]);
  const own = usageIn === 'ownChunk' && usage ? [chunk([], { usage })] : [];
  return [...said, ...calls, last, ...own];
}

/** Bytes of a stream sent at a time: events and characters may be cut anywhere. */
const CUT_EVERY = 61;

/** An answer as server-sent events. */
export function sseBody(reply: Spoken, traits: StreamTraits): Response {
  const isWhole = reply.kind === 'text' || reply.kind === 'tools';
  const events = chunksOf(reply, traits).map((chunk) => `data: ${JSON.stringify(chunk)}\n\n`);
  const bytes = new TextEncoder().encode(events.join('') + (isWhole ? 'data: [DONE]\n\n' : ''));
  let at = 0;
  const body = new ReadableStream({
    async pull(controller) {
      if (at < bytes.length) {
        controller.enqueue(bytes.slice(at, at + CUT_EVERY));
        at += CUT_EVERY;
        return;
      }
      if (reply.kind === 'stalled') await traits.stopped;
      if (reply.kind !== 'cut') return controller.close();
      // The text so far must be sent before the connection breaks.
      await Bun.sleep(5);
      controller.error(new Error('The fake model breaks off.'));
    },
  });
  return new Response(body, { headers: { 'content-type': 'text/event-stream' } });
}

/** The model’s reply to one request. `usage` null: the server counts no tokens. */
export type ModelReply =
  | { kind: 'text'; text: string; finish?: 'stop' | 'length' | 'content_filter'; usage?: ModelTokens | null }
  | {
      kind: 'tools';
      /** `arguments` is the model’s text, which may be invalid JSON. */
      calls: readonly { name: string; arguments: string; id?: string }[];
      text?: string;
      usage?: ModelTokens | null;
    }
  /** A stream that begins with this text: the connection breaks, it ends early, or nothing more arrives. */
  | { kind: 'cut' | 'ended' | 'stalled'; text: string }
  /** Nothing arrives, not even a status. */
  | { kind: 'hang' }
  | { kind: 'status'; status: number; body?: unknown; headers?: Record<string, string> }
  | { kind: 'html' }
  | { kind: 'garbage'; body: string };

export type ModelTokens = { prompt: number; completion: number };

export type FakeModelOptions = {
  /** Requests with these members get 400, as from servers that do not know them. */
  refuses?: readonly ('stream_options' | 'tools' | 'max_completion_tokens')[];
  /** Where a stream reports usage: in its own chunk, in the last chunk with a choice, or nowhere. */
  usageIn?: 'ownChunk' | 'lastChoice' | 'nowhere';
  /** The key that requests must carry; any if omitted. */
  key?: string;
};

export type SeenModelRequest = {
  path: string;
  authorization: string | null;
  body: JsonRecord;
  /** The texts of its messages, by role. */
  messages: { role: string; content: string }[];
  tools: string[];
};

/** Creates the reply to a request that passed the checks; `at` counts those from 0. */
export type ModelScript = (request: SeenModelRequest, at: number) => ModelReply;

/** A tool call with arguments as an object. */
export const toolReply = (name: string, args: JsonRecord = {}): ModelReply => ({
  kind: 'tools',
  calls: [{ name, arguments: JSON.stringify(args) }],
});

const HTML = '<!DOCTYPE html><html><body>Bad gateway</body></html>';

function seen(request: Request, body: JsonRecord): SeenModelRequest {
  return {
    path: new URL(request.url).pathname,
    authorization: request.headers.get('authorization'),
    body,
    messages: readList(body['messages'], (message) => {
      const { role, content } = readRecord(message);
      return { role: String(role), content: readText(content) ?? '' };
    }),
    tools: readList(body['tools'], (tool) => readText(readRecord(readRecord(tool)['function'])['name'])),
  };
}

/** With OpenAI’s wording of an error. */
const refusal = (status: number, message: string): Response =>
  Response.json({ error: { message, type: 'invalid_request_error', param: null, code: null } }, { status });

function refused({ refuses = [], key }: FakeModelOptions, request: SeenModelRequest): Response | null {
  if (key !== undefined && request.authorization !== `Bearer ${key}`) {
    return refusal(401, 'Incorrect API key provided.');
  }
  const unknown = refuses.find((member) => request.body[member] !== undefined);
  return unknown === undefined ? null : refusal(400, `Unrecognized request argument supplied: ${unknown}`);
}

/** A reply as the server sends it; one that hangs ends when the server stops. */
async function answer(
  reply: ModelReply,
  request: SeenModelRequest,
  { model, options, stopped }: { model: string; options: FakeModelOptions; stopped: Promise<void> },
): Promise<Response> {
  switch (reply.kind) {
    case 'hang':
      await stopped;
      return new Response(null, { status: 503 });
    case 'status':
      return reply.body === undefined
        ? new Response('no', { status: reply.status, headers: reply.headers ?? {} })
        : Response.json(reply.body, { status: reply.status, headers: reply.headers ?? {} });
    case 'html':
      return new Response(HTML, { headers: { 'content-type': 'text/html' } });
    case 'garbage':
      return new Response(reply.body, { headers: { 'content-type': 'application/json' } });
    default: {
      if (request.body['stream'] !== true) return wholeBody(reply, model);
      const asksForUsage = readRecord(request.body['stream_options'])['include_usage'] === true;
      const where = options.usageIn ?? 'ownChunk';
      const usageIn = where === 'ownChunk' && !asksForUsage ? 'nowhere' : where;
      return sseBody(reply, { model, usageIn, stopped });
    }
  }
}

/**
 * A server with the OpenAI chat completions API on a free port of 127.0.0.1 that replies as the test decides, whole or as a stream as requested.
 */
export function startFakeModel(first: FakeModelOptions = {}) {
  const model = 'fake-model';
  const requests: SeenModelRequest[] = [];
  let options = first;
  let decide: ModelScript = () => ({ kind: 'text', text: 'An answer.' });
  let held: PromiseWithResolvers<void> | null = null;
  let open = 0;
  let taken = 0;
  const stopped = Promise.withResolvers<void>();
  const server = Bun.serve({
    hostname: '127.0.0.1',
    port: 0,
    idleTimeout: 0,
    async fetch(raw) {
      const body: unknown = await raw.json().catch(() => null);
      if (!isRecord(body)) return refusal(400, 'We could not parse the JSON body of your request.');
      const request = seen(raw, body);
      requests.push(request);
      if (request.path !== '/v1/chat/completions') return refusal(404, 'Unknown request URL.');
      const no = refused(options, request);
      if (no) return no;
      const at = taken;
      taken += 1;
      open += 1;
      try {
        await held?.promise;
        return await answer(decide(request, at), request, { model, options, stopped: stopped.promise });
      } finally {
        open -= 1;
      }
    },
  });
  return {
    /** Base address in the form of BELLBIRD_AI_URL. */
    url: `http://127.0.0.1:${server.port}/v1`,
    /** The model’s name in every answer. */
    model,
    /** Every request so far, including refused ones. */
    requests,
    /** Replies with these one after the other, and repeats the last one. */
    reply(...replies: readonly (ModelReply | string)[]): void {
      const list = replies.map(
        (reply): ModelReply => (typeof reply === 'string' ? { kind: 'text', text: reply } : reply),
      );
      const from = taken;
      decide = (_, at) => list[Math.min(at - from, list.length - 1)] ?? { kind: 'text', text: '' };
    },
    script: (next: ModelScript) => void (decide = next),
    set: (next: FakeModelOptions) => void (options = next),
    /** Delays requests until the returned function is called. */
    hold(): () => void {
      const gate = Promise.withResolvers<void>();
      held = gate;
      return () => {
        if (held === gate) held = null;
        gate.resolve();
      };
    },
    /** Requests that wait for their answer at this moment. */
    open: () => open,
    async stop(): Promise<void> {
      held?.resolve();
      stopped.resolve();
      await server.stop(true);
    },
  };
}

export type FakeModel = ReturnType<typeof startFakeModel>;
