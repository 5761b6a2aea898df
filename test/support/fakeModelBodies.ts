import type { ModelReply, ModelTokens } from './fakeModel.ts';

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

/** An answer in one piece. What would break off mid-stream breaks off in the middle of the JSON. */
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

/** Characters of an answer in a chunk. */
const PIECE = 9;
const pieces = (text: string): string[] =>
  Array.from({ length: Math.ceil(text.length / PIECE) }, (_, at) => text.slice(at * PIECE, (at + 1) * PIECE));

export type StreamTraits = {
  model: string;
  usageIn: 'ownChunk' | 'lastChoice' | 'nowhere';
  stopped: Promise<void>;
};

/** The chunks of an answer, the last one with the reason of its end. */
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
    ...pieces(asked.arguments).map((part) =>
      delta({ tool_calls: [{ index, function: { arguments: part } }] }),
    ),
  ]);
  const said = [
    delta({ role: 'assistant', content: '' }),
    ...pieces(reply.text ?? '').map((content) => delta({ content })),
  ];
  if (reply.kind !== 'text' && reply.kind !== 'tools') return said;
  const usage = usageOf(reply);
  const end = { index: 0, delta: {}, finish_reason: finishOf(reply) };
  const last = usageIn === 'lastChoice' ? chunk([end], { usage }) : chunk([end]);
  const own = usageIn === 'ownChunk' && usage ? [chunk([], { usage })] : [];
  return [...said, ...calls, last, ...own];
}

/** Bytes of a stream that go out at a time: events and characters are cut anywhere. */
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
      // What was said must be on its way before the connection breaks.
      await Bun.sleep(5);
      controller.error(new Error('The fake model breaks off.'));
    },
  });
  return new Response(body, { headers: { 'content-type': 'text/event-stream' } });
}
